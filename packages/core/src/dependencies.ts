import type { AccessControl } from './access/access-control.ts'
import type { AuthorizationPolicy, PermissionTable } from './access/authorization-policy.ts'
import type { AccessTokenIssuer, AccessTokenVerifier, SigningKeyRing } from './access-tokens/access-token-ports.ts'
import type { Uses } from './access-tokens/uses.ts'
import type { AuditAnchor } from './audit/audit-anchor.ts'
import type { AuditTrail } from './audit/audit-trail.ts'
import type { ReadLog } from './audit/read-log.ts'
import type { RefusalLog } from './audit/refusal-log.ts'
import type { Sealer } from './audit/sealer.ts'
import type { BounceAddresses } from './feedback/bounce-address.ts'
import type { FeedbackVerifier } from './feedback/feedback-verifier.ts'
import type { ReportMailbox } from './feedback/report-mailbox.ts'
import type { ReportParser } from './feedback/report-parser.ts'
import type { LinkKeys } from './links/link-keys.ts'
import type { LinkTokens, SignedLinks } from './links/link-token.ts'
import type { MailTransport } from './outbox/mail-transport.ts'
import type { Clock } from './platform/clock.ts'
import type { Digests } from './platform/digests.ts'
import type { DomainNames } from './platform/domain-names.ts'
import type { Randomness } from './platform/randomness.ts'
import type { Readers } from './readers.ts'
import type { BlockedDomains } from './sign-up/blocked-domains.ts'
import type { ChallengeAuthority, ChallengeGate } from './sign-up/challenge-gate.ts'
import type { FormStamps } from './sign-up/form-stamps.ts'
import type { FunnelMetrics } from './sign-up/funnel-metrics.ts'
import type { RequestDesk } from './sign-up/request-desk.ts'
import type { RequestInbox, RequestWorker } from './sign-up/waiting-request.ts'
import type { SubscriptionErasure } from './subscriptions/subscription-erasure.ts'
import type { UnitOfWork } from './unit-of-work.ts'
import type { UserChanges } from './users/user-changes.ts'
import type { WebhookSecrets } from './webhooks/webhook-secrets.ts'
import type { WebhookTransport } from './webhooks/webhook-transport.ts'

/** Everything that the core asks of the world. */
export interface Ports {
  readonly unitOfWork: UnitOfWork
  readonly readers: Readers
  readonly clock: Clock
  /** The clock that decides what is removed for its age: if possible one that is guarded against forward jumps. */
  readonly jumpGuardedClock?: Clock | undefined
  readonly randomness: Randomness
  readonly digests: Digests
  readonly linkKeys: LinkKeys
  readonly domainNames: DomainNames
  /** Where requests of the public come in, if the storage has a shorter way than a unit of work each. */
  readonly inbox?: RequestInbox | undefined
  /** What carries them out; if left out, whoever hands one in does. */
  readonly requestWorker?: RequestWorker | undefined
  /** A shorter way for changes of users, if the storage has one and keeps the users. */
  readonly userChanges?: UserChanges | undefined
  /** Who may do what; by default the table of permissions. */
  readonly policy?: AuthorizationPolicy | undefined
  readonly transport: MailTransport
  /** Where events leave the service. */
  readonly webhookTransport: WebhookTransport
  readonly verifier: AccessTokenVerifier
  readonly issuer: AccessTokenIssuer
  readonly keyRing: SigningKeyRing
  /** Where the newest seal of the audit trail is kept outside the stores, if anywhere. */
  readonly auditAnchor?: AuditAnchor | undefined
  /** Where clients must do some work before a sign-up is taken. */
  readonly challenge?: ChallengeAuthority | undefined
  readonly metrics?: FunnelMetrics | undefined
  /** What proves that a report is of a mail provider, by the provider's name. */
  readonly feedbackVerifiers?: Readonly<Record<string, FeedbackVerifier>> | undefined
  /** Where reports of mail servers are taken. */
  readonly reportParser?: ReportParser | undefined
  /** Where they are fetched from, if they are not handed over. */
  readonly reportMailbox?: ReportMailbox | undefined
}

export interface Settings {
  /** The base URL of links in mails, without a trailing slash. */
  readonly publicUrl: string
  /** Milliseconds that a confirmation link lives; at most `LONGEST_LINK_LIFE`. */
  readonly linkLife: number
  /** Milliseconds for which a deletion can be undone; none by default. */
  readonly deleteGrace?: number | undefined
  /**
   * The address that our own mails come back to, in lower case; by default they come back to their sender. For all use cases
   * together: the two jobs alone take no reports.
   */
  readonly bounceAddress?: string | undefined
  /** Domains, in lower case and as A-labels, that sign-ups come to nothing from; each stands for those within it, too. */
  readonly blockedDomains?: Iterable<string> | undefined
  /** The permission table; by default the standard one. */
  readonly permissions?: PermissionTable | undefined
}

/** The dependencies of the use cases: the ports, shared services, and settings. Each picks what it needs. */
export interface Dependencies
  extends Omit<Ports, 'challenge' | 'inbox' | 'policy' | 'requestWorker'>,
    Omit<Settings, 'blockedDomains' | 'bounceAddress' | 'permissions'> {
  readonly jumpGuardedClock: Clock
  readonly access: AccessControl
  readonly trail: AuditTrail
  readonly refusals: RefusalLog
  readonly sealer: Sealer
  readonly reads: ReadLog
  readonly uses: Uses
  readonly tokens: LinkTokens
  readonly signedLinks: SignedLinks
  readonly erasure: SubscriptionErasure
  readonly challengeAuthority: ChallengeAuthority | undefined
  readonly challenge: ChallengeGate
  readonly requests: RequestDesk
  readonly stamps: FormStamps
  readonly metrics: FunnelMetrics
  readonly webhookSecrets: WebhookSecrets
  readonly bounceAddresses: BounceAddresses | undefined
  readonly blockedDomains: BlockedDomains
  readonly deleteGrace: number
}
