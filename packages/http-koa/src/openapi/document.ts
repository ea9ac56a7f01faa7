import { type Guarded, TablePolicy } from '@rollcall/core'
import { FORM_EXAMPLES, JSON_EXAMPLES, PATCH_EXAMPLES } from './examples.ts'
import { importNamed, type Operation, type Parameter } from './operation.ts'
import { OPERATIONS } from './operations.ts'
import { PATH_PARAMETERS } from './path-parameters.ts'
import { file, HEADERS, PICTURE, responsesOf, SharedResponses } from './responses.ts'
import * as s from './schema.ts'
import { SCHEMAS, type SchemaName } from './schemas.ts'
import { groupOf, TAGS } from './tags.ts'

/**
 * The whole interface as OpenAPI 3.1; the table decides which roles it names, and `trace` whether TRACE is answered.
 * @see https://spec.openapis.org/oas/v3.1.1.html
 */
export const openApiDocument = (
  publicUrl: string,
  table = new TablePolicy(),
  { trace = true }: { readonly trace?: boolean } = {},
) => {
  const responses = new SharedResponses()
  const paths = pathsOf(table, trace, responses)
  return {
    openapi: '3.1.1',
    info: {
      title: 'Rollcall',
      // That of the interface: the service shows its own to no client.
      version: '1',
      description:
        'Subscriptions by confirmed opt-in, and users that can be deleted permanently. Endpoints that need a token and change something refuse a query parameter that they do not list (422).',
      contact: { name: 'The Rollcall authors', url: 'https://github.com/rollcall/rollcall' },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: publicUrl }],
    tags: TAGS,
    paths,
    components: {
      schemas: { ...SCHEMAS, ...encodedSchemas(), Role: s.oneOf(...table.roles) },
      responses: responses.components,
      headers: HEADERS,
      securitySchemes: {
        token: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: 'An access token (RFC 9068).' },
      },
    },
  }
}

const pathsOf = (table: TablePolicy, trace: boolean, shared: SharedResponses) => {
  const found: Record<string, Record<string, unknown>> = {}
  for (const [route, operation] of Object.entries<Operation>(OPERATIONS)) {
    const [method = '', path = ''] = route.split(' ')
    found[path] ??= trace ? { trace: traceOf(path, shared) } : {}
    found[path][method.toLowerCase()] = describe(route, operation, table, shared)
  }
  return found
}

const describe = (route: string, operation: Operation, table: TablePolicy, shared: SharedResponses) => {
  const [, path = ''] = route.split(' ')
  const { tag, orPage } = groupOf(path)
  return {
    operationId: operation.id,
    tags: [tag],
    summary: operation.summary,
    description: accessTo(path, operation, table),
    ...(operation.idempotent && { 'x-idempotent': true }),
    ...(operation.lastLine && { 'x-last-line': operation.lastLine }),
    security: operation.guarded ? [{ token: [] }] : operation.alsoGuarded ? [{}, { token: [] }] : [],
    parameters: [
      ...namesIn(path).map((name) => parameter(name, 'path', PATH_PARAMETERS[name] ?? ANY_TEXT)),
      ...Object.entries(operation.query ?? {}).map(([name, it]) => parameter(name, 'query', it)),
      ...Object.entries(operation.headers ?? {}).map(([name, it]) => parameter(name, 'header', it)),
      ...CONDITIONS[operation.conditional ?? 'none'].map((name) => parameter(name, 'header', CONDITION[name])),
    ],
    ...(operation.body && {
      requestBody: {
        description: operation.body === 'picture' ? AS_A_PICTURE : operation.anyType ? AS_IT_IS : COMPRESSION,
        required: !operation.bodyOptional,
        content: bodyContent(operation.body, operation),
      },
    }),
    responses: responsesOf(route, operation, orPage, shared),
  }
}

/** On each path, because OpenAPI knows no operation of all of them. */
const traceOf = (path: string, shared: SharedResponses) => ({
  operationId: `trace${path.replace(/\W+(\w?)/g, (_, letter: string) => letter.toUpperCase())}`,
  tags: [groupOf(path).tag],
  summary: 'The request as it arrived here.',
  description: 'Without credentials, and without what proxies add.',
  security: [],
  parameters: namesIn(path).map((name) => parameter(name, 'path', ANY_TEXT)),
  responses: {
    200: shared.trace(),
    400: shared.refer(['MalformedRequest'], false),
    431: shared.refer(['HeadersTooLarge'], false),
    500: shared.refer(['InternalError'], false),
    503: shared.refer(['Unavailable'], false),
  },
})

const accessTo = (path: string, { guarded, alsoGuarded, self }: Operation, table: TablePolicy): string => {
  if (alsoGuarded) return `Needs no access token, or, to name a visitor, one of: ${whoMay(alsoGuarded, self, table)}.`
  if (guarded) return `Needs one of: ${whoMay(guarded, self, table)}.`
  return path.includes('{token}') ? 'Needs no access token: the link is the permission.' : 'Needs no access token.'
}

const whoMay = ({ permission }: Guarded, self: boolean | undefined, table: TablePolicy): string =>
  [...table.rolesFor(permission), ...(self ? ['self'] : [])].join(', ')

const AS_IT_IS = 'At most 1 MiB, not compressed, of any Content-Type.'
const AS_A_PICTURE = 'At most 64 KiB, not compressed; what it is does not depend on its Content-Type.'
const COMPRESSION = 'As it is, or compressed with gzip or deflate, as Content-Encoding says.'

const CONDITION = {
  'If-Match': { description: 'Only if its ETag is one of these; * for any that exists.', schema: s.text() },
  'If-None-Match': {
    description: 'Only if its ETag is none of these; * for one that does not exist.',
    schema: s.text(),
  },
  'If-Modified-Since': { description: 'Only if it was changed after this HTTP date.', schema: s.text() },
  'If-Unmodified-Since': { description: 'Only if it was not changed after this HTTP date.', schema: s.text() },
} as const satisfies Record<string, Parameter>

const CONDITIONS = {
  none: [],
  read: ['If-Match', 'If-None-Match', 'If-Modified-Since', 'If-Unmodified-Since'],
  write: ['If-Match', 'If-None-Match', 'If-Unmodified-Since'],
} as const

const parameter = (name: string, place: 'query' | 'header' | 'path', it: Parameter) => ({
  name,
  in: place,
  ...(place === 'path' && { required: true }),
  ...it,
})

/** The parameters of a path. */
const namesIn = (path: string): string[] => [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)

const ANY_TEXT: Parameter = { description: 'Any text.', schema: { type: 'string', minLength: 1 } }

/** Any bytes are a file of CSV, of which the answer may refuse each row. */
const bodyContent = (body: NonNullable<Operation['body']>, { mergePatch, jsonOnly, anyType }: Operation) => {
  if (body === 'picture') return PICTURE
  const imported = importNamed(body)
  if (imported !== undefined) return { ...file(imported.row), 'text/csv': { schema: {}, example: imported.csv } }
  const schema = body as SchemaName
  // Amazon sends JSON, and calls it a text.
  if (anyType) return { 'application/json': { schema: s.refer(schema) }, 'text/plain': { schema: s.text() } }
  if (jsonOnly) return { 'application/json': { schema: s.refer(schema), example: JSON_EXAMPLES[schema] } }
  return mergePatch ? patchContent(schema) : formContent(schema)
}

/** @see RFC 7396 */
const patchContent = (name: SchemaName) => {
  const content = { schema: s.refer(name), example: PATCH_EXAMPLES[name] }
  return { 'application/merge-patch+json': content, 'application/json': content }
}

const AS_JSON = { contentType: 'application/json' }

/** In a form, a list is one field, separated by spaces; and nothing is null. */
const formContent = (name: SchemaName) => {
  const list = LISTS[name]
  const example = FORM_EXAMPLES[name]
  return {
    'application/x-www-form-urlencoded': {
      schema: s.refer(ENCODED[name] === undefined ? name : `${name}Encoded`),
      ...(list && {
        encoding: {
          [list]: { style: 'spaceDelimited', explode: false },
          // What has no other form.
          ...(name === 'FeedForm' && { fields: AS_JSON, footer: AS_JSON, words: AS_JSON }),
        },
      }),
      example,
    },
    'application/json': { schema: s.refer(name), example },
  }
}

/** The forms whose fields may be null in JSON, as they are in a form. */
const ENCODED: Readonly<Record<string, s.Schema | undefined>> = Object.fromEntries(
  Object.keys(FORM_EXAMPLES).map((name) => [name, s.withoutNull(SCHEMAS[name as keyof typeof SCHEMAS])]),
)

const encodedSchemas = () =>
  Object.fromEntries(
    Object.entries(ENCODED).flatMap(([name, schema]) => (schema === undefined ? [] : [[`${name}Encoded`, schema]])),
  )

const LISTS: Readonly<Partial<Record<SchemaName, string>>> = {
  SubscribeForm: 'feeds',
  ConfirmationForm: 'feeds',
  UserForm: 'roles',
  FeedForm: 'return_urls',
  WebhookForm: 'types',
}
