import { type ErrorName, STATUS } from '../error-response.ts'
import { type Answer, isMedia, isWriting, type Operation, PAGE } from '../operation/operation.ts'
import { always, type Json, jsonOf, oneOf, record, text } from '../operation/schema.ts'
import { ERROR_SCHEMAS } from '../resources/errors.ts'
import { LINKS } from './links.ts'

const header = (description: string, schema: Json, required = true) => ({ description, required, schema })

const TEXT = jsonOf(text())

export const HEADERS = {
  'X-Request-Id': header('The one of the request, or a new one; every line of the log about the request has it.', {
    type: 'string',
    pattern: '^[A-Za-z0-9._-]{1,64}$',
  }),
  ETag: header('Identifies this state; for If-None-Match and If-Match.', { type: 'string', pattern: '^"[!-~]+"$' }),
  'Last-Modified': header(
    'For records that have such a time. Within the second of a change it is the second before, so a write that is guarded by that date is refused later: guard it by the ETag.',
    TEXT,
    false,
  ),
  Location: header('Where it is.', { type: 'string', format: 'uri-reference' }),
  'Retry-After': header('Seconds after which to try again.', { type: 'integer', minimum: 1 }),
  'WWW-Authenticate': header('The scheme; and, if a token came, why it was refused (RFC 6750).', {
    type: 'string',
    pattern: '^Bearer realm="rollcall"',
  }),
  /** @see RFC 5789 section 3.1 */
  'Accept-Patch': header('What a PATCH may be; only where the request is one.', TEXT, false),
  /** @see RFC 7694 section 3 */
  'Accept-Encoding': header(
    'The codings that are taken; only where it was the Content-Encoding of the body that is not.',
    TEXT,
    false,
  ),
} as const

type HeaderName = keyof typeof HEADERS

const headersNamed = (...names: readonly HeaderName[]) =>
  Object.fromEntries(
    (['X-Request-Id', ...names] as const).map((name) => [name, { $ref: `#/components/headers/${name}` }]),
  )

const ERROR_HEADERS: Readonly<Record<number, readonly HeaderName[]>> = {
  401: ['WWW-Authenticate'],
  415: ['Accept-Encoding', 'Accept-Patch'],
  429: ['Retry-After'],
  503: ['Retry-After'],
}

const errorSchema = (names: readonly ErrorName[]): Json => {
  const [name] = names
  const own = name && ERROR_SCHEMAS[name]
  if (own !== undefined) return jsonOf(own)
  return jsonOf(
    record({ error: name !== undefined && names.length === 1 ? always(name) : oneOf(names), message: text() }),
  )
}

/** Answers that several operations share, collected while the operations are described. */
export class SharedResponses {
  readonly components: Record<string, unknown> = {}

  /** A reference to the answer with one of these errors of one status. */
  refer(names: readonly ErrorName[], orPage: boolean): { readonly $ref: string } {
    const key = names.join('Or') + (orPage ? 'AsPageToo' : '')
    const [name] = names
    this.components[key] ??= {
      description: `${names.join(', ')}.`,
      headers: headersNamed(...((name && ERROR_HEADERS[STATUS[name]]) ?? [])),
      content: { 'application/json': { schema: errorSchema(names) }, ...(orPage && PAGE.content) },
    }
    return { $ref: `#/components/responses/${key}` }
  }

  /** What TRACE answers, on any path. */
  trace(): Record<string, unknown> {
    this.components.Trace ??= {
      description: 'The request line and the header fields as they came, without credentials.',
      headers: headersNamed(),
      content: { 'message/http': { schema: TEXT } },
    }
    return {
      200: { $ref: '#/components/responses/Trace' },
      400: this.refer(['MalformedRequest'], false),
      ...Object.fromEntries(ANYWHERE.map((name) => [STATUS[name], this.refer([name], false)])),
    }
  }
}

/** Errors that any request may get: from its header fields, because it is slow, or because something is down. */
const ANYWHERE: readonly ErrorName[] = [
  'RequestTimeout',
  'ExpectationFailed',
  'HeadersTooLarge',
  'InternalError',
  'Unavailable',
]

const BODY_ERRORS = ['PayloadTooLarge', 'UnsupportedMediaType'] as const

/** All errors of an endpoint but those that any may have: the names by status. */
const errorsOf = (operation: Operation): Partial<Record<number, ErrorName[]>> => {
  const { route, guarded, hidden, query, body, reads, conditional, errors = [] } = operation
  const possible: ErrorName[] = [...errors, 'MalformedRequest']
  if (guarded) possible.push('Unauthenticated')
  if (guarded && !hidden) possible.push('InsufficientPermissions')
  if (route.includes('{token}')) possible.push('LinkNotValid', 'TooManyRequests')
  if (reads !== undefined && reads !== 'file') possible.push(...BODY_ERRORS)
  if (conditional) possible.push('PreconditionFailed')
  const refusesQuery = guarded !== undefined && isWriting(operation)
  if (Object.keys(query).length > 0 || refusesQuery || (body && reads !== 'message')) possible.push('InvalidInput')
  return Object.groupBy(new Set(possible), (name) => STATUS[name])
}

export const responsesOf = (operation: Operation, orPage: boolean, shared: SharedResponses) => {
  const responses: Record<string, unknown> = {}
  for (const [status, answer] of Object.entries(operation.answers)) {
    const content = contentOf(answer, operation.orPage)
    const links = LINKS[operation.id]?.[Number(status)]
    responses[status] = {
      description: DESCRIPTIONS[status] ?? 'Done.',
      headers: headersNamed(...answerHeaders(Number(status), operation)),
      ...(content && { content }),
      ...(links && { links }),
    }
  }
  if (operation.conditional === 'read')
    responses[304] = { description: 'What you have is what there is.', headers: headersNamed('ETag') }
  for (const [status, names] of Object.entries(errorsOf(operation)))
    responses[status] = shared.refer(names ?? [], orPage)
  for (const name of ANYWHERE) responses[STATUS[name]] ??= shared.refer([name], orPage)
  return responses
}

const answerHeaders = (status: number, { conditional, reads }: Operation): readonly HeaderName[] => {
  if (status === 201 || status === 303) return ['Location']
  if (status === 503) return ['Retry-After']
  if (reads === 'patch' && status === 200) return ['ETag']
  return status === 200 && conditional === 'read' ? ['ETag', 'Last-Modified'] : []
}

const contentOf = (answer: Answer, orPage = false) => {
  if (answer === null) return undefined
  if (isMedia(answer)) return answer.content
  return { 'application/json': { schema: jsonOf(answer) }, ...(orPage && PAGE.content) }
}

const DESCRIPTIONS: Readonly<Record<string, string>> = {
  200: 'Done, or found.',
  201: 'Created; Location says where.',
  204: 'Done; there is nothing to say.',
  303: 'A browser is sent on to where Location says.',
  503: 'Not ready.',
}
