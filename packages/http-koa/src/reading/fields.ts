import { type FieldProblem, InvalidInput, memberNames } from '@rollcall/core'
import { formEntries } from './form-entries.ts'

export type FieldsKind = 'form' | 'json' | 'none'

/** The fields of a body or a query, in any syntax. Unknown names are ignored. */
export class Fields {
  readonly kind: FieldsKind
  readonly #values: ReadonlyMap<string, readonly unknown[]>
  readonly #problems: FieldProblem[] = []

  constructor(kind: FieldsKind, entries: Iterable<readonly [string, unknown]>) {
    const values = new Map<string, unknown[]>()
    for (const [name, value] of entries) {
      const known = values.get(name)
      if (known === undefined) values.set(name, [value])
      else known.push(value)
    }
    this.kind = kind
    this.#values = values
  }

  /** One text; undefined if it is absent, or if `assertGood` will report what is wrong with it. */
  text(name: string): string | undefined {
    const value = this.#one(name)
    if (value === undefined || typeof value === 'string') return value
    this.#problems.push({ field: name, message: 'Give a text.' })
    return undefined
  }

  /** As `text`, but required. */
  requiredText(name: string): string {
    const text = this.text(name)
    if (text === undefined) this.#missing(name)
    return text ?? ''
  }

  /** Several texts: an array in JSON, one space-separated field in a form. Required, but may be empty. */
  requiredTexts(name: string): readonly string[] {
    const value = this.#one(name)
    if (value === undefined) this.#missing(name)
    else if (this.kind === 'form' && typeof value === 'string') return value.split(' ').filter((word) => word !== '')
    else if (isTexts(value)) return value
    else this.#problems.push({ field: name, message: 'Give a list of texts.' })
    return []
  }

  /** As `requiredTexts`; undefined if it is absent. */
  texts(name: string): readonly string[] | undefined {
    return this.#one(name) === undefined ? undefined : this.requiredTexts(name)
  }

  /** A boolean, as the word `true` or `false` in a form; undefined if it is absent. */
  flag(name: string): boolean | undefined {
    const value = this.#one(name)
    if (value === undefined || typeof value === 'boolean') return value
    if (this.kind === 'form' && (value === 'true' || value === 'false')) return value === 'true'
    this.#problems.push({ field: name, message: 'Give true or false.' })
    return undefined
  }

  /** A whole number in a query; undefined if it is absent. */
  count(name: string): number | undefined {
    const text = this.text(name)
    if (text === undefined) return undefined
    if (/^\d{1,15}$/.test(text)) return Number(text)
    this.#problems.push({ field: name, message: 'Give a whole number.' })
    return undefined
  }

  /** One of a closed set; undefined if it is absent. */
  choice<T extends string>(name: string, choices: readonly T[]): T | undefined {
    const text = this.text(name)
    const choice = choices.find((one) => one === text)
    if (text !== undefined && choice === undefined)
      this.#problems.push({ field: name, message: `Use one of these: ${choices.join(', ')}.` })
    return choice
  }

  /** @throws {InvalidInput} a requested field is missing, came twice, or has the wrong type */
  assertGood(): void {
    if (this.#problems.length > 0) throw new InvalidInput(this.#problems)
  }

  #one(name: string): unknown {
    const values = this.#values.get(name)
    if (values === undefined) return undefined
    if (values.length === 1) return values[0] ?? undefined
    if (!this.#hasProblem(name)) this.#problems.push({ field: name, message: 'Give this field once.' })
    return undefined
  }

  #missing(name: string): void {
    if (!this.#hasProblem(name)) this.#problems.push({ field: name, message: 'Give this field.' })
  }

  #hasProblem(name: string): boolean {
    return this.#problems.some(({ field }) => field === name)
  }
}

const isTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'string')

/** A new object each time, because it remembers the problems of its fields. */
export const noFields = (): Fields => new Fields('none', [])

/** The fields of a form; any text is a valid form. */
export const fieldsOfForm = (binary: string): Fields => new Fields('form', formEntries(binary))

/** The fields of a JSON object; a repeated name counts as repeated, as in a form. */
export const fieldsOfJson = (text: string, object: Readonly<Record<string, unknown>>): Fields =>
  new Fields(
    'json',
    memberNames(text).map((name) => [name, object[name]]),
  )

/** The fields of a query string, without the question mark. */
export const fieldsOfQuery = (query: string): Fields => new Fields('form', query === '' ? [] : formEntries(query))
