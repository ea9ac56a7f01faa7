const AS_FORMULA = /^="((?:[^"]|"")*)"$/
export const AFTER_QUOTE = 'Something follows a closing quote. Write a quote inside quotes twice.'

/**
 * A CSV record in the making: it takes one line after another for as long as a quoted field is open.
 * @see RFC 4180 section 2
 */
export class CsvRecord {
  readonly #separator: string
  readonly fields: string[] = []
  /** Of which fields an apostrophe was taken away: only who wrote them knows whether it was part of the text. */
  readonly disguised = new Set<number>()
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
    for (let start = 0; start <= line.length; ) {
      const end = this.#takeField(line, start)
      if (end === undefined) return undefined
      if (end < line.length && line[end] !== this.#separator) return AFTER_QUOTE
      start = end + 1
    }
    return undefined
  }

  /** The text that a row was given, without what keeps spreadsheets from changing it. */
  #push(text: string): void {
    const inner = AS_FORMULA.exec(text)?.[1]
    const given = inner === undefined ? armed(text) : inner.replaceAll('""', '"')
    if (inner === undefined && given !== text) this.disguised.add(this.fields.length)
    this.fields.push(given)
  }

  /** Where the field ends; undefined if it continues in the next line. */
  #takeField(line: string, start: number): number | undefined {
    if (this.#open !== undefined) return this.#takeQuoted(line, start, `${this.#open}\n`)
    if (line[start] === '"') return this.#takeQuoted(line, start + 1, '')
    const found = line.indexOf(this.#separator, start)
    const end = found === -1 ? line.length : found
    this.#push(line.slice(start, end))
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
        this.#push(text)
        return quote + 1
      }
      text += '"'
      from = quote + 2
    }
  }
}

// What spreadsheets take for the beginning of a formula; in East Asian languages also in full or small width.
const SIGNS = '=+\\-@＝＋－＠﹦﹢﹣﹫'

/** What separates cells: spreadsheets in languages that write 1,5 expect the semicolon. */
export type CsvSeparator = ',' | ';'

/** Where formulas begin in a file, for a spreadsheet that skips blanks, or divides rows at the other separator. */
interface Formulas {
  readonly begins: RegExp
  /** Also where there are apostrophes already: a reader would take one for ours. */
  readonly within: RegExp
  /** In a literal of JSON. */
  readonly quoted: RegExp
}

// To one that divides there, a quote in the middle of a cell does not count.
const begin = (separators: string): string => `(?:[${SIGNS}\\t\\r\\n]|[${separators}][${separators} "]*[${SIGNS}])`
const FORMULA = `[ "]*[${SIGNS}]`

const formulasBy = (own: CsvSeparator, other: CsvSeparator): Formulas => ({
  begins: new RegExp(`^${begin(other)}`),
  within: new RegExp(`(?<=[${other}\\t\\r\\n])(?='*${FORMULA})|(?<=${own})(?='+${FORMULA})`, 'g'),
  quoted: new RegExp(`((?:^|${other})[ "\\\\]*)([${SIGNS}])`, 'g'),
})

const FORMULAS: Readonly<Record<CsvSeparator, Formulas>> = { ',': formulasBy(',', ';'), ';': formulasBy(';', ',') }
/** What to do about an address or id that may have been another one. */
export const REMOVE_APOSTROPHE = 'Remove the apostrophe that keeps spreadsheets from taking this for a formula, or'
const NEEDS_QUOTES = /[",;\t\r\n]|^ | $/

/** Our apostrophes, whichever separator a spreadsheet has saved the file with. */
// Blanks and marks that are not seen may have come before it.
const DISGUISED = new RegExp(`^([^\\S\\t\\r\\n]|\\p{Default_Ignorable_Code_Point})*'+${begin(',;')}`, 'u')
const DISGUISED_WITHIN = new RegExp(`(?<=[,;\\t\\r\\n])'(?='*${FORMULA})`, 'g')

/** The text that `disarmed` was given. */
const armed = (text: string): string => {
  if (!text.includes("'")) return text
  const outside = text.replace(DISGUISED_WITHIN, '')
  return DISGUISED.test(outside) ? outside.replace("'", '') : outside
}

/**
 * Values as a CSV row, with its end. Whatever a spreadsheet would take for a formula gets an apostrophe in front, also
 * where it would begin a new cell there; so does what has one already, and a `CsvRecord` gives every text back. An object
 * is a cell of JSON, and null or undefined an empty one.
 * @see RFC 4180 section 2
 * @see https://owasp.org/www-community/attacks/CSV_Injection
 */
export const csvRow = (
  values: readonly unknown[],
  { excel = false, separator = ',' }: { readonly excel?: boolean; readonly separator?: CsvSeparator } = {},
): string => {
  const [cell, formulas] = [excel ? excelCellOf : cellOf, FORMULAS[separator]]
  return `${values.map((value) => cell(value, formulas)).join(separator)}\r\n`
}

/** What Excel would take for a number or a day, and write back as another. */
const LIKE_NUMBER = /^[\d.,+-][\d.,:/e+-]*$/i
/** A longer number is shown, and written back, as 8.12734E+15; a fraction may be taken for a day: 2.5 for 2 May. */
const LONGEST_NUMBER = 99_999_999_999
/** Excel takes no longer text in a formula. */
const LONGEST_TEXT = 250

/** A text that Excel would change is in a formula that gives it, and comes back as it is, also once Excel has saved it. */
const excelCellOf = (value: unknown, formulas: Formulas): string => {
  // Excel writes TRUE as WAHR or VRAI where people speak so.
  const isOther =
    typeof value === 'boolean' ||
    (typeof value === 'number' && (!Number.isInteger(value) || Math.abs(value) > LONGEST_NUMBER))
  const isText = typeof value === 'string' && (formulas.begins.test(value) || LIKE_NUMBER.test(value))
  const text = String(value)
  const isWhole = text.length <= LONGEST_TEXT && text.search(formulas.within) === -1 && !AS_FORMULA.test(text)
  const isWrapped = (isOther || isText) && isWhole
  return isWrapped ? quotedIfNeeded(`="${text.replaceAll('"', '""')}"`) : cellOf(value, formulas)
}

const cellOf = (value: unknown, formulas: Formulas): string => {
  if (value === null || value === undefined) return ''
  if (typeof value === 'string') return quotedIfNeeded(disarmed(value, formulas))
  return typeof value === 'object' ? quotedIfNeeded(disarmedJson(value, formulas)) : `${value}`
}

const disarmed = (text: string, { begins, within }: Formulas): string => {
  const inside = text.replace(within, "'")
  if (begins.test(text)) return `'${inside}`
  return DISGUISED.test(text) ? inside.replace("'", "''") : inside
}

const JSON_LITERAL = /"(?:[^"\\]|\\.)*"/g

// Outside of literals, a sign is that of a number. In one, a character that is written as its code is the same.
const disarmedJson = (value: object, { quoted }: Formulas): string =>
  JSON.stringify(value).replace(JSON_LITERAL, (literal) =>
    literal
      .replace(
        quoted,
        (_, before: string, sign: string) => `${before}\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
      )
      // It would be taken for ours.
      .replaceAll(/(?<=[,;])'/g, '\\u0027'),
  )

const quotedIfNeeded = (text: string): string => (NEEDS_QUOTES.test(text) ? `"${text.replace(/"/g, '""')}"` : text)

/**
 * What directories and spreadsheets write before the line that names the columns: `#TYPE ...` (Export-Csv of PowerShell),
 * `version:v1.0` (templates of Entra ID), `sep=;` (Excel), which says how fields are separated. Undefined if it is none.
 */
export const preambleIn = (line: string): { readonly separator?: string | undefined } | undefined => {
  const separator = /^\s*"?sep=([,;|\t])?"?\s*$/i.exec(line)
  if (separator !== null) return { separator: separator[1] }
  return /^\s*"?(?:#TYPE\s|version:v\d+(?:\.\d+)*"?[\s,;]*$)/i.test(line) ? {} : undefined
}
