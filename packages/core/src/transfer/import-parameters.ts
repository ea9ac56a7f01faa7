import { InvalidInput } from '../errors.ts'
import { type CauseMeanings, IMPORTED_CAUSES } from '../recipients/suppression-cause.ts'
import { SUBSCRIPTION_STATUSES } from '../subscriptions/subscription.ts'
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
  for (const pair of text?.split(/,(?=[a-z][a-z0-9_]*:)/) ?? []) {
    const [, field = '', name = ''] = /^([a-z][a-z0-9_]*):(.+)$/.exec(pair) ?? []
    if (field === '' || Object.hasOwn(names, field))
      throw refused('map', 'Use the form email:E-Mail,name:Full%20Name, with each field once.')
    names[field] = name
  }
  return names
}

export const fieldNamesText = (names: FieldNames = {}): string | undefined =>
  textOf(Object.entries(names).map(([field, name]) => `${field}:${name}`))

interface Meanings {
  readonly field: string
  readonly values: readonly string[]
  /** Whether a value may stand without a word: for rows that say nothing. */
  readonly alone: boolean
  readonly example: string
}

/** @throws {InvalidInput} a word is there twice, or means none of these */
const parseMeanings = (
  text: string | undefined,
  { field, values, alone, example }: Meanings,
): Readonly<Record<string, string>> => {
  const [ends, pairs] = [`(?:${values.join('|')})`, new Map<string, string>()]
  for (const one of text?.split(new RegExp(`(?<=${alone ? '(?:^|[,:])' : ':'}${ends}),`)) ?? []) {
    const [, word = alone ? '' : undefined, meaning] = new RegExp(`^(?:(.*):)?(${ends})$`, 's').exec(one) ?? []
    if (word === undefined || meaning === undefined || pairs.has(word))
      throw refused(field, `Use the form ${example}, with each word once.`)
    pairs.set(word, meaning)
  }
  return Object.fromEntries(pairs)
}

const meaningsText = (meanings: Readonly<Record<string, string>> = {}): string | undefined =>
  textOf(Object.entries(meanings).map(([word, meaning]) => `${word}:${meaning}`))

const STATUS = {
  field: 'status',
  values: SUBSCRIPTION_STATUSES,
  alone: false,
  example: 'unsubscribed:ended,active:confirmed',
}

/**
 * Reads `unsubscribed:ended,active:confirmed`. A word may contain commas and colons.
 * @throws {InvalidInput}
 */
export const parseStatusMeanings = (text: string | undefined): StatusMeanings => parseMeanings(text, STATUS)

export const statusMeaningsText: (meanings?: StatusMeanings) => string | undefined = meaningsText

const CAUSE = {
  field: 'cause',
  values: IMPORTED_CAUSES,
  alone: true,
  example: 'bounce, or HardBounce:bounce,Manual:blocked',
}

/**
 * Reads `HardBounce:bounce,Manual:blocked`; or `bounce`, for all rows that say none.
 * @throws {InvalidInput}
 */
export const parseCauseMeanings = (text: string | undefined): CauseMeanings => parseMeanings(text, CAUSE)

export const causeMeaningsText: (meanings?: CauseMeanings) => string | undefined = meaningsText

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
