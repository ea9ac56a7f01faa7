import type { SubscriptionId } from '../subscriptions/subscription-id.ts'

/** Which mails a transport that keeps its mails (files) still has of a subscription. */
export interface KeptMailStore {
  /** Adding one that is there already changes nothing: a mail may be sent twice. */
  add(id: SubscriptionId, messageId: string): Promise<void>
  list(id: SubscriptionId): Promise<readonly string[]>
}
