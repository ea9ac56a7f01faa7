import { InvalidInput } from '../errors.ts'
import { CsvRecord } from './csv.ts'
import type { FieldNames } from './record-formats.ts'
import type { StatusMeanings } from './status-reading.ts'

// What an import is told of a file, each in one text, as a query or a form has it.

const refused = (field: string, message: string): InvalidInput => new InvalidInput([{ field, message }])

/**
 * Reads `email:E-Mail,name:Full Name`. The name of a column may contain commas and colons.
 * @throws {InvalidInput}
 */
export const parseFieldNames = (text: string | undefined): FieldNames => {
  // Without a prototype: a field may be called as what every object inherits.
  const names: Record<string, string> = Object.create(null)
  for (const pair of text?.split(/,(?=[a-z_]+:)/) ?? []) {
    const [, field = '', name = ''] = /^([a-z_]+):(.+)$/.exec(pair) ?? []
    if (field === '' || Object.hasOwn(names, field))
      throw refused('map', 'Use the form email:E-Mail,name:Full%20Name, with each field once.')
    names[field] = name
  }
  return names
}

export const fieldNamesText = (names: FieldNames = {}): string | undefined =>
  textOf(Object.entries(names).map(([field, name]) => `${field}:${name}`))

/**
 * Reads `unsubscribed:ended,active:confirmed`. A word may contain commas and colons.
 * @throws {InvalidInput}
 */
export const parseStatusMeanings = (text: string | undefined): StatusMeanings => {
  const meanings = new Map<string, string>()
  for (const pair of text?.split(/(?<=:(?:pending|confirmed|ended)),/) ?? []) {
    const [, word, status] = /^(.*):(pending|confirmed|ended)$/s.exec(pair) ?? []
    if (word === undefined || status === undefined || meanings.has(word))
      throw refused('status', 'Use the form unsubscribed:ended,active:confirmed, with each word once.')
    meanings.set(word, status)
  }
  return Object.fromEntries(meanings)
}

export const statusMeaningsText = (meanings: StatusMeanings = {}): string | undefined =>
  textOf(Object.entries(meanings).map(([word, status]) => `${word}:${status}`))

/**
 * Reads `notes,"Tags, all"`: names of columns as the first line of CSV has them.
 * @throws {InvalidInput}
 */
export const parseColumns = (text: string | undefined): readonly string[] => {
  if (text === undefined) return []
  const record = new CsvRecord(',')
  if (record.take(text) === undefined && !record.open && record.fields.every((name) => name.trim() !== ''))
    return record.fields
  throw refused('ignore', 'Name columns as in notes,tags; put a name that holds a comma in quotes.')
}

export const columnsText = (columns: readonly string[] = []): string | undefined =>
  textOf(columns.map((name) => (/[",]/.test(name) ? `"${name.replaceAll('"', '""')}"` : name)))

const textOf = (parts: readonly string[]): string | undefined => (parts.length === 0 ? undefined : parts.join(','))
