import { type ErrorName, STATUS } from '../error-response.ts'
import { LINKS } from './links.ts'
import { errorsOf, importNamed, type Operation } from './operation.ts'
import * as s from './schema.ts'
import type { SchemaName } from './schemas.ts'

const header = (description: string, schema: s.Schema, required = true) => ({ description, required, schema })

/** The header fields of answers, by their names. */
export const HEADERS = {
  'X-Request-Id': header('The one of the request, or a new one; every line of the log about the request has it.', {
    type: 'string',
    pattern: '^[A-Za-z0-9._-]{1,64}$',
  }),
  ETag: header('Identifies this state; for If-None-Match and If-Match.', { type: 'string', pattern: '^"[!-~]+"$' }),
  'Last-Modified': header('For records that have such a time.', s.text(), false),
  Location: header('Where it is.', { type: 'string', format: 'uri-reference' }),
  'Retry-After': header('Seconds after which to try again.', s.positive),
  'WWW-Authenticate': header('The scheme; and, if a token came, why it was refused (RFC 6750).', {
    type: 'string',
    pattern: '^Bearer realm="rollcall"',
  }),
  /** @see RFC 5789 section 3.1 */
  'Accept-Patch': header('What a PATCH may be; only where the request is one.', s.text(), false),
  /** @see RFC 7694 section 3 */
  'Accept-Encoding': header(
    'The codings that are taken; only where it was the Content-Encoding of the body that is not.',
    s.text(),
    false,
  ),
} as const

type HeaderName = keyof typeof HEADERS

const headersNamed = (...names: readonly HeaderName[]) =>
  Object.fromEntries(
    (['X-Request-Id', ...names] as const).map((name) => [name, { $ref: `#/components/headers/${name}` }]),
  )

const json = (schema: SchemaName) => ({ 'application/json': { schema: s.refer(schema) } })

const PAGE = { 'text/html': { schema: s.text() } }

/** A logo, as it comes and goes. */
export const PICTURE = { 'image/png': { schema: {} }, 'image/svg+xml': { schema: {} } }

/** A file of records; in NDJSON each line is as the schema has it. */
export const file = (schema: SchemaName) => ({
  'application/x-ndjson': { schema: s.refer(schema) },
  'text/csv': { schema: s.text() },
})

const ERROR_HEADERS: Readonly<Record<number, readonly HeaderName[]>> = {
  401: ['WWW-Authenticate'],
  415: ['Accept-Encoding', 'Accept-Patch'],
  429: ['Retry-After'],
  503: ['Retry-After'],
}

const errorSchema = (names: readonly ErrorName[]): s.Schema => {
  const [name = ''] = names
  if (name === 'InvalidInput' || name === 'InternalError') return s.refer(name)
  return s.record({ error: names.length === 1 ? s.always(name) : s.oneOf(...names), message: s.text() })
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
      content: { 'application/json': { schema: errorSchema(names) }, ...(orPage && PAGE) },
    }
    return { $ref: `#/components/responses/${key}` }
  }

  /** What TRACE answers, on any path. */
  trace(): { readonly $ref: string } {
    this.components.Trace ??= {
      description: 'The request line and the header fields as they came, without credentials.',
      headers: headersNamed(),
      content: { 'message/http': { schema: s.text() } },
    }
    return { $ref: '#/components/responses/Trace' }
  }
}

/** Errors that any request may get: from its header fields, or because something is down. */
const ANYWHERE: readonly ErrorName[] = ['HeadersTooLarge', 'InternalError', 'Unavailable']

/** Every answer of an operation, by status. */
export const responsesOf = (route: string, operation: Operation, orPage: boolean, shared: SharedResponses) => {
  const responses: Record<string, unknown> = {}
  for (const [status, schema] of Object.entries(operation.answers)) {
    const content = contentOf(schema, operation.orPage)
    const links = LINKS[operation.id as keyof typeof LINKS]?.[Number(status)]
    responses[status] = {
      description: DESCRIPTIONS[status] ?? 'Done.',
      headers: headersNamed(...answerHeaders(Number(status), operation)),
      ...(content && { content }),
      ...(links && { links }),
    }
  }
  if (operation.conditional === 'read')
    responses[304] = { description: 'What you have is what there is.', headers: headersNamed('ETag') }
  for (const [status, names] of Object.entries(errorsOf(route, operation)))
    responses[status] = shared.refer(names ?? [], orPage)
  for (const name of ANYWHERE) responses[STATUS[name]] ??= shared.refer([name], orPage)
  return responses
}

const answerHeaders = (status: number, { conditional, mergePatch }: Operation): readonly HeaderName[] => {
  if (status === 201 || status === 303) return ['Location']
  if (status === 503) return ['Retry-After']
  if (mergePatch && status === 200) return ['ETag']
  return status === 200 && conditional === 'read' ? ['ETag', 'Last-Modified'] : []
}

const contentOf = (schema: Operation['answers'][number] | undefined, orPage = false) => {
  if (schema === 'page') return PAGE
  if (schema === 'picture') return PICTURE
  if (schema === 'preview') return { ...PAGE, 'message/rfc822': { schema: s.text() } }
  if (schema === 'script') return { 'text/javascript': { schema: s.text() } }
  if (schema === 'export') return file('ExportedSubscription')
  if (schema === 'recipients') return { 'application/x-ndjson': { schema: s.refer('RecipientLine') } }
  const imported = importNamed(schema?.replace('-report', '') ?? '')
  if (imported !== undefined) return { 'application/x-ndjson': { schema: s.refer(imported.report) } }
  return schema && { ...json(schema as SchemaName), ...(orPage && PAGE) }
}

const DESCRIPTIONS: Readonly<Record<string, string>> = {
  200: 'Done, or found.',
  201: 'Created; Location says where.',
  204: 'Done; there is nothing to say.',
  303: 'A browser is sent on to where Location says.',
  503: 'Not ready.',
}
