import type { Dependencies } from '../dependencies.ts'
import { type Instant, parseTime } from '../instant.ts'
import { readAll } from '../read-all.ts'
import { parseEmailAddress } from '../subscriptions/email-address.ts'
import type { BlockCause } from '../subscriptions/suppression-store.ts'
import { parseOneOf } from '../text.ts'
import { textOf, withoutDisguise } from '../transfer/import-row.ts'
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

export const IMPORTED_CAUSES = Object.keys(MEANING) as readonly (keyof typeof MEANING)[]

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
    address: () => parseEmailAddress(withoutDisguise(textOf(row, 'email'), format), domainNames),
    cause: () => parseOneOf('cause', textOf(row, 'cause').toLowerCase(), IMPORTED_CAUSES),
    at: () => parseTime(textOf(row, 'at'), 'at', now),
  })
  return { addressKey: address.key, meaning: MEANING[cause], at: Math.min(at ?? now, now) }
}
