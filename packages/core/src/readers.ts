import type { AccessTokenReader } from './access-tokens/access-token-store.ts'
import type { AuditReader } from './audit/audit-store.ts'
import type { ConsoleSessionReader } from './console/console-session.ts'
import type { DeletionRunReader } from './console/deletion-run.ts'
import type { EventReader } from './events/event-store.ts'
import type { DeliverabilityReader } from './feedback/deliverability-store.ts'
import type { FeedbackReader } from './feedback/feedback-store.ts'
import type { FeedReader } from './feeds/feed.ts'
import type { MoveReader } from './moves/move-store.ts'
import type { NumberReader } from './numbers/number-store.ts'
import type { OutboxReader } from './outbox/outbox-store.ts'
import type { SignUpGroupReader } from './sign-up/sign-up-group-store.ts'
import type { RequestReader } from './sign-up/waiting-request.ts'
import type { SubscriptionReader } from './subscriptions/subscription.ts'
import type { SuppressionReader } from './suppressions/suppression-store.ts'
import type { HeldUserReader, TombstoneReader, UserReader } from './users/user.ts'
import type { WebhookReader } from './webhooks/webhook.ts'
import type { WebhookDeliveryReader } from './webhooks/webhook-delivery-store.ts'

/**
 * Reading outside a unit of work: sees what is committed, at once and whole, and nothing else; each call for itself.
 * Everything here throws `Unavailable` while storage is down.
 */
export interface Readers {
  readonly accessTokens: AccessTokenReader
  readonly audit: AuditReader
  readonly deliverability: DeliverabilityReader
  readonly consoleSessions: ConsoleSessionReader
  readonly deletionRuns: DeletionRunReader
  readonly events: EventReader
  readonly feedback: FeedbackReader
  readonly feeds: FeedReader
  readonly heldUsers: HeldUserReader
  readonly moves: MoveReader
  readonly numbers: NumberReader
  readonly outbox: OutboxReader
  readonly requests: RequestReader
  readonly signUpGroups: SignUpGroupReader
  readonly subscriptions: SubscriptionReader
  readonly suppressions: SuppressionReader
  readonly tombstones: TombstoneReader
  readonly users: UserReader
  readonly webhookDeliveries: WebhookDeliveryReader
  readonly webhooks: WebhookReader
}
