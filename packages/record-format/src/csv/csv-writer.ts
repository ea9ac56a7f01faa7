import type { RecordWriter } from '@rollcall/core'

// What spreadsheets take for the beginning of a formula, or skip before one.
const FORMULA = /^[=+\-@\t\r]/
const NEEDS_QUOTES = /[",;\t\r\n]|^ | $/

/** @see RFC 4180 */
export const csvWriter = (fields: readonly string[]): RecordWriter => ({
  head: `${fields.map(cellOfText).join(',')}\r\n`,
  // Joined, not added piece by piece: a text in thousands of pieces costs more to collect than it does to make.
  text: (records) => records.map((record) => rowOf(record as Readonly<Record<string, unknown>>, fields)).join(''),
})

const rowOf = (record: Readonly<Record<string, unknown>>, fields: readonly string[]): string =>
  `${fields.map((field) => cellOf(record[field])).join(',')}\r\n`

const cellOf = (value: unknown): string => {
  if (value === null || value === undefined) return ''
  if (typeof value === 'string') return cellOfText(value)
  return typeof value === 'object' ? quotedIfNeeded(JSON.stringify(value)) : `${value}`
}

const cellOfText = (text: string): string => quotedIfNeeded(FORMULA.test(text) ? `'${text}` : text)

const quotedIfNeeded = (text: string): string => (NEEDS_QUOTES.test(text) ? `"${text.replace(/"/g, '""')}"` : text)
