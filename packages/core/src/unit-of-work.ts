import type { AccessTokenStore } from './access-tokens/access-token-store.ts'
import type { AuditStore } from './audit/audit-store.ts'
import type { ConsoleSessionStore, LoginLinkStore } from './console/console-session.ts'
import type { DeletionRunStore } from './console/deletion-run.ts'
import type { EventStore } from './events/event-store.ts'
import type { DeliverabilityStore } from './feedback/deliverability-store.ts'
import type { FeedbackStore } from './feedback/feedback-store.ts'
import type { FeedStore } from './feeds/feed.ts'
import type { MoveStore } from './moves/move-store.ts'
import type { NumberStore } from './numbers/number-store.ts'
import type { MailCapStore } from './outbox/mail-cap.ts'
import type { KeptMailStore, OutboxStore } from './outbox/outbox-store.ts'
import type { ReminderStore } from './reminders/reminder-store.ts'
import type { SpentChallengeStore } from './sign-up/challenge-gate.ts'
import type { SignUpGroupStore } from './sign-up/sign-up-group-store.ts'
import type { RequestStore } from './sign-up/waiting-request.ts'
import type { ConsentStore } from './subscriptions/consent.ts'
import type { SubscriptionStore } from './subscriptions/subscription.ts'
import type { SuppressionStore } from './suppressions/suppression-store.ts'
import type { HeldUserStore, TombstoneStore, UserStore } from './users/user.ts'
import type { WebhookStore } from './webhooks/webhook.ts'
import type { WebhookDeliveryStore } from './webhooks/webhook-delivery-store.ts'

/** Everything that one unit of work may change together. */
export interface Stores {
  readonly accessTokens: AccessTokenStore
  readonly audit: AuditStore
  readonly consents: ConsentStore
  readonly consoleSessions: ConsoleSessionStore
  readonly deliverability: DeliverabilityStore
  readonly deletionRuns: DeletionRunStore
  readonly events: EventStore
  readonly feedback: FeedbackStore
  readonly feeds: FeedStore
  readonly heldUsers: HeldUserStore
  readonly keptMails: KeptMailStore
  readonly loginLinks: LoginLinkStore
  readonly mailCaps: MailCapStore
  readonly moves: MoveStore
  readonly numbers: NumberStore
  readonly outbox: OutboxStore
  readonly reminders: ReminderStore
  readonly requests: RequestStore
  readonly signUpGroups: SignUpGroupStore
  readonly spentChallenges: SpentChallengeStore
  readonly subscriptions: SubscriptionStore
  readonly suppressions: SuppressionStore
  readonly tombstones: TombstoneStore
  readonly users: UserStore
  readonly webhookDeliveries: WebhookDeliveryStore
  readonly webhooks: WebhookStore
}

/** All or nothing. */
export interface UnitOfWork {
  /**
   * Set if units that touch different things go on side by side, so that a long one keeps few waiting; otherwise all
   * others wait for it.
   */
  readonly sideBySide?: boolean | undefined

  /**
   * Runs the work and resolves with its result once everything it changed is on durable storage (it survives
   * `kill -9` and power loss). If the work throws, at once or later, nothing it did stays, nothing others did is
   * touched, and the same error comes out.
   *
   * Units act as if they ran one after another: what a unit has read stays true until it ends. The work must not
   * wait for anything but the stores it is given (no network, no timer, no `run` inside a `run`): others wait for it.
   * It may be run more than once, such as when two units were in each other's way; only the last run counts. So it must not
   * change anything but by the stores.
   * @throws {Unavailable} storage is down, or could not be written within a bounded time; `unsure` if the answer to
   * a commit was lost and it is unknown whether it took place
   */
  run<T>(work: (stores: Stores) => Promise<T>): Promise<T>
}
