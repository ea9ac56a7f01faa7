import { type Instant, MINUTE } from '../instant.ts'
import type { ConsentAction, ConsentRecord } from './consent.ts'
import type { SubscriptionId } from './subscription-id.ts'

/** The append-only ledger of what a person agreed to, per subscription; goes with the subscription. */
export interface ConsentStore {
  append(id: SubscriptionId, record: ConsentRecord): Promise<void>
  last(id: SubscriptionId): Promise<ConsentRecord | undefined>
  /** Adds one to the last record's count; nothing else about a record ever changes. */
  countRepetition(id: SubscriptionId): Promise<void>
  /** In the order in which they were appended. */
  list(id: SubscriptionId): Promise<readonly ConsentRecord[]>
}

/** Appends the record; where it only repeats the last one, counts a repetition of that one. */
export const appendOrCount = async (
  consents: Pick<ConsentStore, 'append' | 'countRepetition' | 'last'>,
  id: SubscriptionId,
  record: ConsentRecord,
): Promise<void> => {
  if (repeats(await consents.last(id), record.deed, record.at)) await consents.countRepetition(id)
  else await consents.append(id, record)
}

/** Whether an action only repeats the last one: it is counted there, not recorded again. */
const repeats = (last: ConsentRecord | undefined, action: ConsentAction, now: Instant): boolean =>
  last !== undefined && last.deed === action && now - last.at < 10 * MINUTE
