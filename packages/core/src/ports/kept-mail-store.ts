import type { SubscriptionId } from '../subscriptions/subscription-id.ts'

/** Which mails a transport that keeps its mails (files) still has of a subscription. */
export interface KeptMailStore {
  add(id: SubscriptionId, messageId: string): Promise<void>
  list(id: SubscriptionId): Promise<readonly string[]>
}
