import { commentText, type JsonSchema, type Member, membersText, nameIn, typeText } from './type-text.ts'

type Content = Readonly<Record<string, { readonly schema: JsonSchema }>>

interface Referred {
  readonly $ref?: string
  readonly content?: Content
}

interface Parameter {
  readonly name: string
  readonly in: string
  readonly required?: boolean
  readonly description?: string
  readonly schema: JsonSchema
}

/** An operation of the OpenAPI document. */
export interface Described {
  readonly operationId: string
  readonly summary: string
  readonly description: string
  readonly security: readonly object[]
  readonly 'x-idempotent'?: boolean
  readonly 'x-last-line'?: string
  readonly parameters: readonly Parameter[]
  readonly requestBody?: { readonly required?: boolean; readonly content: Content }
  readonly responses: Readonly<Record<string, Referred>>
}

export interface Components {
  readonly schemas: Readonly<Record<string, JsonSchema>>
  readonly responses: Readonly<Record<string, Referred>>
}

const JSON_TYPE = 'application/json'
const LINES = 'application/x-ndjson'
const PICTURE = 'image/png'

/** `ifMatch` for the header field `If-Match`, which no parameter of a path or a query may be called. */
const argumentName = ({ name, in: place }: Parameter): string => {
  const argument = place === 'header' ? name.charAt(0).toLowerCase() + name.slice(1).replaceAll('-', '') : name
  if (argument === 'body' || (place !== 'header' && /^if[A-Z]/.test(argument)))
    throw new Error(`the client has another use for the name of the parameter ${name}`)
  return argument
}

/** A header field that is no condition: the client knows those by their names. */
const isOtherHeader = ({ name, in: place }: Parameter): boolean => place === 'header' && !name.startsWith('If-')

/** One operation for the client: its types, and what its route says. */
export class ClientOperation {
  readonly #method: string
  readonly #path: string
  readonly #it: Described
  readonly #components: Components

  constructor(method: string, path: string, described: Described, components: Components) {
    this.#method = method
    this.#path = path
    this.#it = described
    this.#components = components
  }

  get id(): string {
    return this.#it.operationId
  }

  /** What `Operations` says of it. */
  get types(): string {
    const { summary, description } = this.#it
    const errors = this.#errors.map((name) => JSON.stringify(name)).join(' | ')
    const stream = this.#stream === undefined ? '' : `readonly stream: ${this.#stream}\n`
    return `${commentText(`${summary} ${description}`)}readonly ${this.id}: {
      readonly params: ${this.#params}
      readonly answers: {\n${this.#answers.map(({ status, type }) => `readonly ${status}: ${type}\n`).join('')}}
      ${stream}readonly errors: ${errors}
    }\n`
  }

  /** What `ROUTES` says of it: the method and the path, and what else the client must know when it runs. */
  get route(): string {
    const names = this.#it.parameters.map(({ name }) => name)
    const next = this.#isList ? ['cursor', 'after'].find((name) => names.includes(name)) : undefined
    const traits = [
      this.#it.security.length > 0 && (this.#it.security.length > 1 ? 'token:optional' : 'token'),
      this.#it['x-idempotent'] && 'idempotent',
      this.#it['x-idempotent'] === false && 'once',
      next !== undefined && `list:${next}`,
      this.#stream !== undefined && 'stream',
      this.#it['x-last-line'] !== undefined && `ends:${this.#it['x-last-line']}`,
      this.#isFile && 'file',
      this.#stream === undefined && this.#answers.some(({ type }) => type === 'string') && 'text',
      this.#answers.some(({ type }) => type === BYTES) && 'bytes',
      ...this.#answers.filter(({ status }) => status >= 400).map(({ status }) => `answers:${status}`),
      ...this.#it.parameters.filter(isOtherHeader).map((parameter) => `header:${argumentName(parameter)}`),
    ]
    return [this.#method.toUpperCase(), this.#path, ...traits.filter(Boolean)].join(' ')
  }

  get #params(): string {
    const members = this.#it.parameters.map((parameter): Member => {
      const { required = false, description, schema } = parameter
      return { name: argumentName(parameter), schema, isRequired: required, description }
    })
    const names = members.map(({ name }) => name)
    if (new Set(names).size < names.length) throw new Error(`two parameters of ${this.id} have the same name`)
    const body = this.#body
    if (body === undefined && members.length === 0) return 'Readonly<Record<never, never>>'
    const member =
      this.#it.requestBody?.required === false ? `readonly body?: ${body} | undefined` : `readonly body: ${body}`
    return membersText(members).replace(/\}$/, body === undefined ? '}' : `${member}\n}`)
  }

  /** A form is sent as JSON; a file says by its member what it is. */
  get #body(): string | undefined {
    const content = this.#it.requestBody?.content
    if (content === undefined) return undefined
    const json = content[JSON_TYPE]
    if (json !== undefined) return typeText(json.schema)
    if (content[PICTURE] !== undefined) return 'Picture'
    const lines = content[LINES]
    if (lines === undefined) throw new Error(`${this.id} takes neither JSON nor NDJSON`)
    return `FileBody<${typeText(lines.schema)}>`
  }

  get #isFile(): boolean {
    const content = this.#it.requestBody?.content
    return content !== undefined && content[JSON_TYPE] === undefined
  }

  get #isList(): boolean {
    const { $ref } = this.#contentOf('200')?.[JSON_TYPE]?.schema ?? {}
    const schema = $ref === undefined ? undefined : this.#components.schemas[nameIn($ref)]
    return schema?.properties?.items !== undefined && schema.properties.next !== undefined
  }

  /** What the lines are of an answer that comes as NDJSON. */
  get #stream(): string | undefined {
    const lines = this.#contentOf('200')?.[LINES]
    return lines && typeText(lines.schema)
  }

  #contentOf(status: string): Content | undefined {
    const response = this.#it.responses[status]
    const { $ref } = response ?? {}
    return ($ref === undefined ? response : this.#components.responses[nameIn($ref)])?.content
  }

  /** Redirects are for browsers. Beside an error, a status may have a record that says how things are. */
  get #answers(): { readonly status: number; readonly type: string }[] {
    return Object.keys(this.#it.responses).flatMap((status) => {
      const content = this.#contentOf(status)
      const code = Number(status)
      if (code >= 400) {
        const records = this.#schemasOf(status).filter((schema) => namesOf(schema, this.#components).length === 0)
        return records.length === 0 ? [] : [{ status: code, type: records.map(typeText).join(' | ') }]
      }
      if (code >= 300 && code !== 304) return []
      if (status === '200' && this.#stream !== undefined)
        return [{ status: code, type: `AsyncIterable<${this.#stream}>` }]
      const json = content?.[JSON_TYPE]
      if (json !== undefined) return [{ status: code, type: typeText(json.schema) }]
      if (content?.[PICTURE] !== undefined) return [{ status: code, type: BYTES }]
      return [{ status: code, type: content === undefined ? 'undefined' : 'string' }]
    })
  }

  get #errors(): string[] {
    const refusals = Object.keys(this.#it.responses).filter((status) => Number(status) >= 400)
    const names = refusals.flatMap((status) =>
      this.#schemasOf(status).flatMap((schema) => {
        const named = namesOf(schema, this.#components)
        return named.length > STATUS_NAMES_AT_MOST ? [`${NAME_OF_STATUS[status]}`] : named
      }),
    )
    return [...new Set(names)].sort()
  }

  /** What an answer may be: each of a choice by itself. */
  #schemasOf(status: string): readonly JsonSchema[] {
    const schema = this.#contentOf(status)?.[JSON_TYPE]?.schema
    if (schema === undefined) return []
    const { anyOf } = resolved(schema, this.#components)
    return anyOf ?? [schema]
  }
}

const BYTES = 'Uint8Array'

/** The schema of any error names all of them, whatever the status. */
const STATUS_NAMES_AT_MOST = 10
const NAME_OF_STATUS: Readonly<Record<string, string>> = { 503: 'Unavailable' }

const resolved = (schema: JsonSchema, { schemas }: Components): JsonSchema =>
  schema.$ref === undefined ? schema : (schemas[nameIn(schema.$ref)] ?? {})

/** The values of `error`; none if the schema is not that of an error. */
const namesOf = (schema: JsonSchema, components: Components): string[] => {
  const { const: only, enum: some } = resolved(schema, components).properties?.error ?? {}
  return (some ?? (only === undefined ? [] : [only])).map(String)
}
