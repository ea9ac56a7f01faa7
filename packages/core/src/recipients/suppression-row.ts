import type { Dependencies } from '../dependencies.ts'
import type { Instant } from '../instant.ts'
import { readAll } from '../read-all.ts'
import { parseEmailAddress } from '../subscriptions/email-address.ts'
import { parseFileTime } from '../transfer/file-time.ts'
import { identifierOf, textOf } from '../transfer/import-row.ts'
import type { FileRow } from '../transfer/record-formats.ts'
import { ifReadable, type UnreadValue, withoutNothings } from '../transfer/unread-values.ts'
import { type CauseReading, MEANING, type SuppressionMeaning } from './suppression-cause.ts'

/** Every field of a row that means something. */
export const SUPPRESSION_FIELDS = ['email', 'cause', 'at'] as const

/** A row that was read and found good. */
export interface SuppressionRow {
  readonly addressKey: string
  readonly meaning: SuppressionMeaning
  readonly at: Instant
  /** A time that could not be read, and is left out: the address must get no mail all the same. */
  readonly unread: readonly UnreadValue[]
}

interface Means extends Pick<Dependencies, 'clock' | 'domainNames'> {
  readonly causes: CauseReading
}

/** @throws {InvalidInput} with all problems of the row */
export const suppressionRow = (file: FileRow, { causes, clock, domainNames }: Means): SuppressionRow => {
  const now = clock.now()
  const { row, unread } = withoutNothings(file)
  const { address, cause, at } = readAll({
    address: () => parseEmailAddress(identifierOf(row, 'email'), domainNames),
    cause: () => causes.read(textOf(row, 'cause'), file.others),
    at: () => ifReadable(row, 'at', unread, () => parseFileTime(textOf(row, 'at'), 'at', now)),
  })
  return { addressKey: address.key, meaning: MEANING[cause], at: Math.min(at ?? now, now), unread }
}
