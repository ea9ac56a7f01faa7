import { closestName, type FieldProblem, MalformedRequest, memberNames } from '@rollcall/core'
import * as v from 'valibot'
import { defined, jsonOf, membersOf, prefixOf, type Schema } from '../operation/schema.ts'

type FieldsKind = 'form' | 'json' | 'none'

/** What was read: if there are problems, as far as it could be. */
export interface Reading<T> {
  readonly value: T
  readonly problems: readonly FieldProblem[]
}

/** The fields of a body or a query, in any syntax. */
export class Fields {
  readonly kind: FieldsKind
  readonly #values = new Map<string, unknown>()
  #repeated: Set<string> | undefined = undefined

  constructor(kind: FieldsKind, entries: Iterable<readonly [string, unknown]>) {
    this.kind = kind
    for (const [name, value] of entries) {
      if (this.#values.has(name)) {
        this.#repeated ??= new Set()
        this.#repeated.add(name)
      } else this.#values.set(name, value)
    }
  }

  text(name: string): string | undefined {
    const value = this.#repeated?.has(name) ? undefined : this.#values.get(name)
    return typeof value === 'string' ? value : undefined
  }

  /** The words in a field of a form; undefined if there is none. */
  words(name: string): readonly string[] | undefined {
    const text = this.text(name)
    return text === undefined ? undefined : wordsIn(text)
  }

  /** Reads the members of the schema; other names are ignored. With `nulls`, what is null stays so. */
  read<T>(schema: Schema<T>, { nulls = false }: { readonly nulls?: boolean } = {}): Reading<T> {
    const value: Record<string, unknown> = {}
    const problems: FieldProblem[] = []
    const members = membersOf(schema)
    const { required } = jsonOfForm(schema)
    for (const name in members) {
      const member = members[name] as Schema
      const given = this.#values.get(name) ?? (nulls ? this.#values.get(name) : undefined)
      if (this.#repeated?.has(name)) problems.push({ field: name, message: 'Give this field once.' })
      else if (given !== undefined) {
        const result = v.safeParse(member, typeof given === 'string' ? this.#decoded(given, member) : given)
        if (result.success) value[name] = result.output
        else problems.push(...problemsIn(name, given, result.issues))
      } else if (required.includes(name)) problems.push({ field: name, message: 'Give this field.' })
    }
    const prefix = prefixOf(schema)
    if (prefix !== undefined) value.fields = this.#withPrefix(prefix)
    return { value: value as T, problems }
  }

  /** A problem for each field that is none of these: without it, a misspelt `dry_run` would be a real run. */
  unknownTo(known: readonly string[]): FieldProblem[] {
    return [...this.#values.keys()]
      .filter((name) => !known.includes(name))
      .map((field) => ({
        field,
        message: `There is no such ${this.kind === 'json' ? 'field' : 'parameter'} here. ${adviceOn(field, known)}`,
      }))
  }

  /**
   * What fields of such a name hold, whatever their type, by what follows the prefix. One that came twice holds a list,
   * which is refused by the core if a feed declares the field.
   */
  #withPrefix(prefix: string): Readonly<Record<string, unknown>> {
    const found: [string, unknown][] = []
    for (const [name, value] of this.#values)
      if (name.startsWith(prefix))
        found.push([name.slice(prefix.length), this.#repeated?.has(name) ? [value] : (value ?? undefined)])
    return Object.fromEntries(found)
  }

  /** A form has texts alone: the word `true`, words with spaces between them, or JSON. */
  #decoded(text: string, schema: Schema): unknown {
    if (this.kind !== 'form') return text
    const { items, type } = jsonOf(schema)
    const types = [type].flat()
    if (types.includes('boolean')) return text === 'true' || (text === 'false' ? false : text)
    if (types.includes('array')) return isOfWords(items) ? wordsIn(text) : jsonIn(text, [])
    return types.includes('object') ? jsonIn(text, {}) : text
  }
}

const jsonOfForm = (schema: Schema) => defined(jsonOf(schema)) as { readonly required: readonly string[] }

/** Whether such items are words in a form. */
export const isOfWords = (items: unknown): boolean =>
  defined(items as object as Record<string, unknown>).type !== 'object'

const wordsIn = (text: string): readonly string[] => text.split(' ').filter((word) => word !== '')

const jsonIn = (text: string, empty: object): unknown => {
  try {
    return text.trim() === '' ? empty : JSON.parse(text)
  } catch {
    return text
  }
}

/** At most one of each field. The item of a list of words has no name of its own. */
const problemsIn = (name: string, given: unknown, issues: readonly v.BaseIssue<unknown>[]): FieldProblem[] => {
  if (given === null) return [{ field: name, message: 'Give a value, or leave the field out: it cannot be removed.' }]
  const found = new Map<string, string>()
  for (const { path = [], type, message } of issues) {
    const keys = path.map(({ key }) => String(key))
    if ((type === 'string' || type === 'picklist') && /^\d+$/.test(keys.at(-1) ?? '')) keys.pop()
    const field = [name, ...keys].join('.')
    if (!found.has(field)) found.set(field, message)
  }
  return Array.from(found, ([field, message]) => ({ field, message }))
}

const adviceOn = (name: string, known: readonly string[]): string => {
  const meant = closestName(name.toLowerCase(), known, name.length / 2)
  if (meant !== undefined) return `Did you mean '${meant}'?`
  // Whoever leaves out a dry run that there is not makes a real one.
  return known.length === 0 ? 'Leave it out.' : `Use only these: ${known.join(', ')}.`
}

export const NO_FIELDS = new Fields('none', [])

/** The fields of a form; any text is a valid form. */
export const fieldsOfForm = (binary: string): Fields => new Fields('form', formEntries(binary))

/** The fields of a query string, without the question mark. */
export const fieldsOfQuery = (query: string): Fields =>
  query === '' ? NO_FIELDS : new Fields('form', formEntries(query))

// Bytes beyond ASCII become percent escapes, because the parser has to decode bytes, not characters.
const NON_ASCII = /[\u0080-\u00ff]/
const EACH_NON_ASCII = new RegExp(NON_ASCII, 'g')
const escapeByte = (byte: string): string => `%${byte.charCodeAt(0).toString(16)}`

/**
 * The names and values of a form or a query, flat and in order. Never fails: invalid escapes stay as they are, and bytes
 * that are not UTF-8 become U+FFFD.
 * @param binary one character per byte
 * @see https://url.spec.whatwg.org/#concept-urlencoded-parser
 */
export const formEntries = (binary: string): Iterable<[string, string]> =>
  // The ampersand keeps URLSearchParams from dropping a leading question mark; it ignores the empty pair.
  new URLSearchParams(`&${NON_ASCII.test(binary) ? binary.replace(EACH_NON_ASCII, escapeByte) : binary}`)

const utf8 = new TextDecoder('utf-8', { fatal: true })

/**
 * The fields of a JSON object; a repeated name counts as repeated, as in a form.
 * @throws {MalformedRequest} it is not UTF-8, not JSON, or not an object
 */
export const fieldsOfJson = (bytes: Uint8Array): Fields => {
  const { text, value } = parse(bytes)
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new MalformedRequest('Send a JSON object, such as {"email": "name@example.com"}.')
  const object = value as Readonly<Record<string, unknown>>
  return new Fields(
    'json',
    memberNames(text).map((name) => [name, object[name]]),
  )
}

const parse = (bytes: Uint8Array): { text: string; value: unknown } => {
  try {
    const text = utf8.decode(bytes)
    return { text, value: JSON.parse(text) }
  } catch {
    throw new MalformedRequest('The body is not JSON in UTF-8. Correct it and send it again.')
  }
}
