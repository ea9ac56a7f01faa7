import { type Instant, InvalidInput } from '@rollcall/core'
import { unexpectedAnswer } from './unexpected-answer.ts'

/** A JSON object that a server sent, read member by member: whatever is not as it should be is refused by its name. */
export class Told {
  readonly #members: Readonly<Record<string, unknown>>

  /** @throws {CliError} it is no object */
  constructor(value: unknown, what = 'answer') {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) throw unexpectedAnswer(`'${what}'`)
    this.#members = { ...value }
  }

  has(name: string): boolean {
    return this.#members[name] !== undefined && this.#members[name] !== null
  }

  text(name: string): string {
    const value = this.#members[name]
    if (typeof value === 'string') return value
    throw unexpectedAnswer(`'${name}'`)
  }

  optionalText(name: string): string | undefined {
    return this.has(name) ? this.text(name) : undefined
  }

  /** A text as `parse` takes it, which throws InvalidInput where it does not. */
  parsed<T>(name: string, parse: (text: string) => T): T {
    const text = this.text(name)
    try {
      return parse(text)
    } catch (error) {
      throw error instanceof InvalidInput ? unexpectedAnswer(`'${name}'`) : error
    }
  }

  number(name: string): number {
    const value = this.#members[name]
    if (typeof value === 'number' && Number.isSafeInteger(value)) return value
    throw unexpectedAnswer(`'${name}'`)
  }

  flag(name: string): boolean {
    const value = this.#members[name]
    if (typeof value === 'boolean') return value
    throw unexpectedAnswer(`'${name}'`)
  }

  instant(name: string): Instant {
    const at = Date.parse(this.text(name))
    if (Number.isNaN(at)) throw unexpectedAnswer(`'${name}'`)
    return at
  }

  optionalInstant(name: string): Instant | undefined {
    return this.has(name) ? this.instant(name) : undefined
  }

  object(name: string): Told {
    return new Told(this.#members[name], name)
  }

  list(name: string): readonly Told[] {
    return this.#array(name).map((item) => new Told(item, name))
  }

  texts(name: string): readonly string[] {
    return this.#array(name).map((item) => {
      if (typeof item === 'string') return item
      throw unexpectedAnswer(`'${name}'`)
    })
  }

  #array(name: string): readonly unknown[] {
    const value = this.#members[name]
    if (Array.isArray(value)) return value
    throw unexpectedAnswer(`'${name}'`)
  }
}
