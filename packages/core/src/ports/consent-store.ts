import type { ConsentRecord } from '../subscriptions/consent.ts'
import type { SubscriptionId } from '../subscriptions/subscription-id.ts'

/** The append-only ledger of what a person agreed to, per subscription; goes with the subscription. */
export interface ConsentStore {
  append(id: SubscriptionId, record: ConsentRecord): Promise<void>
  last(id: SubscriptionId): Promise<ConsentRecord | undefined>
  /** Adds one to the last record's count; nothing else about a record ever changes. */
  countRepetition(id: SubscriptionId): Promise<void>
  /** In the order in which they were appended. */
  list(id: SubscriptionId): Promise<readonly ConsentRecord[]>
}
