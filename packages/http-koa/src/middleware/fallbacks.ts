import { METHODS } from 'node:http'
import { HttpError } from '../error-response.ts'
import type { AppMiddleware } from '../exchange.ts'
import { ACCEPT_PATCH } from '../reading/media-type.ts'
import { sendNothing } from '../send.ts'

/** The methods that at least one endpoint has. */
const EVERY_METHOD = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'] as const

/** The value of `Allow` for the server as a whole. */
export const everyMethod = (trace: boolean): string[] => EVERY_METHOD.filter((method) => trace || method !== 'TRACE')

/** Every method that Node parses. */
export const KNOWN_METHODS: readonly string[] = METHODS

/** The value of `Allow` for a path, from the methods that have handlers. */
export const allowedMethods = (methods: readonly string[], trace: boolean): string[] => {
  const offered = new Set([...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'])
  if (trace) offered.add('TRACE')
  return EVERY_METHOD.filter((method) => offered.has(method))
}

/** What a path does with methods that it has no handler for: it says which methods it has. */
export const methodNotAllowed = (allowed: readonly string[]): AppMiddleware => {
  const allow = allowed.join(', ')
  return (ctx) => {
    if (ctx.method === 'OPTIONS') {
      ctx.res.setHeader('Allow', allow)
      if (allowed.includes('PATCH')) ctx.res.setHeader('Accept-Patch', ACCEPT_PATCH)
      sendNothing(ctx)
    } else throw new HttpError('MethodNotAllowed', `Use one of these methods here: ${allow}.`, { Allow: allow })
  }
}

const refuseTrace = methodNotAllowed(everyMethod(false))

/** If TRACE is off, it is off on every path. */
export const traceNotAllowed: AppMiddleware = (ctx, next) => (ctx.method === 'TRACE' ? refuseTrace(ctx, next) : next())

/** The last middleware of the application: no route took the request. */
export const notFound: AppMiddleware = () => {
  throw new HttpError('NotFound', 'There is nothing at this path. Check it, or see /openapi.json for all paths.')
}
