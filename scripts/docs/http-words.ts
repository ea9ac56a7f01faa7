import { nameIn } from '../client/type-text.ts'
import { code, inLine } from './markdown.ts'
import { DOCUMENT, SCHEMAS, type Schema } from './open-api.ts'

/** A field or a parameter: of several, what is the same of all. */
export const itemText = (names: readonly string[], type: string, description: string): string => {
  const told = [type, inLine(description)].filter((text) => text !== '').join('. ')
  return `- ${names.map(code).join(', ')}${told === '' ? '' : `: ${told}`}`
}

const LIST = new Set(['items', 'next', 'previous'])

/** Of a list its records, and what else it has; undefined of anything else. */
export const listText = ({ properties = {} }: Schema): string | undefined => {
  if (properties.items === undefined || properties.next === undefined) return undefined
  const others = Object.entries(properties).filter(([name]) => !LIST.has(name))
  const more = others.map(([name, { description = '' }]) => `, with ${code(`${name}?`)} (${description.slice(0, -1)})`)
  return `a list of ${typeText(properties.items.items ?? {})}${more.join('')}`
}

const ENCODED = /Encoded$/

/** In words: a reference is a link to the record; a plain text has none. */
export const typeText = (schema: Schema): string => {
  if (schema.$ref !== undefined) return referenceText(nameIn(schema.$ref).replace(ENCODED, ''))
  if ('const' in schema) return code(String(schema.const))
  if (String(schema.enum) === TYPES_OF_EVENTS) return '[type of event](events.md)'
  if (schema.enum !== undefined) return `${schema.enum.map(valueText).join(', ')}${more(schema)}`
  const choices = (schema.oneOf ?? schema.anyOf) as readonly Schema[] | undefined
  if (choices !== undefined) return [...new Set(choices.map((one) => typeText(one) || 'text'))].join(' or ')
  if (schema.format === 'idn-email') return 'address'
  if (schema.format === 'date-time') return [schema.type].flat().includes('null') ? 'time or null' : 'time'
  const types = [schema.type ?? 'any'].flat().map((type) => {
    if (type === 'array') return `list of ${typeText(schema.items ?? {}) || 'text'}`
    return type === 'string' ? 'text' : type
  })
  const text = types.join(' or ') + more(schema)
  return text === 'text' ? '' : text
}

const valueText = (value: unknown): string => code(String(value))

/** They are on a page of their own. */
const TYPES_OF_EVENTS = String(SCHEMAS.Event?.properties?.type?.enum)

const referenceText = (record: string): string => {
  const schema = SCHEMAS[record]
  if (record === 'Event') return '[Event](events.md)'
  if (schema === undefined || schema.enum !== undefined) return record
  if (schema.properties === undefined) return typeText(schema)
  if (Object.keys(schema.properties).join() === 'message') return `a ${code('message')}`
  const list = listText(schema)
  return list ?? `[${record}](#${anchorOf(record)})`
}

/** Its anchor must not be that of a section. */
export const headingOf = (record: string): string => (SECTIONS.has(record) ? `${record} as a record` : record)

const SECTIONS = new Set(DOCUMENT.tags.map(({ name }) => name))

const anchorOf = (record: string): string =>
  headingOf(record)
    .toLowerCase()
    .replaceAll(/[^a-z-]+/g, '-')

const more = ({ format, default: preset, minimum, maximum, maxLength, minItems = 0, maxItems }: Schema): string => {
  const facts = [
    format,
    minimum !== undefined && maximum !== undefined && maximum < 1e9 ? `${minimum} to ${maximum}` : undefined,
    maxLength === undefined ? undefined : `at most ${maxLength} characters`,
    maxItems === undefined ? undefined : `${minItems} to ${maxItems} items`,
    preset === undefined ? undefined : `default ${JSON.stringify(preset).replaceAll('"', '`')}`,
  ].filter((fact) => fact !== undefined)
  return facts.length > 0 ? ` (${facts.join(', ')})` : ''
}
