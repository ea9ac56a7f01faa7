import * as core from '@rollcall/core'
import {
  after,
  fieldMap,
  type GuardedOperation,
  ignoredColumns,
  list,
  one,
  type Route,
  reason,
  SORTING,
  subscriptions,
} from './operation.ts'
import * as s from './schema.ts'

const OF_FEED_AND_STATUS = {
  feed: { description: 'Only those of this feed, which must exist.', schema: s.resourceName, example: 'default' },
  status: { description: 'Only those with this status.', schema: s.status },
} as const

const MEANING = '[^,:\\r\\n]*:(?:pending|confirmed|ended)'

const REMOVED_FIELDS = {
  fields: {
    description:
      "What becomes of the values of fields that are no longer declared; with 'keep', such a field cannot go (409).",
    schema: { ...s.oneOf('keep', 'erase'), default: 'keep' },
  },
} as const

/** Feeds, subscriptions, suppressions, events, files and webhooks, for administrators. */
export const ADMINISTRATION_OPERATIONS = {
  'GET /feeds': list('listFeeds', core.ListFeedsUseCase, 'FeedList', 'Feeds, oldest first.'),
  'GET /feeds/{name}': one('getFeed', core.GetFeedUseCase, 'Feed', 'One feed.', 'FeedNotFound'),
  'PUT /feeds/{name}': {
    id: 'putFeed',
    summary:
      'Create or replace a feed. What is left out is as for a new one, except the wording, the fields and the face (logo, accent, footer, words and welcome): they stay.',
    guarded: core.PutFeedUseCase,
    body: 'FeedForm',
    query: REMOVED_FIELDS,
    answers: { 201: 'Feed', 204: null },
    conditional: 'write',
    errors: ['FeedInUse', 'FieldInUse'],
  },
  'PATCH /feeds/{name}': {
    id: 'patchFeed',
    summary: 'Change some fields of a feed; what is left out stays as it is, and what is null is as for a new one.',
    guarded: core.PatchFeedUseCase,
    ...{ body: 'FeedForm', mergePatch: true, idempotent: true },
    query: REMOVED_FIELDS,
    answers: { 200: 'Feed' },
    conditional: 'write',
    errors: ['FeedNotFound', 'FeedInUse', 'FieldInUse'],
  },
  'DELETE /feeds/{name}': {
    id: 'deleteFeed',
    summary:
      "Delete a feed; not 'default'. One with subscriptions takes nothing any more until all of them are erased.",
    guarded: core.DeleteFeedUseCase,
    query: {
      subscriptions: subscriptions("Whether to erase its subscriptions, too; with 'keep', a feed that has any stays."),
      reason: reason('Why, for the audit trail.'),
    },
    answers: { 204: null },
    conditional: 'write',
    errors: ['FeedNotFound', 'FeedInUse'],
  },
  'GET /subscriptions': list(
    'listSubscriptions',
    core.ListSubscriptionsUseCase,
    'SubscriptionList',
    'Subscriptions, oldest first unless sorted otherwise.',
    {
      ...OF_FEED_AND_STATUS,
      email: { description: 'Only those of this address, on all feeds.', schema: s.email, example: 'jane@example.com' },
      query: {
        description:
          'An id; or words that all must match, each the beginning of the address, of its domain or of a word of the name. Case and accents do not matter.',
        schema: s.line(255),
        example: 'jane',
      },
      ...SORTING,
    },
  ),
  'GET /subscriptions/explain': {
    id: 'explainSubscriptions',
    summary:
      'Why an address got a mail, or none: what is known of it in order of time, and one sentence that says what would make a mail go out now. Each question is in the audit trail.',
    guarded: core.ExplainSubscriptionsUseCase,
    query: {
      email: { description: 'The address.', schema: s.email, example: 'jane@example.com', required: true },
    },
    answers: { 200: 'Explanation' },
    conditional: 'read',
  },
  'GET /subscriptions/{subscriptionId}': one(
    'getSubscription',
    core.GetSubscriptionUseCase,
    'Subscription',
    'One subscription.',
    'SubscriptionNotFound',
  ),
  'DELETE /subscriptions/{subscriptionId}': {
    id: 'eraseSubscription',
    summary: 'Erase a subscription with everything that hangs on it. A suppression of its address stays.',
    guarded: core.EraseSubscriptionUseCase,
    query: { reason: reason("Why, for the audit trail; without the owner's name and address.") },
    answers: { 204: null },
    conditional: 'write',
    errors: ['SubscriptionNotFound'],
  },
  'GET /subscriptions/{subscriptionId}/consent': one(
    'getConsent',
    core.GetConsentUseCase,
    'ConsentList',
    'The whole ledger of what the owner agreed to, and how, oldest first.',
    'SubscriptionNotFound',
  ),
  'POST /subscriptions/{subscriptionId}/confirm': {
    id: 'confirmOnBehalf',
    summary: 'Confirm for an owner who said so elsewhere; again is as good as once.',
    idempotent: true,
    guarded: core.ConfirmOnBehalfUseCase,
    body: 'OnBehalfForm',
    answers: { 200: 'Subscription' },
    conditional: 'write',
    errors: ['SubscriptionNotFound', 'SubscriptionEnded', 'AddressSuppressed'],
  },
  'POST /subscriptions/{subscriptionId}/end': {
    id: 'endOnBehalf',
    summary: 'End for an owner who asked for it elsewhere; again is as good as once.',
    idempotent: true,
    guarded: core.EndOnBehalfUseCase,
    body: 'OnBehalfForm',
    answers: { 200: 'Subscription' },
    conditional: 'write',
    errors: ['SubscriptionNotFound'],
  },
  'GET /suppressions': list(
    'listSuppressions',
    core.ListSuppressionsUseCase,
    'SuppressionList',
    'Addresses that get no mail of ours, or none at all, by hash, in the order in which they were suppressed.',
  ),
  'DELETE /suppressions/{address}': {
    id: 'liftSuppression',
    summary:
      'Let mails go to an address again, and to its mailbox. A hash from the list is lifted alone. Where it is both refused by its owner and blocked, `cause` says which to lift.',
    guarded: core.LiftSuppressionUseCase,
    query: { cause: { description: 'Lifts this one alone, or all.', schema: s.oneOf(...core.LIFTED_CAUSES) } },
    answers: { 204: null },
    errors: ['SuppressionNotFound'],
  },
  'GET /events': list(
    'listEvents',
    core.ListEventsUseCase,
    'EventList',
    'What happened in the last 30 days, as CloudEvents 1.0, in the order in which it came about.',
    after("The 'sequence' of the last event that is known, or the 'next' of the list before."),
  ),
  'GET /subscriptions/export': {
    id: 'exportSubscriptions',
    summary:
      'Subscriptions with the evidence of consent, as a file of any length, oldest first. In CSV a cell that a spreadsheet would take for a formula has an apostrophe in front. An answer that breaks off is incomplete.',
    guarded: core.ExportSubscriptionsUseCase,
    query: {
      ...OF_FEED_AND_STATUS,
      format: { description: 'What kind of file.', schema: { ...s.oneOf('ndjson', 'csv'), default: 'ndjson' } },
    },
    answers: { 200: 'export' },
  },
  'POST /subscriptions/import': {
    id: 'importSubscriptions',
    summary:
      'Import subscriptions from a file of any length. The answer has a line for each refused row, and the summary as the last line, which names every column that was not used. What a line reports is already stored. Read the answer while you send: the server stops reading the file while its report is not read. If storage fails on the way, the last line is an error, and the same file may be sent again.',
    guarded: core.ImportSubscriptionsUseCase,
    query: {
      mail: {
        description: 'Asks those that are new and pending to confirm; otherwise no mail is sent.',
        schema: s.oneOf('send'),
      },
      dry_run: {
        description: 'Whether only to report what would happen to each row, and change nothing.',
        schema: { type: 'boolean', default: false },
      },
      map: fieldMap([...core.IMPORT_FIELDS, 'field_[a-z][a-z0-9_]{0,31}'], 'email:E-Mail,name:Full Name'),
      status: {
        description:
          "What the words mean that the file has for a status, as in 'unsubscribed:ended,active:confirmed'. A row with another word is refused.",
        schema: { type: 'string', pattern: `^${MEANING}(?:,${MEANING})*$` },
        example: 'unsubscribed:ended',
      },
      ignore: ignoredColumns(
        'Columns that decide nothing, or are not to. One that speaks of leaving, and is neither mapped nor ignored, stops the import before anything is stored.',
      ),
    },
    body: 'import',
    answers: { 200: 'import-report' },
    errors: ['UnsupportedMediaType'],
  },
  'GET /webhooks': list('listWebhooks', core.ListWebhooksUseCase, 'WebhookList', 'The webhooks, oldest first.'),
  'GET /webhooks/{name}': one('getWebhook', core.GetWebhookUseCase, 'Webhook', 'One webhook.', 'WebhookNotFound'),
  'PUT /webhooks/{name}': {
    id: 'putWebhook',
    summary:
      'Create or replace a webhook. A new one receives the events from then on, and only the answer that creates it contains its secret. One that was disabled is enabled again, and receives the events that have waited.',
    guarded: core.PutWebhookUseCase,
    body: 'WebhookForm',
    answers: { 201: 'WebhookWithSecret', 204: null },
    conditional: 'write',
  },
  'PATCH /webhooks/{name}': {
    id: 'patchWebhook',
    summary: 'Change some fields of a webhook; what is left out stays as it is, and what is null is as for a new one.',
    guarded: core.PatchWebhookUseCase,
    ...{ body: 'WebhookPatch', mergePatch: true, idempotent: true },
    answers: { 200: 'Webhook' },
    conditional: 'write',
    errors: ['WebhookNotFound'],
  },
  'DELETE /webhooks/{name}': {
    id: 'deleteWebhook',
    summary: 'Delete a webhook and its pending events.',
    guarded: core.DeleteWebhookUseCase,
    answers: { 204: null },
    conditional: 'write',
    errors: ['WebhookNotFound'],
  },
  'POST /webhooks/{name}/rotate': {
    id: 'rotateWebhookSecret',
    summary: 'Make a new secret, which is shown only here. The old one also signs for another day.',
    guarded: core.RotateWebhookSecretUseCase,
    body: 'WebhookRotationForm',
    answers: { 200: 'WebhookWithSecret' },
    errors: ['WebhookNotFound'],
  },
  'POST /webhooks/{name}/redeliver': {
    id: 'redeliverEvents',
    summary: 'Send events again, with their ids: those after an event, from a time on, or those given up.',
    guarded: core.RedeliverEventsUseCase,
    body: 'RedeliveryForm',
    answers: { 200: 'Redelivery' },
    errors: ['WebhookNotFound'],
  },
} as const satisfies Record<Route, GuardedOperation>
