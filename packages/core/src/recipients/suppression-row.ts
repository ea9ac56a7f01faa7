import type { Dependencies } from '../dependencies.ts'
import { InvalidInput } from '../errors.ts'
import { type Instant, parseTime } from '../instant.ts'
import { readAll } from '../read-all.ts'
import { parseEmailAddress } from '../subscriptions/email-address.ts'
import type { BlockCause } from '../subscriptions/suppression-store.ts'
import { parseOneOf } from '../text.ts'
import { hasFormulaApostrophe } from '../transfer/csv.ts'
import type { FileRow, RecordFormat } from '../transfer/record-formats.ts'

/** Every field of a row that means something. */
export const SUPPRESSION_FIELDS = ['email', 'cause', 'at'] as const

/** What lists of suppressed addresses say, and what it means here. */
const MEANING = {
  complaint: 'complaint',
  unsubscribed: 'blocked',
  blocked: 'blocked',
  bounce: 'undeliverable',
} as const satisfies Record<string, BlockCause | 'undeliverable'>

export const IMPORTED_CAUSES = [
  'complaint',
  'unsubscribed',
  'blocked',
  'bounce',
] as const satisfies readonly (keyof typeof MEANING)[]

/** A row that was read and found good. */
export interface SuppressionRow {
  readonly addressKey: string
  readonly meaning: BlockCause | 'undeliverable'
  readonly at: Instant
}

/** @throws {InvalidInput} with all problems of the row */
export const suppressionRow = (
  row: FileRow,
  format: RecordFormat,
  { clock, domainNames }: Pick<Dependencies, 'clock' | 'domainNames'>,
): SuppressionRow => {
  const now = clock.now()
  const { address, cause, at } = readAll({
    address: () => parseEmailAddress(plain(textOf(row, 'email'), format), domainNames),
    cause: () => parseOneOf('cause', textOf(row, 'cause').toLowerCase(), IMPORTED_CAUSES),
    at: () => parseTime(textOf(row, 'at'), 'at', now),
  })
  return { addressKey: address.key, meaning: MEANING[cause], at: Math.min(at ?? now, now) }
}

const textOf = ({ fields }: FileRow, field: (typeof SUPPRESSION_FIELDS)[number]): string => {
  const value = fields[field]
  if (value === undefined || value === null) return ''
  if (typeof value === 'string') return value.trim()
  throw new InvalidInput([{ field, message: 'Give a text.' }])
}

// Taken literally, it would be another person's address.
const plain = (email: string, format: RecordFormat): string => {
  if (format !== 'csv' || !hasFormulaApostrophe(email)) return email
  const message = 'Remove the apostrophe that keeps spreadsheets from taking the address for a formula, or use NDJSON.'
  throw new InvalidInput([{ field: 'email', message }])
}
