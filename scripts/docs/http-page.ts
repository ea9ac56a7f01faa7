import { openApiDocument } from '../../packages/http-koa/src/index.ts'
import { type JsonSchema, nameIn } from '../client/type-text.ts'
import { code, GENERATED, inLine, table } from './markdown.ts'

interface Schema extends JsonSchema {
  readonly format?: string
  readonly default?: unknown
  readonly minimum?: number
  readonly maximum?: number
  readonly maxLength?: number
  readonly allOf?: readonly Schema[]
}

interface Answer {
  readonly $ref?: string
  readonly description?: string
  readonly content?: Readonly<Record<string, { readonly schema: Schema }>>
}

interface Operation {
  readonly tags: readonly string[]
  readonly summary: string
  readonly description: string
  readonly parameters: readonly { name: string; in: string; required?: boolean; description?: string; schema: Schema }[]
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> }
  readonly responses: Readonly<Record<string, Answer>>
}

export interface OpenApi {
  readonly tags: readonly { readonly name: string; readonly description: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>
    readonly responses: Readonly<Record<string, Answer>>
  }
}

export const openApi = (): OpenApi => openApiDocument('https://rollcall.example') as unknown as OpenApi

export const operationsOf = ({ paths }: OpenApi): { method: string; at: string; operation: Operation }[] =>
  Object.entries(paths).flatMap(([at, methods]) =>
    Object.entries(methods)
      .filter(([method]) => method !== 'trace')
      .map(([method, operation]) => ({ method: method.toUpperCase(), at, operation })),
  )

/** The page of every operation, from the OpenAPI document. */
export const httpPage = (): string => {
  const document = openApi()
  const operations = operationsOf(document)
  const sections = document.tags.map(({ name, description }) => {
    const own = operations.filter(({ operation }) => operation.tags.includes(name))
    return `## ${name}\n\n${description}\n\n${own.map((one) => operationText(one, document)).join('')}`
  })
  const records = Object.entries(document.components.schemas)
    .filter(([name, { properties }]) => !name.endsWith('Encoded') && properties !== undefined)
    .map(([name, schema]) => `### ${headingOf(name)}\n\n${lead(schema.description)}${fields(schema)}`)
  return `# HTTP\n\n${GENERATED}\n${INTRODUCTION}\n${sections.join('')}## Records\n\n${records.join('').trimEnd()}\n`
}

const INTRODUCTION = `A running service gives the same as an OpenAPI 3.1 document at \`GET /openapi.json\`. The [client](../guides/client.md) has a typed function for each operation, and [requests.http](https://github.com/rollcall/rollcall/blob/main/requests.http) an example.

- **Bodies** are JSON (\`application/json\`) or forms (\`application/x-www-form-urlencoded\`), 16 KiB at most; those of \`PATCH\` are JSON merge patches (RFC 7396), in which a field that is left out stays as it is.
- **Query parameters**: an endpoint that needs a token and changes something refuses one that it does not list (422), so that a \`dry_run\` with a slip in it is no real run.
- **Access tokens** go into \`Authorization: Bearer ...\`. "Needs one of" names the roles that may do it.
- **Lists** have \`items\` and \`next\`: pass \`next\` as the cursor to go on; it is null at the end.
- **Conditions**: records have an \`ETag\`; \`If-Match\` and \`If-None-Match\` work on all of them, and \`If-Unmodified-Since\` and \`If-Modified-Since\` where a record has a date. They are not repeated below. Send an \`ETag\` back as it came. A proxy that compresses may make it weak (\`W/\`) or longer, and then \`If-Match\` never holds, although \`If-None-Match\` does: ask with \`Accept-Encoding: identity\`, as the client and the command line do.
- **Errors** are JSON with \`error\` and \`message\`: [all errors](errors.md). A browser gets a page from what has pages, and where there is nothing. Every answer has an \`X-Request-Id\`.
- \`HEAD\` works where \`GET\` does, \`OPTIONS\` says what a path takes, and \`TRACE\` returns the request without credentials.
`

const CONDITIONS = /^If-/

const operationText = (
  { method, at, operation }: { method: string; at: string; operation: Operation },
  { components }: OpenApi,
): string => {
  const { summary, description, parameters, requestBody, responses } = operation
  const rows = parameters
    .filter(({ name }) => !CONDITIONS.test(name))
    .map(({ name, in: place, required, description: text = '', schema }) => {
      return [code(name), place, `${typeText(schema)}${required ? ', required' : ''}`, inLine(text)]
    })
  const contents = Object.entries(requestBody?.content ?? {})
  const [, json] = contents.find(([type]) => type === 'application/json') ?? contents[0] ?? []
  const body = json === undefined ? '' : `Body: ${typeText(json.schema)}${others(contents.map(([type]) => type))}\n\n`
  const good = Object.entries(responses).filter(([status]) => Number(status) < 400)
  const bad = Object.entries(responses).filter(([status]) => Number(status) >= 400)
  const answers = good.map(([status, answer]) => {
    const { content = {} } = answer.$ref === undefined ? answer : (components.responses[nameIn(answer.$ref)] ?? {})
    const types = Object.entries(content).map(([type, { schema }]) =>
      type === 'application/json' ? typeText(schema) : code(type),
    )
    return `${status}${types.length > 0 ? ` (${[...new Set(types)].join(', ')})` : ''}`
  })
  return [
    `### \`${method} ${at}\`\n\n${inLine(summary)} ${inLine(description)}\n\n`,
    table(['parameter', 'in', 'type', 'meaning'], rows),
    body,
    `Answers: ${answers.join(', ')}. Errors: ${bad.map(([status]) => status).join(', ')}.\n\n`,
  ].join('')
}

const others = (types: readonly string[]): string => (types.length > 1 ? `, as ${types.map(code).join(' or ')}` : '')

const lead = (text: string | undefined): string => (text === undefined ? '' : `${inLine(text)}\n\n`)

const fields = ({ properties = {}, required = [] }: Schema): string =>
  table(
    ['field', 'type', 'meaning'],
    Object.entries(properties).map(([name, schema]) => [
      `${code(name)}${required.includes(name) ? '' : ' (optional)'}`,
      typeText(schema),
      inLine(schema.description ?? ''),
    ]),
  )

/** In words: a reference is a link to the record. */
export const typeText = (schema: Schema): string => {
  if (schema.$ref !== undefined) return recordLink(nameIn(schema.$ref))
  if ('const' in schema) return code(JSON.stringify(schema.const))
  if (schema.enum !== undefined)
    return `${schema.enum.map((value) => code(JSON.stringify(value))).join(' or ')}${more(schema)}`
  const choices = schema.oneOf ?? schema.anyOf
  if (choices !== undefined) return [...new Set(choices.map(typeText))].join(' or ')
  const types = [schema.type ?? 'any'].flat()
  return (
    types.map((type) => (type === 'array' ? `list of ${typeText(schema.items ?? {})}` : type)).join(' or ') +
    more(schema)
  )
}

/** Its anchor must not be that of a section. */
const headingOf = (record: string): string => (SECTIONS.has(record) ? `${record} as a record` : record)

const SECTIONS = new Set(openApi().tags.map(({ name }) => name))

const ENCODED = /Encoded$/

const recordLink = (name: string): string => {
  const record = name.replace(ENCODED, '')
  return LINKED.has(record)
    ? `[${record}](#${headingOf(record)
        .toLowerCase()
        .replaceAll(/[^a-z-]+/g, '-')})`
    : record
}

const LINKED = new Set(
  Object.entries(openApi().components.schemas).flatMap(([name, { properties }]) => (properties ? [name] : [])),
)

const more = ({ format, default: preset, minimum, maximum, maxLength }: Schema): string => {
  const facts = [
    format,
    minimum !== undefined && maximum !== undefined && maximum < 1e9 ? `${minimum} to ${maximum}` : undefined,
    maxLength === undefined ? undefined : `at most ${maxLength} characters`,
    preset === undefined ? undefined : `default ${JSON.stringify(preset)}`,
  ].filter((fact) => fact !== undefined)
  return facts.length > 0 ? ` (${facts.join(', ')})` : ''
}
