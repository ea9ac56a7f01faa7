import { AccessControl } from './access/access-control.ts'
import { TablePolicy } from './access/authorization-policy.ts'
import { AuthenticateUseCase } from './access-tokens/authenticate-use-case.ts'
import { Uses } from './access-tokens/uses.ts'
import { AnchorAuditUseCase } from './audit/anchor-audit-use-case.ts'
import { AuditTrail } from './audit/audit-trail.ts'
import { ListAuditUseCase } from './audit/list-audit-use-case.ts'
import { ReadLog } from './audit/read-log.ts'
import { RecordUsersUseCase } from './audit/record-users-use-case.ts'
import { RefusalLog } from './audit/refusal-log.ts'
import { SealAuditUseCase } from './audit/seal-audit-use-case.ts'
import { Sealer, sealedFirst } from './audit/sealer.ts'
import type { Dependencies, Ports, Settings } from './dependencies.ts'
import { ListEventsUseCase } from './events/list-events-use-case.ts'
import { DeliverOutboxUseCase } from './outbox/deliver-outbox-use-case.ts'
import { ListOutboxUseCase } from './outbox/list-outbox-use-case.ts'
import { RescheduleOutboxUseCase } from './outbox/reschedule-outbox-use-case.ts'
import { RetryOutboxUseCase } from './outbox/retry-outbox-use-case.ts'
import { CheckReadinessUseCase } from './readiness.ts'
import { carryOut } from './sign-up/carry-out-requests.ts'
import { ProcessSignUpsUseCase } from './sign-up/process-sign-ups-use-case.ts'
import { RequestDesk } from './sign-up/request-desk.ts'
import { SubscribeUseCase } from './sign-up/subscribe-use-case.ts'
import { unitInbox } from './sign-up/unit-inbox.ts'
import { ListRequestsUseCase, RetryRequestUseCase } from './sign-up/waiting-requests-use-cases.ts'
import { ChallengeGate } from './subscriptions/challenge-gate.ts'
import { ChangePreferencesUseCase } from './subscriptions/change-preferences-use-case.ts'
import { ConfirmOnBehalfUseCase } from './subscriptions/confirm-on-behalf-use-case.ts'
import { ConfirmSubscriptionUseCase } from './subscriptions/confirm-subscription-use-case.ts'
import { CreateChallengeUseCase } from './subscriptions/create-challenge-use-case.ts'
import { EndOnBehalfUseCase } from './subscriptions/end-on-behalf-use-case.ts'
import { EndSubscriptionUseCase } from './subscriptions/end-subscription-use-case.ts'
import { EraseSubscriptionUseCase } from './subscriptions/erase-subscription-use-case.ts'
import { ExpireSubscriptionsUseCase } from './subscriptions/expire-subscriptions-use-case.ts'
import { ExportPreferencesUseCase } from './subscriptions/export-preferences-use-case.ts'
import { FormStamps } from './subscriptions/form-stamps.ts'
import { NO_METRICS } from './subscriptions/funnel-metrics.ts'
import { GetConsentUseCase } from './subscriptions/get-consent-use-case.ts'
import { GetFeedUseCase, ListFeedsUseCase } from './subscriptions/get-feed-use-case.ts'
import { GetSubscriptionUseCase } from './subscriptions/get-subscription-use-case.ts'
import { LiftSuppressionUseCase } from './subscriptions/lift-suppression-use-case.ts'
import { LinkTokens, SignedLinks } from './subscriptions/link-token.ts'
import { ListSubscriptionsUseCase } from './subscriptions/list-subscriptions-use-case.ts'
import { ListSuppressionsUseCase } from './subscriptions/list-suppressions-use-case.ts'
import { RefuseSubscriptionUseCase } from './subscriptions/refuse-subscription-use-case.ts'
import { RequestPreferencesUseCase } from './subscriptions/request-preferences-use-case.ts'
import { ShowFeedUseCase } from './subscriptions/show-feed-use-case.ts'
import { ShowLinkUseCase } from './subscriptions/show-link-use-case.ts'
import { ShowPreferencesUseCase } from './subscriptions/show-preferences-use-case.ts'
import { SubscriptionErasure } from './subscriptions/subscription-erasure.ts'
import { DeleteUserUseCase } from './users/delete-user-use-case.ts'
import { EraseHeldUsersUseCase } from './users/erase-held-users-use-case.ts'
import { GetErasureReceiptUseCase } from './users/get-erasure-receipt-use-case.ts'
import { GetUserUseCase } from './users/get-user-use-case.ts'
import { ListUsersUseCase } from './users/list-users-use-case.ts'
import { PutUserUseCase } from './users/put-user-use-case.ts'
import { RestoreUserUseCase } from './users/restore-user-use-case.ts'
import { DeleteWebhookUseCase } from './webhooks/delete-webhook-use-case.ts'
import { DeliverEventsUseCase } from './webhooks/deliver-events-use-case.ts'
import { GetWebhookUseCase, ListWebhooksUseCase } from './webhooks/get-webhook-use-case.ts'
import { PutWebhookUseCase } from './webhooks/put-webhook-use-case.ts'
import { RotateWebhookSecretUseCase } from './webhooks/rotate-webhook-secret-use-case.ts'
import { ListUndeliveredEventsUseCase, RetryEventUseCase } from './webhooks/undelivered-events.ts'
import { WebhookSecrets } from './webhooks/webhook-secrets.ts'

/** Ports and settings, with what the use cases share. Made once for all of them: refusals and reads are counted in it. */
export const createDependencies = (
  ports: Ports,
  { publicUrl, linkLife, deleteGrace = 0, permissions }: Settings,
): Dependencies => {
  const { unitOfWork, clock, jumpGuardedClock = clock, digests, metrics = NO_METRICS } = ports
  const trail = new AuditTrail(clock, digests)
  const refusals = new RefusalLog(clock, unitOfWork)
  const sealer = new Sealer(ports)
  const tokens = new LinkTokens(ports)
  const process = new ProcessSignUpsUseCase({ ...ports, linkLife, metrics })
  const inbox = ports.inbox ?? unitInbox(unitOfWork, ports.readers)
  return {
    ...ports,
    readers: sealedFirst(ports.readers, sealer),
    sealer,
    access: new AccessControl(new TablePolicy(permissions), refusals, ports.policy),
    trail,
    refusals,
    reads: new ReadLog(clock, unitOfWork),
    tokens,
    uses: new Uses(clock, unitOfWork),
    signedLinks: new SignedLinks(tokens, clock),
    erasure: new SubscriptionErasure(clock, digests),
    challengeAuthority: ports.challenge,
    requests: new RequestDesk({
      ...{ ...ports, inbox, process, worker: ports.requestWorker },
      carryOut: (stores, requests) => carryOut(stores, { ...ports, linkLife }, requests),
    }),
    challenge: new ChallengeGate(ports.challenge, metrics),
    stamps: new FormStamps({ clock, digests, metrics }),
    metrics,
    jumpGuardedClock,
    webhookSecrets: new WebhookSecrets(ports),
    bounceAddresses: undefined,
    publicUrl,
    linkLife,
    deleteGrace,
  }
}

/**
 * Puts the use cases of subscriptions and users together over any set of ports. `@rollcall/core/all` adds those that move
 * many records at once.
 */
export const createUseCases = (ports: Ports, settings: Settings) => useCasesOf(createDependencies(ports, settings))

export const useCasesOf = (all: Dependencies) => {
  const { readers, clock, jumpGuardedClock, access, reads, refusals, signedLinks } = all
  const deliverOutbox = new DeliverOutboxUseCase(all)
  const deliverEvents = new DeliverEventsUseCase(all)
  const queues = [
    { pending: readers.outbox, worker: deliverOutbox },
    { pending: readers.webhookDeliveries, worker: deliverEvents },
  ]
  return {
    /** Not a use case: the policy, for a driving adapter that must refuse before it reads a body. */
    access,
    anchorAudit: new AnchorAuditUseCase(all),
    authenticate: new AuthenticateUseCase(all),
    changePreferences: new ChangePreferencesUseCase(all),
    checkReadiness: new CheckReadinessUseCase({ queues, requests: readers.requests, clock }),
    confirmOnBehalf: new ConfirmOnBehalfUseCase(all),
    confirmSubscription: new ConfirmSubscriptionUseCase(all),
    createChallenge: new CreateChallengeUseCase({ authority: all.challengeAuthority }),
    deleteUser: new DeleteUserUseCase(all),
    deleteWebhook: new DeleteWebhookUseCase(all),
    deliverEvents,
    deliverOutbox,
    endOnBehalf: new EndOnBehalfUseCase(all),
    endSubscription: new EndSubscriptionUseCase(all),
    eraseHeldUsers: new EraseHeldUsersUseCase({ ...all, clock: jumpGuardedClock }),
    eraseSubscription: new EraseSubscriptionUseCase(all),
    expireSubscriptions: new ExpireSubscriptionsUseCase({ ...all, clock: jumpGuardedClock }),
    exportPreferences: new ExportPreferencesUseCase(all),
    getErasureReceipt: new GetErasureReceiptUseCase(all),
    getConsent: new GetConsentUseCase(all),
    getFeed: new GetFeedUseCase(all),
    getSubscription: new GetSubscriptionUseCase(all),
    getUser: new GetUserUseCase(all),
    getWebhook: new GetWebhookUseCase(all),
    rescheduleOutbox: new RescheduleOutboxUseCase(all),
    liftSuppression: new LiftSuppressionUseCase(all),
    listAudit: new ListAuditUseCase(all),
    listEvents: new ListEventsUseCase(all),
    listFeeds: new ListFeedsUseCase(all),
    listRequests: new ListRequestsUseCase(all),
    listOutbox: new ListOutboxUseCase(all),
    listSubscriptions: new ListSubscriptionsUseCase(all),
    listSuppressions: new ListSuppressionsUseCase(all),
    listUndeliveredEvents: new ListUndeliveredEventsUseCase(all),
    listUsers: new ListUsersUseCase(all),
    listWebhooks: new ListWebhooksUseCase(all),
    processSignUps: new ProcessSignUpsUseCase(all),
    putUser: new PutUserUseCase(all),
    putWebhook: new PutWebhookUseCase(all),
    /** Not a use case: what the use cases read; the trail and the events are sealed first. */
    readers,
    /** Not a use case: to be flushed as `refusals` are, and with `all` at the end. */
    reads,
    recordUsers: new RecordUsersUseCase(all),
    /** Not a use case: to be flushed within a second of a refusal, and at the end. */
    refusals,
    refuseSubscription: new RefuseSubscriptionUseCase(all),
    requestPreferences: new RequestPreferencesUseCase(all),
    restoreUser: new RestoreUserUseCase(all),
    retryEvent: new RetryEventUseCase(all),
    retryRequest: new RetryRequestUseCase(all),
    retryOutbox: new RetryOutboxUseCase(all),
    rotateWebhookSecret: new RotateWebhookSecretUseCase(all),
    showFeed: new ShowFeedUseCase(all),
    showLink: new ShowLinkUseCase(all),
    showPreferences: new ShowPreferencesUseCase(all),
    sealAudit: new SealAuditUseCase(all),
    /** Not a use case: to be run at most every 100 ms, so that what is committed gets its place. */
    sealer: all.sealer,
    /** Not a use case: for a driving adapter that must refuse a link before it reads a body. */
    signedLinks,
    subscribe: new SubscribeUseCase(all),
    /** Not a use case: to be flushed from time to time, and at the end. */
    uses: all.uses,
  }
}
