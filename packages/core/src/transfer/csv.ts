const AFTER_QUOTE = 'Something follows a closing quote. Write a quote inside quotes twice.'

/**
 * A CSV record in the making: it takes one line after another for as long as a quoted field is open.
 * @see RFC 4180 section 2
 */
export class CsvRecord {
  readonly #separator: string
  readonly fields: string[] = []
  /** The content so far of the open quoted field. */
  #open: string | undefined

  constructor(separator: string) {
    this.#separator = separator
  }

  /** Whether the record continues in the next line. */
  get open(): boolean {
    return this.#open !== undefined
  }

  /** The problem with it; undefined if there is no problem. */
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

  /** Where the field ends; undefined if it continues in the next line. */
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

// Characters that spreadsheets take for the beginning of a formula, or skip before one.
const FORMULA = /^[=+\-@\t\r]/
const NEEDS_QUOTES = /[",;\t\r\n]|^ | $/

/**
 * Values as a CSV row, with its end. A text that a spreadsheet would take for a formula gets an apostrophe in front; an
 * object is a cell of JSON, and null or undefined an empty one.
 * @see RFC 4180 section 2
 * @see https://owasp.org/www-community/attacks/CSV_Injection
 */
export const csvRow = (values: readonly unknown[]): string => `${values.map(cellOf).join(',')}\r\n`

const cellOf = (value: unknown): string => {
  if (value === null || value === undefined) return ''
  if (typeof value === 'string') return quotedIfNeeded(FORMULA.test(value) ? `'${value}` : value)
  return typeof value === 'object' ? quotedIfNeeded(JSON.stringify(value)) : `${value}`
}

const quotedIfNeeded = (text: string): string => (NEEDS_QUOTES.test(text) ? `"${text.replace(/"/g, '""')}"` : text)
