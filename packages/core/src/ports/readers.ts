import type { AuditReader } from './audit-store.ts'
import type { EventReader } from './event-store.ts'
import type { FeedReader } from './feed-store.ts'
import type { OutboxReader } from './outbox-store.ts'
import type { SignUpCountReader } from './sign-up-count-store.ts'
import type { SubscriptionReader } from './subscription-store.ts'
import type { SuppressionReader } from './suppression-store.ts'
import type { TombstoneReader } from './tombstone-store.ts'
import type { UserReader } from './user-store.ts'
import type { WebhookDeliveryReader } from './webhook-delivery-store.ts'
import type { WebhookReader } from './webhook-store.ts'

/**
 * Reading outside a unit of work: sees what is committed, at once and whole, and nothing else; each call for itself.
 * Everything here throws `Unavailable` while storage is down.
 */
export interface Readers {
  readonly audit: AuditReader
  readonly events: EventReader
  readonly feeds: FeedReader
  readonly outbox: OutboxReader
  readonly signUpCounts: SignUpCountReader
  readonly subscriptions: SubscriptionReader
  readonly suppressions: SuppressionReader
  readonly tombstones: TombstoneReader
  readonly users: UserReader
  readonly webhookDeliveries: WebhookDeliveryReader
  readonly webhooks: WebhookReader
}
