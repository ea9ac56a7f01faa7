import { badRequest } from './scim-error.ts'

export interface Condition {
  /** In lower case, without the URN of a schema. */
  readonly attribute: string
  readonly value: string | boolean
}

const CONDITION = /\s*([\w:.$-]+)\s+(\w+)(?:\s+("(?:[^"\\]|\\.)*"|[\w.+@:/-]+))?/y
const AND = /\s+and(?=\s)/iy

const CORE = /^urn:ietf:params:scim:schemas:core:2\.0:user:/i

/** The name or path of an attribute without the URN of the core schema. */
export const withoutSchema = (path: string): string => path.trim().replace(CORE, '')

/** The same, as it is compared. */
export const attributeName = (name: string): string => withoutSchema(name).toLowerCase()

/**
 * The conditions of a filter, all of which must hold: `attribute eq value`, joined by `and`.
 * @throws {ScimError} it has another form
 * @see RFC 7644 section 3.4.2.2
 */
export const parseFilter = (filter: string): readonly Condition[] => {
  const conditions: Condition[] = []
  for (let place = 0; ; ) {
    CONDITION.lastIndex = place
    const [found, name = '', operator = '', value] = CONDITION.exec(filter) ?? []
    if (found === undefined || operator.toLowerCase() !== 'eq' || value === undefined) throw notUnderstood()
    conditions.push({ attribute: attributeName(name), value: readValue(value) })
    place = CONDITION.lastIndex
    if (filter.slice(place).trim() === '') return conditions
    AND.lastIndex = place
    if (!AND.test(filter)) throw notUnderstood()
    place = AND.lastIndex
  }
}

/** A word without quotes is a text: so Microsoft's documentation shows filters. */
const readValue = (value: string): string | boolean => {
  if (/^(?:true|false)$/i.test(value)) return value.toLowerCase() === 'true'
  if (!value.startsWith('"') && !/^null$/i.test(value)) return value
  try {
    const text: unknown = JSON.parse(value)
    if (typeof text === 'string') return text
  } catch {
    // An escape that JSON does not have.
  }
  throw notUnderstood()
}

const notUnderstood = () =>
  badRequest('invalidFilter', "Filter by 'attribute eq \"value\"', and join several conditions by 'and'.")

/** What users are looked for by. */
interface UserFilter {
  userName?: string
  externalId?: string
  suspended?: boolean
}

/** @throws {ScimError} users are not looked for by that */
export const parseUserFilter = (filter: string): Readonly<UserFilter> => {
  const found: UserFilter = {}
  for (const { attribute, value } of parseFilter(filter)) {
    const name = FILTERED.get(attribute)
    if (name === undefined)
      throw badRequest('invalidFilter', `Filter by userName, externalId or active, and not by '${attribute}'.`)
    if (found[name] !== undefined) throw badRequest('invalidFilter', 'Name each attribute once.')
    if (name === 'suspended') found.suspended = !asFlag(value, 'active')
    else if (typeof value === 'string') found[name] = value
    else throw badRequest('invalidFilter', `Give a text in quotes for ${name}.`)
  }
  return found
}

const FILTERED: ReadonlyMap<string, keyof UserFilter> = new Map([
  ['username', 'userName'],
  ['externalid', 'externalId'],
  ['active', 'suspended'],
])

/**
 * Entra ID writes it as a text, with a capital.
 * @throws {ScimError} it is neither true nor false
 */
export const asFlag = (value: unknown, name: string): boolean => {
  if (typeof value === 'boolean') return value
  if (typeof value === 'string' && /^(?:true|false)$/i.test(value)) return value.toLowerCase() === 'true'
  throw badRequest('invalidValue', `Give true or false for ${name}.`)
}
