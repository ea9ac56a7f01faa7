import { IssueTokenUseCase } from './access-tokens/issue-token-use-case.ts'
import { ListTokensUseCase } from './access-tokens/list-tokens-use-case.ts'
import { PruneTokensUseCase } from './access-tokens/prune-tokens-use-case.ts'
import { RevokeTokenUseCase } from './access-tokens/revoke-token-use-case.ts'
import { RotateKeysUseCase, RotateSecretUseCase } from './access-tokens/rotate-keys-use-case.ts'
import { VerifyAuditUseCase } from './audit/verify-audit-use-case.ts'
import { consoleUseCasesOf } from './console/console-use-cases.ts'
import { ExplainSubscriptionsUseCase } from './explain/explain-subscriptions-use-case.ts'
import { DeleteFeedLogoUseCase, GetFeedLogoUseCase, PutFeedLogoUseCase } from './face/feed-logo-use-cases.ts'
import { PreviewMailUseCase, SendPreviewUseCase } from './face/preview-mail-use-cases.ts'
import { BounceAddresses } from './feedback/bounce-address.ts'
import { DecideFeedbackUseCase, ListFeedbackUseCase } from './feedback/decide-feedback-use-case.ts'
import { ReceiveFeedbackUseCase } from './feedback/receive-feedback-use-case.ts'
import { RecordFeedbackUseCase } from './feedback/record-feedback-use-case.ts'
import { RecordReportUseCase } from './feedback/record-report-use-case.ts'
import { LiftUndeliverableUseCase, ListUndeliverableUseCase } from './feedback/undeliverable-use-cases.ts'
import { createDependencies, type Ports, type Settings, useCasesOf } from './index.ts'
import { CarryOutMoveUseCase } from './moves/carry-out-move-use-case.ts'
import { FinishMovesUseCase } from './moves/finish-moves-use-case.ts'
import { RequestMoveUseCase } from './moves/request-move-use-case.ts'
import { ShowMoveUseCase } from './moves/show-move-use-case.ts'
import { UndoMoveUseCase } from './moves/undo-move-use-case.ts'
import { ShowStatsUseCase } from './numbers/show-stats-use-case.ts'
import { CheckRecipientsUseCase } from './recipients/check-recipients-use-case.ts'
import { CheckSuppressionsUseCase } from './recipients/check-suppressions-use-case.ts'
import { ImportSuppressionsUseCase } from './recipients/import-suppressions-use-case.ts'
import { ListRecipientsUseCase } from './recipients/list-recipients-use-case.ts'
import { MailPreferencesUseCase } from './recipients/mail-preferences-use-case.ts'
import { QueueRemindersUseCase } from './reminders/queue-reminders-use-case.ts'
import { DeleteFeedUseCase } from './subscriptions/delete-feed-use-case.ts'
import { PatchFeedUseCase } from './subscriptions/patch-feed-use-case.ts'
import { PutFeedUseCase } from './subscriptions/put-feed-use-case.ts'
import { ExportSubscriptionsUseCase } from './transfer/export-subscriptions-use-case.ts'
import { ImportSubscriptionsUseCase } from './transfer/import-subscriptions-use-case.ts'
import { ImportUsersUseCase } from './transfer/import-users-use-case.ts'
import { ChangeUsersUseCase, PlanUserChangesUseCase } from './users/bulk-change-use-cases.ts'
import { ChangeUserRolesUseCase } from './users/change-user-roles-use-case.ts'
import { ExportUserUseCase } from './users/export-user-use-case.ts'
import { PatchUserUseCase } from './users/patch-user-use-case.ts'
import { ResumeUserUseCase, SuspendUserUseCase } from './users/suspend-user-use-case.ts'
import { PatchWebhookUseCase } from './webhooks/patch-webhook-use-case.ts'
import { RedeliverEventsUseCase } from './webhooks/redeliver-events-use-case.ts'

export { admit } from './access/admit.ts'
export { IssueTokenUseCase } from './access-tokens/issue-token-use-case.ts'
export * from './access-tokens/list-tokens-use-case.ts'
export * from './access-tokens/prune-tokens-use-case.ts'
export * from './access-tokens/revoke-token-use-case.ts'
export { RotateKeysUseCase } from './access-tokens/rotate-keys-use-case.ts'
export * from './audit/verify-audit-use-case.ts'
export { closestName } from './closest-name.ts'
export * from './console/console-use-cases.ts'
export type * from './explain/explain-subscriptions-use-case.ts'
export { ExplainSubscriptionsUseCase } from './explain/explain-subscriptions-use-case.ts'
export type { TimelineEntry } from './explain/timeline.ts'
export * from './face/feed-logo-use-cases.ts'
export * from './face/preview-mail-use-cases.ts'
export { BounceAddresses } from './feedback/bounce-address.ts'
export * from './feedback/decide-feedback-use-case.ts'
export { DELIVERABILITY_STATES, MOST_ADDRESSES } from './feedback/deliverability-store.ts'
export * from './feedback/feedback-item.ts'
export type { FeedbackOutcome } from './feedback/feedback-recorder.ts'
export * from './feedback/receive-feedback-use-case.ts'
export * from './feedback/record-feedback-use-case.ts'
export * from './feedback/record-report-use-case.ts'
export * from './feedback/undeliverable-use-cases.ts'
export * from './index.ts'
export type * from './moves/carry-out-move-use-case.ts'
export { UNDO_LIFE } from './moves/carry-out-move-use-case.ts'
export type * from './moves/finish-moves-use-case.ts'
export type * from './moves/request-move-use-case.ts'
export type * from './moves/show-move-use-case.ts'
export type * from './moves/undo-move-use-case.ts'
export { dateOf, PERIODS, type Period, parseDay } from './numbers/periods.ts'
export * from './numbers/show-stats-use-case.ts'
export * from './published/explanation-record.ts'
export * from './published/feedback-record.ts'
export * from './published/session-record.ts'
export * from './published/stats-record.ts'
export * from './published/token-record.ts'
export * from './published/user-export-record.ts'
export * from './recipients/check-recipients-use-case.ts'
export * from './recipients/check-suppressions-use-case.ts'
export { PREFIX_DIGITS } from './recipients/hash-filter.ts'
export * from './recipients/import-suppressions-use-case.ts'
export * from './recipients/list-recipients-use-case.ts'
export { MailPreferencesUseCase } from './recipients/mail-preferences-use-case.ts'
export type { RecipientRecord } from './recipients/recipient-lines.ts'
export { IMPORTED_CAUSES } from './recipients/suppression-row.ts'
export * from './reminders/queue-reminders-use-case.ts'
export { parseRemindAfter } from './reminders/remind-after.ts'
export * from './subscriptions/delete-feed-use-case.ts'
export * from './subscriptions/patch-feed-use-case.ts'
export * from './subscriptions/put-feed-use-case.ts'
export { SUBSCRIPTION_COLUMNS } from './transfer/column-guards.ts'
export { CsvRecord, csvRow, hasFormulaApostrophe, isSeparatorLine } from './transfer/csv.ts'
export type * from './transfer/export-subscriptions-use-case.ts'
export { ExportSubscriptionsUseCase } from './transfer/export-subscriptions-use-case.ts'
export * from './transfer/import-parameters.ts'
export { isRefusedRow } from './transfer/import-report.ts'
export type * from './transfer/import-row.ts'
export { IMPORT_FIELDS } from './transfer/import-row.ts'
export * from './transfer/import-subscriptions-use-case.ts'
export * from './transfer/import-users-use-case.ts'
export * from './transfer/record-formats.ts'
export type * from './transfer/status-reading.ts'
export type * from './transfer/unread-values.ts'
export { isAboutColumn, UnusedColumns } from './transfer/unused-columns.ts'
export { USER_IMPORT_FIELDS } from './transfer/user-import-row.ts'
export * from './users/bulk-change.ts'
export * from './users/bulk-change-use-cases.ts'
export * from './users/change-user-roles-use-case.ts'
export * from './users/export-user-use-case.ts'
export type { IdListOptions } from './users/id-columns.ts'
export { IdLines } from './users/id-lines.ts'
export * from './users/patch-user-use-case.ts'
export * from './users/suspend-user-use-case.ts'
export * from './webhooks/patch-webhook-use-case.ts'
export { RedeliverEventsUseCase } from './webhooks/redeliver-events-use-case.ts'

/** Everything that can be asked of the core, ready to be called. */
export type UseCases = ReturnType<typeof createAllUseCases>

/** As `createUseCases`, and those that change feeds or a part of a record, move many records at once, or take a sign-up to several feeds. */
export const createAllUseCases = (ports: Ports, settings: Settings) => {
  const { bounceAddress } = settings
  const bounceAddresses = bounceAddress === undefined ? undefined : new BounceAddresses(ports, bounceAddress)
  const all = { ...createDependencies(ports, settings), bounceAddresses }
  return {
    ...useCasesOf(all),
    ...consoleUseCasesOf(all),
    redeliverEvents: new RedeliverEventsUseCase(all),
    carryOutMove: new CarryOutMoveUseCase(all),
    finishMoves: new FinishMovesUseCase({ ...all, clock: all.jumpGuardedClock }),
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
    pruneTokens: new PruneTokensUseCase({ ...all, clock: all.jumpGuardedClock }),
    revokeToken: new RevokeTokenUseCase(all),
    rotateKeys: new RotateKeysUseCase(all),
    rotateSecret: new RotateSecretUseCase(all),
    queueReminders: new QueueRemindersUseCase({ ...all, clock: all.jumpGuardedClock }),
    resumeUser: new ResumeUserUseCase(all),
    changeUserRoles: new ChangeUserRolesUseCase(all),
    changeUsers: new ChangeUsersUseCase(all),
    planUserChanges: new PlanUserChangesUseCase(all),
    suspendUser: new SuspendUserUseCase(all),
    decideFeedback: new DecideFeedbackUseCase(all),
    liftUndeliverable: new LiftUndeliverableUseCase(all),
    listFeedback: new ListFeedbackUseCase(all),
    listUndeliverable: new ListUndeliverableUseCase(all),
    receiveFeedback: new ReceiveFeedbackUseCase(all),
    recordFeedback: new RecordFeedbackUseCase(all),
    recordReport: new RecordReportUseCase(all),
    verifyAudit: new VerifyAuditUseCase(all),
  }
}
