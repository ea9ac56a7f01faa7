/** A JSON Schema, as far as the OpenAPI document uses it. */
export interface JsonSchema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly items?: JsonSchema
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
  /** Of names that begin alike, what a form may give for them. */
  readonly patternProperties?: Readonly<Record<string, JsonSchema>>
  readonly oneOf?: readonly JsonSchema[]
  readonly anyOf?: readonly JsonSchema[]
  readonly description?: string
}

const PLAIN: Readonly<Record<string, string>> = {
  array: 'readonly unknown[]',
  boolean: 'boolean',
  integer: 'number',
  null: 'null',
  number: 'number',
  object: 'Readonly<Record<string, unknown>>',
  string: 'string',
}

/** `Jane` of `#/components/schemas/Jane`. */
export const nameIn = ($ref: string): string => $ref.slice($ref.lastIndexOf('/') + 1)

const union = (types: readonly string[]): string => [...new Set(types)].join(' | ')

/** The TypeScript type of what fits the schema; a reference is the name of an interface or an alias. */
export const typeText = (schema: JsonSchema): string => {
  if (schema.$ref !== undefined) return nameIn(schema.$ref)
  if ('const' in schema) return literal(schema.const)
  if (schema.enum !== undefined) return union(schema.enum.map(literal))
  const choices = schema.oneOf ?? schema.anyOf
  if (choices !== undefined) return union(choices.map(typeText))
  return union([schema.type ?? []].flat().map((type) => typed(type, schema))) || 'unknown'
}

const typed = (type: string, { items, properties, required, patternProperties = {} }: JsonSchema): string => {
  if (type === 'array' && items !== undefined) return `readonly (${typeText(items)})[]`
  if (type !== 'object' || properties === undefined) return PLAIN[type] ?? 'unknown'
  const members = membersText(
    Object.entries(properties).map(([name, schema]) => {
      return { name, schema, isRequired: required?.includes(name) ?? false }
    }),
  )
  const patterns = Object.entries(patternProperties).map(([pattern, { description }]) => {
    const prefix = /^\^([a-z_]+)\[/.exec(pattern)?.[1]
    return `${commentText(description)}readonly [name: \`${prefix}\${string}\`]: string | number | boolean | null | undefined\n`
  })
  return members.replace(/\}$/, `${patterns.join('')}}`)
}

const literal = (value: unknown): string => JSON.stringify(value)

export interface Member {
  readonly name: string
  readonly schema: JsonSchema
  readonly isRequired: boolean
  readonly description?: string | undefined
}

export const commentText = (text: string | undefined): string =>
  text === undefined ? '' : `/** ${text.replaceAll('*/', '* /')} */\n`

const memberName = (name: string): string => (/^[\w$]+$/.test(name) ? name : JSON.stringify(name))

/** The members of an object, in braces; one that may be left out may also be undefined. */
export const membersText = (members: readonly Member[]): string => {
  const lines = members.map(({ name, schema, isRequired, description = schema.description }) => {
    const type = isRequired ? typeText(schema) : `${typeText(schema)} | undefined`
    return `${commentText(description)}readonly ${memberName(name)}${isRequired ? '' : '?'}: ${type}\n`
  })
  return `{\n${lines.join('')}}`
}
