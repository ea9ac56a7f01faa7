import { AuthorizationPolicy, type Guarded } from '@rollcall/core'
import { errorsOf, type Operation } from './operation.ts'
import { OPERATIONS } from './operations.ts'
import { refer, type Schema } from './schema.ts'
import { SCHEMAS, type SchemaName } from './schemas.ts'

/**
 * The whole interface as OpenAPI 3.1; the policy decides which roles it names.
 * @see https://spec.openapis.org/oas/v3.1.1.html
 */
export const openApiDocument = (publicUrl: string, policy = new AuthorizationPolicy()) => ({
  openapi: '3.1.1',
  info: {
    title: 'Rollcall',
    version: '1',
    description: 'Subscriptions by confirmed opt-in, and users that can be deleted permanently.',
  },
  servers: [{ url: publicUrl }],
  paths: paths(policy),
  components: {
    schemas: SCHEMAS,
    securitySchemes: { token: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } },
  },
})

const paths = (policy: AuthorizationPolicy) => {
  const found: Record<string, Record<string, unknown>> = {}
  for (const [route, operation] of Object.entries<Operation>(OPERATIONS)) {
    const [method = '', path = ''] = route.split(' ')
    found[path] = { ...found[path], [method.toLowerCase()]: describe(path, operation, policy) }
  }
  return found
}

const describe = (path: string, operation: Operation, policy: AuthorizationPolicy) => ({
  operationId: operation.id,
  summary: operation.summary,
  ...(operation.guarded && {
    description: `Needs one of: ${whoMay(operation.guarded, operation.self, policy)}.`,
    security: [{ token: [] }],
  }),
  parameters: [
    ...[...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({ name, in: 'path', required: true, schema: TEXT })),
    ...Object.entries(operation.query ?? {}).map(([name, description]) => parameter(name, 'query', description)),
    ...CONDITIONS[operation.conditional ?? 'none'].map((name) => parameter(name, 'header')),
  ],
  ...(operation.body && {
    requestBody: { description: COMPRESSION, required: true, content: bodyContent(operation.body) },
  }),
  responses: responsesOf(path, operation),
})

const whoMay = ({ permission }: Guarded, self: boolean | undefined, policy: AuthorizationPolicy): string =>
  [...policy.rolesFor(permission), ...(self ? ['self'] : [])].join(', ')

const TEXT: Schema = { type: 'string' }

const COMPRESSION = 'As it is, or compressed with gzip or deflate, as Content-Encoding says.'

/** @see RFC 7694 section 3 */
const CODINGS_HEADER = {
  'Accept-Encoding': {
    description: 'The codings that are taken; only where it was the Content-Encoding of the body that is not.',
    schema: TEXT,
  },
}

const CONDITIONS = {
  none: [],
  read: ['If-Match', 'If-None-Match', 'If-Modified-Since', 'If-Unmodified-Since'],
  write: ['If-Match', 'If-None-Match', 'If-Unmodified-Since'],
} as const

const parameter = (name: string, place: 'query' | 'header', description?: string) => ({
  name,
  in: place,
  ...(description && { description }),
  schema: TEXT,
})

const json = (schema: SchemaName) => ({ 'application/json': { schema: refer(schema) } })

/** A file of records; in NDJSON each line is as the schema has it. */
const file = (schema: SchemaName) => ({
  'application/x-ndjson': { schema: refer(schema) },
  'text/csv': { schema: TEXT },
})

const PAGE = { 'text/html': { schema: TEXT } }

const bodyContent = (schema: SchemaName | 'import') =>
  schema === 'import'
    ? file('ImportRow')
    : { 'application/x-www-form-urlencoded': { schema: refer(schema) }, ...json(schema) }

const responsesOf = (path: string, operation: Operation) => {
  const { answers, orPage, conditional } = operation
  const responses: Record<string, unknown> = {}
  for (const [status, schema] of Object.entries(answers)) {
    const content = contentOf(schema, orPage)
    responses[status] = { description: DESCRIPTIONS[status] ?? 'Done.', ...(content && { content }) }
  }
  if (conditional === 'read') responses[304] = { description: 'What you have is what there is.' }
  for (const [status, names] of Object.entries(errorsOf(path, operation)))
    responses[status] = {
      description: (names ?? []).join(', '),
      ...(names?.includes('UnsupportedMediaType') && { headers: CODINGS_HEADER }),
      content: json(names?.[0] === 'InvalidInput' ? 'InvalidInput' : 'Error'),
    }
  responses[500] = { description: 'InternalError', content: json('InternalError') }
  responses[503] ??= { description: 'Unavailable', content: json('Error') }
  return responses
}

const contentOf = (schema: Operation['answers'][number] | undefined, orPage = false) => {
  if (schema === 'page') return PAGE
  if (schema === 'script') return { 'text/javascript': { schema: TEXT } }
  if (schema === 'export') return file('ExportedSubscription')
  if (schema === 'import-report') return { 'application/x-ndjson': { schema: refer('ImportReportLine') } }
  return schema && { ...json(schema), ...(orPage && PAGE) }
}

const DESCRIPTIONS: Readonly<Record<string, string>> = {
  200: 'Done, or found.',
  201: 'Created; Location says where.',
  204: 'Done; there is nothing to say.',
  303: 'A browser is sent on to where Location says.',
  503: 'Not ready.',
}
