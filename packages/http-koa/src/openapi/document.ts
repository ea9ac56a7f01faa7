import type { Guarded, TablePolicy } from '@rollcall/core'
import type { Operation, ResourceOperations } from '../operation/operation.ts'
import { parameter, parameterOf } from '../operation/parameters.ts'
import { defined, definitions, type Json, jsonOf, nameOf, oneOf, type Schema, text } from '../operation/schema.ts'
import { isOfWords } from '../reading/fields.ts'
import { PATH_PARAMETERS } from './path-parameters.ts'
import { HEADERS, responsesOf, SharedResponses } from './responses.ts'
import { TAGS } from './tags.ts'

/** A schema with a name; of a record, also its members. */
export interface Definition extends Json {
  readonly required?: readonly string[]
  readonly properties?: Readonly<Record<string, Json>>
}

/**
 * These operations as OpenAPI 3.1; the table decides which roles it names, and `trace` whether TRACE is answered.
 * @see https://spec.openapis.org/oas/v3.1.1.html
 */
export const documentOf = (
  resources: readonly ResourceOperations[],
  publicUrl: string,
  table: TablePolicy,
  trace: boolean,
) => {
  const responses = new SharedResponses()
  const paths: Record<string, Record<string, unknown>> = {}
  const encoded: Record<string, Json> = {}
  for (const resource of resources)
    for (const operation of resource.operations) {
      const [method = '', path = ''] = operation.route.split(' ')
      paths[path] ??= trace ? { trace: traceOf(path, resource.tag, responses) } : {}
      paths[path][method.toLowerCase()] = describe(operation, resource, table, responses)
      const form = operation.reads === 'form' ? operation.body : undefined
      const definition = form && encodedForm(form)
      if (form && definition) encoded[encodedName(form)] = definition
    }
  return {
    openapi: '3.1.1',
    info: {
      title: 'Rollcall',
      // Of the interface, not of the program: the version of a running server is told to no client.
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
      schemas: { ...definitions(), ...encoded, Role: jsonOf(oneOf(table.roles)) } as Readonly<
        Record<string, Definition>
      >,
      responses: responses.components,
      headers: HEADERS,
      securitySchemes: {
        token: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: 'An access token (RFC 9068).' },
      },
    },
  }
}

const describe = (
  operation: Operation,
  { tag, orPage }: ResourceOperations,
  table: TablePolicy,
  shared: SharedResponses,
) => {
  const {
    route,
    id,
    summary,
    guarded,
    alsoGuarded,
    query,
    headers = {},
    idempotent,
    lastLine,
    conditional = 'none',
  } = operation
  const [, path = ''] = route.split(' ')
  const body = bodyOf(operation)
  return {
    operationId: id,
    tags: [tag],
    summary,
    description: accessTo(path, operation, table),
    ...(idempotent !== undefined && { 'x-idempotent': idempotent }),
    ...(lastLine && { 'x-last-line': lastLine }),
    security: guarded ? [{ token: [] }] : alsoGuarded ? [{}, { token: [] }] : [],
    parameters: [
      ...namesIn(path).map((name) => described(name, 'path', PATH_PARAMETERS[name] ?? ANY_TEXT)),
      ...Object.entries(query).map(([name, it]) => described(name, 'query', it)),
      ...Object.entries(headers).map(([name, it]) => described(name, 'header', it)),
      ...CONDITIONS[conditional].map((name) => described(name, 'header', CONDITION[name])),
    ],
    ...(body && { requestBody: body }),
    responses: responsesOf(operation, orPage, shared),
  }
}

/** On each path, because OpenAPI knows no operation of all of them. */
const traceOf = (path: string, tag: string, shared: SharedResponses) => ({
  operationId: `trace${path.replace(/\W+(\w?)/g, (_, letter: string) => letter.toUpperCase())}`,
  tags: [tag],
  summary: 'The request as it arrived here.',
  description: 'Without credentials, and without what proxies add.',
  security: [],
  parameters: namesIn(path).map((name) => described(name, 'path', ANY_TEXT)),
  responses: shared.trace(),
})

const accessTo = (path: string, { guarded, alsoGuarded, self }: Operation, table: TablePolicy): string => {
  if (alsoGuarded) return `Needs no access token, or, to name a visitor, one of: ${whoMay(alsoGuarded, self, table)}.`
  if (guarded) return `Needs one of: ${whoMay(guarded, self, table)}.`
  return path.includes('{token}') ? 'Needs no access token: the link is the permission.' : 'Needs no access token.'
}

const whoMay = ({ permission }: Guarded, self: boolean | undefined, table: TablePolicy): string =>
  [...table.rolesFor(permission), ...(self ? ['self'] : [])].join(', ')

const CONDITION = {
  'If-Match': parameter('Only if its ETag is one of these; * for any that exists.', text()),
  'If-None-Match': parameter('Only if its ETag is none of these; * for one that does not exist.', text()),
  'If-Modified-Since': parameter('Only if it was changed after this HTTP date.', text()),
  'If-Unmodified-Since': parameter('Only if it was not changed after this HTTP date.', text()),
} as const

const CONDITIONS = {
  none: [],
  read: ['If-Match', 'If-None-Match', 'If-Modified-Since', 'If-Unmodified-Since'],
  write: ['If-Match', 'If-None-Match', 'If-Unmodified-Since'],
  presence: ['If-Match', 'If-None-Match'],
} as const

const described = (name: string, place: 'query' | 'header' | 'path', schema: Schema) => ({
  name,
  in: place,
  ...(place === 'path' && { required: true }),
  ...parameterOf(schema),
})

const namesIn = (path: string): string[] => [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)

const ANY_TEXT = parameter('Any text.', text(undefined, { minLength: 1 }))

const AS_IT_IS = 'At most 1 MiB, not compressed, of any Content-Type.'
const AS_A_PICTURE = 'At most 64 KiB, not compressed; what it is does not depend on its Content-Type.'
const COMPRESSION = 'As it is, or compressed with gzip or deflate, as Content-Encoding says.'

const bodyOf = ({ body, reads, example, bodyOptional = false, picture }: Operation) => {
  if (reads === 'picture' && picture) return { description: AS_A_PICTURE, required: true, content: picture.content }
  if (body === undefined) return undefined
  const description = reads === 'message' ? AS_IT_IS : COMPRESSION
  return { description, required: !bodyOptional, content: contentOf(body, reads, example) }
}

const contentOf = (body: Schema, reads: Operation['reads'], example: Operation['example']): Json => {
  const schema = jsonOf(body)
  const shown = { schema, ...(example !== undefined && { example }) }
  switch (reads) {
    // Any bytes are a file of CSV, of which the answer may refuse each row.
    case 'file':
      return { 'application/x-ndjson': { schema }, 'text/csv': { schema: {}, example } }
    // Amazon sends JSON, and calls it a text.
    case 'message':
      return { 'application/json': { schema }, 'text/plain': { schema: jsonOf(text()) } }
    case 'json':
      return { 'application/json': shown }
    /** @see RFC 7396 */
    case 'patch':
      return { 'application/merge-patch+json': shown, 'application/json': shown }
    default:
      return { 'application/x-www-form-urlencoded': encodedContent(body, example), 'application/json': shown }
  }
}

/** In a form, a list is one field, separated by spaces; what has no other form is JSON; and nothing is null. */
const encodedContent = (body: Schema, example: Operation['example']) => {
  const encoding: Record<string, Json> = {}
  for (const [name, { type, items }] of Object.entries(propertiesOf(body))) {
    const types = [type].flat()
    if (types.includes('array') && isOfWords(items)) encoding[name] = { style: 'spaceDelimited', explode: false }
    else if (types.includes('array') || types.includes('object')) encoding[name] = { contentType: 'application/json' }
  }
  const schema = encodedForm(body) === undefined ? jsonOf(body) : { $ref: `#/components/schemas/${encodedName(body)}` }
  return { schema, ...(Object.keys(encoding).length > 0 && { encoding }), example }
}

const propertiesOf = (body: Schema) => (defined(jsonOf(body)).properties ?? {}) as Readonly<Record<string, Json>>

const encodedName = (body: Schema): string => `${nameOf(jsonOf(body))}Encoded`

/** A form whose fields are never null; undefined if that is so already. */
const encodedForm = (body: Schema): Json | undefined => {
  const fields = Object.entries(propertiesOf(body))
  if (!fields.some(([, { type }]) => Array.isArray(type))) return undefined
  const properties = Object.fromEntries(
    fields.map(([name, field]) => [name, Array.isArray(field.type) ? { ...field, type: field.type[0] } : field]),
  )
  return { ...defined(jsonOf(body)), properties }
}
