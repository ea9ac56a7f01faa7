import { AuthenticateUseCase } from './access-tokens/authenticate-use-case.ts'
import { IssueTokenUseCase } from './access-tokens/issue-token-use-case.ts'
import { ListTokensUseCase } from './access-tokens/list-tokens-use-case.ts'
import { PruneTokensUseCase } from './access-tokens/prune-tokens-use-case.ts'
import { RevokeTokenUseCase } from './access-tokens/revoke-token-use-case.ts'
import { RotateKeysUseCase, RotateSecretUseCase } from './access-tokens/rotate-keys-use-case.ts'
import { AnchorAuditUseCase } from './audit/anchor-audit-use-case.ts'
import { ListAuditUseCase } from './audit/list-audit-use-case.ts'
import { RecordUsersUseCase } from './audit/record-users-use-case.ts'
import { SealAuditUseCase } from './audit/seal-audit-use-case.ts'
import { VerifyAuditUseCase } from './audit/verify-audit-use-case.ts'
import { ChangeUsersUseCase, PlanUserChangesUseCase } from './bulk-changes/bulk-change-use-cases.ts'
import { consoleUseCasesOf } from './console/console-use-cases.ts'
import { createDependencies } from './create-dependencies.ts'
import type { Ports, Settings } from './dependencies.ts'
import { ListEventsUseCase } from './events/list-events-use-case.ts'
import { ExplainSubscriptionsUseCase } from './explain/explain-subscriptions-use-case.ts'
import { DeleteFeedLogoUseCase, GetFeedLogoUseCase, PutFeedLogoUseCase } from './face/feed-logo-use-cases.ts'
import { PreviewMailUseCase, SendPreviewUseCase } from './face/preview-mail-use-cases.ts'
import { DecideFeedbackUseCase, ListFeedbackUseCase } from './feedback/decide-feedback-use-case.ts'
import { ReadReportsUseCase } from './feedback/read-reports-use-case.ts'
import { ReceiveFeedbackUseCase } from './feedback/receive-feedback-use-case.ts'
import { RecordFeedbackUseCase } from './feedback/record-feedback-use-case.ts'
import { RecordReportUseCase } from './feedback/record-report-use-case.ts'
import { LiftUndeliverableUseCase, ListUndeliverableUseCase } from './feedback/undeliverable-use-cases.ts'
import { DeleteFeedUseCase } from './feeds/delete-feed-use-case.ts'
import { PatchFeedUseCase } from './feeds/patch-feed-use-case.ts'
import { PutFeedUseCase } from './feeds/put-feed-use-case.ts'
import { GetFeedUseCase, ListFeedsUseCase, ShowFeedUseCase } from './feeds/read-feeds-use-cases.ts'
import { ShowLinkUseCase } from './links/show-link-use-case.ts'
import { CarryOutMoveUseCase } from './moves/carry-out-move-use-case.ts'
import { FinishMovesUseCase } from './moves/finish-moves-use-case.ts'
import { RequestMoveUseCase } from './moves/request-move-use-case.ts'
import { ShowMoveUseCase } from './moves/show-move-use-case.ts'
import { UndoMoveUseCase } from './moves/undo-move-use-case.ts'
import { ShowStatsUseCase } from './numbers/show-stats-use-case.ts'
import { DeliverOutboxUseCase } from './outbox/deliver-outbox-use-case.ts'
import { ListOutboxUseCase } from './outbox/list-outbox-use-case.ts'
import { RescheduleOutboxUseCase } from './outbox/reschedule-outbox-use-case.ts'
import { RetryOutboxUseCase } from './outbox/retry-outbox-use-case.ts'
import { ChangePreferencesUseCase } from './preferences/change-preferences-use-case.ts'
import { ExportPreferencesUseCase } from './preferences/export-preferences-use-case.ts'
import { RequestPreferencesUseCase } from './preferences/request-preferences-use-case.ts'
import { ShowPreferencesUseCase } from './preferences/show-preferences-use-case.ts'
import { CheckReadinessUseCase } from './readiness.ts'
import { CheckRecipientsUseCase } from './recipients/check-recipients-use-case.ts'
import { CheckSuppressionsUseCase } from './recipients/check-suppressions-use-case.ts'
import { ImportSuppressionsUseCase } from './recipients/import-suppressions-use-case.ts'
import { ListRecipientsUseCase } from './recipients/list-recipients-use-case.ts'
import { MailPreferencesUseCase } from './recipients/mail-preferences-use-case.ts'
import { QueueRemindersUseCase } from './reminders/queue-reminders-use-case.ts'
import { CarryOutRequestsUseCase } from './sign-up/carry-out-requests-use-case.ts'
import { CreateChallengeUseCase } from './sign-up/create-challenge-use-case.ts'
import { SubscribeUseCase } from './sign-up/subscribe-use-case.ts'
import { ListRequestsUseCase, RetryRequestUseCase } from './sign-up/waiting-requests-use-cases.ts'
import { ConfirmOnBehalfUseCase } from './subscriptions/confirm-on-behalf-use-case.ts'
import { ConfirmSubscriptionUseCase } from './subscriptions/confirm-subscription-use-case.ts'
import { EndOnBehalfUseCase } from './subscriptions/end-on-behalf-use-case.ts'
import { EndSubscriptionUseCase } from './subscriptions/end-subscription-use-case.ts'
import { EraseSubscriptionUseCase } from './subscriptions/erase-subscription-use-case.ts'
import { ExpireSubscriptionsUseCase } from './subscriptions/expire-subscriptions-use-case.ts'
import {
  GetConsentUseCase,
  GetSubscriptionUseCase,
  ListSubscriptionsUseCase,
} from './subscriptions/read-subscriptions-use-cases.ts'
import { RefuseSubscriptionUseCase } from './subscriptions/refuse-subscription-use-case.ts'
import { LiftSuppressionUseCase } from './suppressions/lift-suppression-use-case.ts'
import { ListSuppressionsUseCase } from './suppressions/list-suppressions-use-case.ts'
import { ExportSubscriptionsUseCase } from './transfer/export-subscriptions-use-case.ts'
import { ImportSubscriptionsUseCase } from './transfer/import-subscriptions-use-case.ts'
import { ImportUsersUseCase } from './transfer/import-users-use-case.ts'
import { DeleteUserUseCase } from './users/delete-user-use-case.ts'
import { EraseHeldUsersUseCase } from './users/erase-held-users-use-case.ts'
import { ExportUserUseCase } from './users/export-user-use-case.ts'
import { PatchUserUseCase } from './users/patch-user-use-case.ts'
import { PutUserUseCase } from './users/put-user-use-case.ts'
import {
  GetErasureReceiptUseCase,
  GetUserUseCase,
  ListHeldUsersUseCase,
  ListProvisionedUsersUseCase,
  ListUsersUseCase,
} from './users/read-users-use-cases.ts'
import { RestoreUserUseCase } from './users/restore-user-use-case.ts'
import { ResumeUserUseCase, SuspendUserUseCase } from './users/suspend-user-use-case.ts'
import { DeleteWebhookUseCase } from './webhooks/delete-webhook-use-case.ts'
import { DeliverEventsUseCase } from './webhooks/deliver-events-use-case.ts'
import { PatchWebhookUseCase } from './webhooks/patch-webhook-use-case.ts'
import { PutWebhookUseCase } from './webhooks/put-webhook-use-case.ts'
import { GetWebhookUseCase, ListWebhooksUseCase } from './webhooks/read-webhooks-use-cases.ts'
import { RedeliverEventsUseCase } from './webhooks/redeliver-events-use-case.ts'
import { RotateWebhookSecretUseCase } from './webhooks/rotate-webhook-secret-use-case.ts'
import { ListUndeliveredEventsUseCase, RetryEventUseCase } from './webhooks/undelivered-events.ts'
import {
  ListFailingWebhooksUseCase,
  ListWebhookAnswersUseCase,
  ReplayEventUseCase,
  TestWebhookUseCase,
} from './webhooks/webhook-answers-use-cases.ts'

/** Everything that can be asked of the core, ready to be called. */
export type UseCases = ReturnType<typeof createUseCases>

/** Puts all use cases together over any set of ports. */
export const createUseCases = (ports: Ports, settings: Settings) => {
  const all = createDependencies(ports, settings)
  const { readers, clock, jumpGuardedClock, access, reads, refusals, signedLinks } = all
  // For what is removed for its age.
  const byAge = { ...all, clock: jumpGuardedClock }
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
    checkReadiness: new CheckReadinessUseCase({
      queues,
      requests: readers.requests,
      webhooks: readers.webhookDeliveries,
      clock,
    }),
    confirmOnBehalf: new ConfirmOnBehalfUseCase(all),
    confirmSubscription: new ConfirmSubscriptionUseCase(all),
    createChallenge: new CreateChallengeUseCase(all),
    deleteUser: new DeleteUserUseCase(all),
    deleteWebhook: new DeleteWebhookUseCase(all),
    deliverEvents,
    deliverOutbox,
    endOnBehalf: new EndOnBehalfUseCase(all),
    endSubscription: new EndSubscriptionUseCase(all),
    eraseHeldUsers: new EraseHeldUsersUseCase(byAge),
    eraseSubscription: new EraseSubscriptionUseCase(all),
    expireSubscriptions: new ExpireSubscriptionsUseCase(byAge),
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
    listHeldUsers: new ListHeldUsersUseCase(all),
    listFeeds: new ListFeedsUseCase(all),
    listRequests: new ListRequestsUseCase(all),
    listOutbox: new ListOutboxUseCase(all),
    listSubscriptions: new ListSubscriptionsUseCase(all),
    listSuppressions: new ListSuppressionsUseCase(all),
    listUndeliveredEvents: new ListUndeliveredEventsUseCase(all),
    listUsers: new ListUsersUseCase(all),
    listWebhooks: new ListWebhooksUseCase(all),
    carryOutRequests: new CarryOutRequestsUseCase(all),
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
    ...consoleUseCasesOf(all),
    listFailingWebhooks: new ListFailingWebhooksUseCase(all),
    replayEvent: new ReplayEventUseCase(all),
    listWebhookAnswers: new ListWebhookAnswersUseCase(all),
    testWebhook: new TestWebhookUseCase(all),
    redeliverEvents: new RedeliverEventsUseCase(all),
    carryOutMove: new CarryOutMoveUseCase(all),
    finishMoves: new FinishMovesUseCase(byAge),
    requestMove: new RequestMoveUseCase(all),
    showStats: new ShowStatsUseCase(all),
    showMove: new ShowMoveUseCase(all),
    undoMove: new UndoMoveUseCase(all),
    explainSubscriptions: new ExplainSubscriptionsUseCase(all),
    checkRecipients: new CheckRecipientsUseCase(all),
    checkSuppressions: new CheckSuppressionsUseCase(all),
    importSuppressions: new ImportSuppressionsUseCase(all),
    mailPreferences: new MailPreferencesUseCase(all),
    listRecipients: new ListRecipientsUseCase(all),
    exportSubscriptions: new ExportSubscriptionsUseCase(all),
    exportUser: new ExportUserUseCase(all),
    importSubscriptions: new ImportSubscriptionsUseCase(all),
    importUsers: new ImportUsersUseCase(all),
    issueToken: new IssueTokenUseCase(all),
    listProvisionedUsers: new ListProvisionedUsersUseCase(all),
    listTokens: new ListTokensUseCase(all),
    deleteFeed: new DeleteFeedUseCase(all),
    deleteFeedLogo: new DeleteFeedLogoUseCase(all),
    getFeedLogo: new GetFeedLogoUseCase(all),
    previewMail: new PreviewMailUseCase(all),
    putFeedLogo: new PutFeedLogoUseCase(all),
    sendPreview: new SendPreviewUseCase(all),
    patchFeed: new PatchFeedUseCase(all),
    putFeed: new PutFeedUseCase(all),
    patchUser: new PatchUserUseCase(all),
    patchWebhook: new PatchWebhookUseCase(all),
    pruneTokens: new PruneTokensUseCase(byAge),
    revokeToken: new RevokeTokenUseCase(all),
    rotateKeys: new RotateKeysUseCase(all),
    rotateSecret: new RotateSecretUseCase(all),
    queueReminders: new QueueRemindersUseCase(byAge),
    resumeUser: new ResumeUserUseCase(all),
    changeUsers: new ChangeUsersUseCase(all),
    planUserChanges: new PlanUserChangesUseCase(all),
    suspendUser: new SuspendUserUseCase(all),
    decideFeedback: new DecideFeedbackUseCase(all),
    liftUndeliverable: new LiftUndeliverableUseCase(all),
    listFeedback: new ListFeedbackUseCase(all),
    listUndeliverable: new ListUndeliverableUseCase(all),
    receiveFeedback: new ReceiveFeedbackUseCase(all),
    recordFeedback: new RecordFeedbackUseCase(all),
    readReports: new ReadReportsUseCase(all),
    recordReport: new RecordReportUseCase(all),
    verifyAudit: new VerifyAuditUseCase(all),
  }
}
