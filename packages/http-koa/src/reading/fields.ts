import { type FieldProblem, InvalidInput, MalformedRequest, memberNames } from '@rollcall/core'

type FieldsKind = 'form' | 'json' | 'none'

/** The fields of a body or a query, in any syntax. Unknown names are ignored. */
export class Fields {
  readonly kind: FieldsKind
  readonly #values = new Map<string, unknown>()
  #repeated: Set<string> | undefined = undefined
  readonly #problems: FieldProblem[] = []

  constructor(kind: FieldsKind, entries: Iterable<readonly [string, unknown]>) {
    this.kind = kind
    for (const [name, value] of entries) {
      if (this.#values.has(name)) {
        this.#repeated ??= new Set()
        this.#repeated.add(name)
      } else this.#values.set(name, value)
    }
  }

  /** One text; undefined if it is absent, or if `assertGood` will report what is wrong with it. */
  text(name: string): string | undefined {
    const value = this.#one(name)
    if (value === undefined || typeof value === 'string') return value
    return this.#refuse(name, 'Give a text.')
  }

  /** As `text`, but required. */
  requiredText(name: string): string {
    const text = this.text(name)
    if (text === undefined) this.#refuse(name, 'Give this field.')
    return text ?? ''
  }

  /** Several texts: an array in JSON, one space-separated field in a form. Required, but may be empty. */
  requiredTexts(name: string): readonly string[] {
    const value = this.#one(name)
    if (value === undefined) this.#refuse(name, 'Give this field.')
    else if (this.kind === 'form' && typeof value === 'string') return value.split(' ').filter((word) => word !== '')
    else if (isTexts(value)) return value
    else this.#refuse(name, 'Give a list of texts.')
    return []
  }

  /** As `requiredTexts`; undefined if it is absent. */
  texts(name: string): readonly string[] | undefined {
    return this.#one(name) === undefined ? undefined : this.requiredTexts(name)
  }

  /** Values of any kind: an array in JSON, in a form the text of one; undefined if it is absent. */
  items(name: string): readonly unknown[] | undefined {
    const value = this.#one(name)
    if (value === undefined) return undefined
    const items = this.kind === 'form' && typeof value === 'string' ? jsonIn(value, []) : value
    return Array.isArray(items) ? items : this.#refuse(name, 'Give a list.')
  }

  /** An object: in a form, the text of one; undefined if it is absent. */
  object(name: string): object | undefined {
    const value = this.#one(name)
    if (value === undefined) return undefined
    const object = this.kind === 'form' && typeof value === 'string' ? jsonIn(value, {}) : value
    const isObject = typeof object === 'object' && object !== null && !Array.isArray(object)
    return isObject ? object : this.#refuse(name, 'Give an object.')
  }

  /** What fields of such a name hold, whatever their type, by what follows the prefix. */
  withPrefix(prefix: string): Readonly<Record<string, unknown>> {
    const found: [string, unknown][] = []
    for (const name of this.#values.keys())
      if (name.startsWith(prefix)) found.push([name.slice(prefix.length), this.#one(name)])
    return Object.fromEntries(found)
  }

  /** A list of anything, in JSON alone. Required, but may be empty. */
  requiredList(name: string): readonly unknown[] {
    const value = this.#one(name)
    if (Array.isArray(value)) return value
    this.#refuse(name, value === undefined ? 'Give this field.' : 'Give a list.')
    return []
  }

  /** A boolean, as the word `true` or `false` in a form; undefined if it is absent. */
  flag(name: string): boolean | undefined {
    const value = this.#one(name)
    if (value === undefined || typeof value === 'boolean') return value
    if (this.kind === 'form' && (value === 'true' || value === 'false')) return value === 'true'
    return this.#refuse(name, 'Give true or false.')
  }

  /** A whole number in JSON; undefined if it is absent. */
  number(name: string): number | undefined {
    const value = this.#one(name)
    if (value === undefined || (Number.isSafeInteger(value) && Number(value) >= 0)) return value as number | undefined
    return this.#refuse(name, 'Give a whole number.')
  }

  /** A whole number in a query; undefined if it is absent. */
  count(name: string): number | undefined {
    const text = this.text(name)
    if (text === undefined) return undefined
    if (/^\d{1,15}$/.test(text)) return Number(text)
    return this.#refuse(name, 'Give a whole number.')
  }

  /** One of a closed set; undefined if it is absent. */
  choice<T extends string>(name: string, choices: readonly T[]): T | undefined {
    const text = this.text(name)
    const choice = choices.find((one) => one === text)
    if (text !== undefined && choice === undefined) this.#refuse(name, `Use one of these: ${choices.join(', ')}.`)
    return choice
  }

  /** Whether a merge patch takes the field away (RFC 7396). */
  isNull(name: string): boolean {
    return this.#values.get(name) === null && !this.#repeated?.has(name)
  }

  /** The same for a field that cannot be without a value. */
  refuseNull(name: string): void {
    if (this.isNull(name)) this.#refuse(name, 'Give a value, or leave the field out: it cannot be removed.')
  }

  /** @throws {InvalidInput} a requested field is missing, came twice, or has the wrong type */
  assertGood(): void {
    if (this.#problems.length > 0) throw new InvalidInput(this.#problems)
  }

  #one(name: string): unknown {
    if (this.#repeated?.has(name)) return this.#refuse(name, 'Give this field once.')
    return this.#values.get(name) ?? undefined
  }

  /** Keeps the first problem of each field. */
  #refuse(name: string, message: string): undefined {
    if (!this.#problems.some(({ field }) => field === name)) this.#problems.push({ field: name, message })
  }
}

const jsonIn = (text: string, empty: object): unknown => {
  try {
    return text.trim() === '' ? empty : JSON.parse(text)
  } catch {
    return undefined
  }
}

const isTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'string')

/** A new object each time, because it remembers the problems of its fields. */
export const noFields = (): Fields => new Fields('none', [])

/** The fields of a form; any text is a valid form. */
export const fieldsOfForm = (binary: string): Fields => new Fields('form', formEntries(binary))

/** The fields of a query string, without the question mark. */
export const fieldsOfQuery = (query: string): Fields => new Fields('form', query === '' ? [] : formEntries(query))

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
