import type { AppMiddleware, Handler } from './exchange.ts'
import type { HttpOptions } from './http-options.ts'
import { againIfLate, authenticate, authorize, requireLink } from './middleware/access.ts'
import { cors } from './middleware/cors.ts'
import { limitGuesses, limitNetwork, limitRate } from './middleware/rate-limit.ts'
import { handlerOf } from './operation/handler-of.ts'
import type { Operation, Reads } from './operation/operation.ts'
import { readPicture } from './reading/raw-body.ts'
import { parseBody, parseJson, parsePatch } from './reading/request-body.ts'
import { requireFile } from './reading/require-file.ts'
import { RESOURCES } from './resources/all.ts'

/** One endpoint, as the steps that a request goes through, in order. */
export interface Endpoint {
  readonly method: string
  /** With its parameters in braces. */
  readonly path: string
  /** Whether it also speaks HTML. */
  readonly orPage: boolean
  readonly steps: readonly (Handler | AppMiddleware)[]
}

export const endpointsOf = (options: HttpOptions): readonly Endpoint[] =>
  RESOURCES.flatMap(({ operations, orPage }) =>
    operations.flatMap((operation) => {
      const [method = '', path = ''] = operation.route.split(' ')
      const preflight = { method: 'OPTIONS', path, orPage, steps: [cors(options, method)] }
      return [{ method, path, orPage, steps: stepsOf(operation, options) }, ...(operation.cors ? [preflight] : [])]
    }),
  )

/**
 * What the declaration of an endpoint demands stands before its handler. A limit on how often somebody may ask, the check
 * of a link's signature, the caller and its permission stand before the body is read; what depends on the body, after it.
 */
const stepsOf = (operation: Operation, options: HttpOptions): readonly Handler[] => {
  const { route, guarded, self, reads, signed, limited, before } = operation
  const [method = '', path = ''] = route.split(' ')
  // The use case asks about a user itself: it depends on who that is.
  const admitted = guarded && [
    authenticate(options),
    ...(self ? [] : [authorize(options, guarded, /\{(\w+)\}/.exec(path)?.[1])]),
  ]
  return [
    ...(operation.cors ? [cors(options, method)] : []),
    ...(path.includes('{token}') ? [limitGuesses(options)] : []),
    ...(signed ? [requireLink(options, signed)] : []),
    ...(before?.(options) ?? []),
    ...(limited ? [limitRate(options, limited), limitNetwork(options)] : []),
    ...(admitted ?? []),
    ...(reads ? READERS[reads] : []),
    ...(admitted && reads ? [againIfLate(admitted)] : []),
    handlerOf(operation, options),
  ]
}

/** Files and messages are read by their handlers, as they come. */
const READERS: Readonly<Record<Reads, readonly Handler[]>> = {
  form: [parseBody],
  json: [parseJson],
  patch: [parsePatch],
  unused: [parseBody],
  file: [requireFile],
  picture: [readPicture],
  message: [],
}
