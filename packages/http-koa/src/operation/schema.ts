import { FIELD_NAME } from '@rollcall/core'
import * as v from 'valibot'

/** A JSON Schema, 2020-12. */
export type Json = Readonly<Record<string, unknown>>

/**
 * How a value is read, what type it then has, and what the document says of it. Reading checks types and closed sets.
 * What else a text must look like, the document says and the core checks: its messages say what to do.
 */
export type Schema<T = unknown> = v.GenericSchema<unknown, T>
export type Value<S> = S extends Schema<infer T> ? T : never

export type Properties = Readonly<Record<string, Schema>>
export type Values<P extends Properties> = { readonly [Name in keyof P]: Value<P[Name]> }
/** As in a request: what may be left out may also be undefined. */
export type Optional<T> = { readonly [Name in keyof T]?: T[Name] | undefined }

interface Metadata {
  readonly json: Json
  readonly members?: Properties
  readonly prefix?: string
}

const METADATA = new WeakMap<Schema, Metadata>()

/** It is gathered from all steps of a pipe, so once for each schema and not for each request. */
const metadataOf = (schema: Schema): Metadata => {
  const known = METADATA.get(schema)
  if (known !== undefined) return known
  const gathered = v.getMetadata(schema) as unknown as Metadata
  METADATA.set(schema, gathered)
  return gathered
}

/** What the document says of a schema, a name of it included. */
export const jsonOf = (schema: Schema): Json => metadataOf(schema).json

export const membersOf = (schema: Schema): Properties => metadataOf(schema).members ?? {}

export const word = <T>(schema: Schema<T>, json: Json): Schema<T> => v.pipe(schema, v.metadata({ json }))

/** The same with more, or something else, said of it. */
export const said = <T>(schema: Schema<T>, more: Json | string): Schema<T> =>
  word(schema, { ...jsonOf(schema), ...(typeof more === 'string' ? { description: more } : more) })

const described = (json: Json, description: string | undefined): Json => ({
  ...json,
  ...(description && { description }),
})

export const text = (description?: string, more: Json = {}): Schema<string> =>
  word(v.string('Give a text.'), described({ type: 'string', ...more }, description))
export const flag = (description?: string): Schema<boolean> =>
  word(v.boolean('Give true or false.'), described({ type: 'boolean' }, description))
export const integer = (more: Json = {}, description?: string): Schema<number> =>
  word(v.number('Give a number.'), described({ type: 'integer', ...more }, description))
export const number = (description?: string): Schema<number> =>
  word(v.number('Give a number.'), described({ type: 'number' }, description))
export const anything = (json: Json = {}): Schema => word(v.unknown(), json)

export const orNull = <T>(schema: Schema<T>, description?: string): Schema<T | null> => {
  const { type, enum: choices, ...others } = jsonOf(schema)
  const isPlain = typeof type === 'string' && type !== 'object'
  const json = isPlain
    ? { ...others, type: [type, 'null'], ...(Array.isArray(choices) && { enum: [...choices, null] }) }
    : { oneOf: [jsonOf(schema), { type: 'null' }] }
  return word(v.nullable(schema), described(json, description))
}

export const oneOf = <const Choices extends readonly string[]>(
  choices: Choices,
  description?: string,
): Schema<Choices[number]> =>
  word(
    v.picklist(choices, `Use one of these: ${choices.join(', ')}.`),
    described({ type: 'string', enum: choices }, description),
  )
/** As `oneOf`, in a request of which the core says all that is wrong at once. */
export const wordOf = (choices: readonly string[], description?: string): Schema<string> =>
  text(description, { enum: choices })
/** A text that is always the same. */
export const always = <const Text extends string>(text: Text): Schema<Text> =>
  word(v.literal(text), { type: 'string', const: text })

export const eitherOf = <A, B>(one: Schema<A>, other: Schema<B>): Schema<A | B> =>
  word(v.union([one, other]), { anyOf: [jsonOf(one), jsonOf(other)] })

export const arrayOf = <T>(items: Schema<T>, description?: string, more: Json = {}): Schema<readonly T[]> =>
  word(v.array(items, 'Give a list.'), described({ type: 'array', items: jsonOf(items), ...more }, description))
/** A list of texts: in a form, one field with spaces between them. */
export const texts = (
  description?: string,
  items: Schema<string> = text(),
  more: Json = {},
): Schema<readonly string[]> =>
  word(
    v.array(v.string('Give a list of texts.'), 'Give a list of texts.'),
    described({ type: 'array', items: jsonOf(items), ...more }, description),
  )
/** A list whose items the core reads. */
export const list = (items: Schema, description?: string, more: Json = {}): Schema<readonly unknown[]> =>
  word(v.array(v.unknown(), 'Give a list.'), described({ type: 'array', items: jsonOf(items), ...more }, description))
/** An object whose members the core reads. */
export const object = (json: Json = {}, description?: string): Schema<Json> =>
  word(v.record(v.string(), v.unknown(), 'Give an object.'), described({ type: 'object', ...json }, description))

type Members<R extends Properties, O extends Properties> = Values<R> & Optional<Values<O>>

/** An object with exactly these properties. */
export const record = <R extends Properties, O extends Properties = Record<never, never>>(
  required: R,
  optional?: O,
): Schema<Members<R, O>> => {
  const optionals = Object.entries(optional ?? {}).map(([name, schema]) => [name, v.optional(schema)] as const)
  const entries = { ...required, ...Object.fromEntries(optionals) }
  const problem = ({ expected }: { readonly expected: string | null }) =>
    expected === 'Object' ? 'Give an object.' : 'Give this field.'
  const members = { ...required, ...optional }
  const json = {
    type: 'object',
    properties: Object.fromEntries(Object.entries(members).map(([name, schema]) => [name, jsonOf(schema)])),
    required: Object.keys(required),
  }
  return v.pipe(v.object(entries, problem) as unknown as Schema<Members<R, O>>, v.metadata({ json, members }))
}

type Nullable<T> = { readonly [Name in keyof T]?: T[Name] | null | undefined }

/** The body of a request: what is optional may also be null in JSON, which is as if it was left out. */
export const form = <R extends Properties, O extends Properties = Record<never, never>>(
  required: R,
  optional?: O,
): Schema<Values<R> & Nullable<Values<O>>> => {
  const nullable = Object.entries(optional ?? {}).map(([name, schema]) => {
    const { type } = jsonOf(schema)
    return [
      name,
      typeof type === 'string' ? said(v.nullable(schema), { ...jsonOf(schema), type: [type, 'null'] }) : schema,
    ]
  })
  return record(required, Object.fromEntries(nullable)) as Schema<Values<R> & Nullable<Values<O>>>
}

/** One of which the document says that it takes nothing else. */
export const closed: typeof form = (required, optional) =>
  said(form(required, optional), { additionalProperties: false })

/** A form that also takes fields whose names begin so: their values, of any type, are its member `fields`. */
export const withFields = <T>(schema: Schema<T>, prefix: string, description: string) => {
  const json = {
    ...jsonOf(schema),
    patternProperties: { [`^${prefix}${FIELD_NAME.source.slice(1)}`]: { description } },
  }
  return v.pipe(schema, v.metadata({ json, prefix })) as Schema<T & { readonly fields: Json }>
}

/** The beginning of the names of such fields; undefined if it takes none. */
export const prefixOf = (schema: Schema): string | undefined => metadataOf(schema).prefix

const NAMED = new Map<string, Json>()

/** What the document has under its names. */
export const definitions = (): Readonly<Record<string, Json>> => Object.fromEntries(NAMED)

/** The same schema; the document has it once, by this name. */
export const named = <T>(name: string, schema: Schema<T>): Schema<T> => {
  if (NAMED.has(name)) throw new Error(`two schemas are called ${name}`)
  NAMED.set(name, jsonOf(schema))
  return refer(name, schema)
}

/** A schema that the document has by this name. */
export const refer = <T>(name: string, schema: Schema<T>): Schema<T> =>
  word(schema, { $ref: `#/components/schemas/${name}` })

export const nameOf = ({ $ref }: Json): string => String($ref).slice('#/components/schemas/'.length)

/** What a reference stands for. */
export const defined = (json: Json): Json => (json.$ref === undefined ? json : (NAMED.get(nameOf(json)) ?? {}))
