const AFTER_QUOTE = 'Something follows a closing quote. Write a quote inside quotes twice.'

/** A CSV record in the making: it takes one line after another for as long as a quoted field is open. */
export class CsvRecord {
  readonly #separator: string
  readonly fields: string[] = []
  /** What the quoted field that is open has so far. */
  #open: string | undefined

  constructor(separator: string) {
    this.#separator = separator
  }

  /** Whether the record goes on in the next line. */
  get open(): boolean {
    return this.#open !== undefined
  }

  /** What is wrong with it; undefined if nothing is. */
  take(line: string): string | undefined {
    if (this.#open === undefined && !line.includes('"')) {
      this.fields.push(...line.split(this.#separator))
      return undefined
    }
    for (let start = 0; start <= line.length; ) {
      const end = this.#takeField(line, start)
      if (end === undefined) return undefined
      if (end < line.length && line[end] !== this.#separator) return AFTER_QUOTE
      start = end + 1
    }
    return undefined
  }

  /** Where the field ends; undefined where it goes on in the next line. */
  #takeField(line: string, start: number): number | undefined {
    if (this.#open !== undefined) return this.#takeQuoted(line, start, `${this.#open}\n`)
    if (line[start] === '"') return this.#takeQuoted(line, start + 1, '')
    const found = line.indexOf(this.#separator, start)
    const end = found === -1 ? line.length : found
    this.fields.push(line.slice(start, end))
    return end
  }

  #takeQuoted(line: string, start: number, before: string): number | undefined {
    let text = before
    for (let from = start; ; ) {
      const quote = line.indexOf('"', from)
      this.#open = quote === -1 ? text + line.slice(from) : undefined
      if (quote === -1) return undefined
      text += line.slice(from, quote)
      if (line[quote + 1] !== '"') {
        this.fields.push(text)
        return quote + 1
      }
      text += '"'
      from = quote + 2
    }
  }
}
