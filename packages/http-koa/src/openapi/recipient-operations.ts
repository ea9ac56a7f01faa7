import * as core from '@rollcall/core'
import { BODY_ERRORS, type GuardedOperation, type Operation, type Route } from './operation.ts'

/** What a sender asks for. */
export const RECIPIENT_OPERATIONS = {
  'GET /feeds/{name}/recipients': {
    id: 'listRecipients',
    summary:
      'The recipients of the feed, as a file of any length, in the order in which they signed up. The first line names an event: later events have the changes that the list may lack. The last line says how many recipients there are. An answer without that line is incomplete. A sender that is bound to other feeds gets the same 404 as for an unknown feed.',
    guarded: core.ListRecipientsUseCase,
    answers: { 200: 'recipients' },
    lastLine: 'recipients',
    errors: ['FeedNotFound'],
  },
  'POST /feeds/{name}/recipients/check': {
    id: 'checkRecipients',
    summary: 'Say which of these recipients to write to and which to skip. Ask right before sending. Changes nothing.',
    guarded: core.CheckRecipientsUseCase,
    body: 'RecipientsCheck',
    ...{ jsonOnly: true, idempotent: true },
    answers: { 200: 'CheckedRecipients' },
    errors: ['FeedNotFound'],
  },
  'POST /suppressions/check': {
    id: 'checkSuppressions',
    summary:
      'Which of these addresses must get no mail, because they are blocked or undeliverable. Changes nothing. A caller that may read suppressions gets the reasons, too.',
    guarded: core.CheckSuppressionsUseCase,
    body: 'SuppressionsCheck',
    ...{ jsonOnly: true, idempotent: true },
    answers: { 200: 'CheckedSuppressions' },
  },
  'POST /suppressions/import': {
    id: 'importSuppressions',
    summary:
      'Take over a list of addresses that must get no mail, from a file of any length. A complaint and an unsubscribed address are blocked, a bounce is undeliverable. The answer has a line for each refused row, and the summary as the last line. What a line reports is already stored; the same file may be sent again.',
    guarded: core.ImportSuppressionsUseCase,
    query: {
      dry_run: {
        description: 'Whether only to report what would happen to each row, and change nothing.',
        schema: { type: 'boolean', default: false },
      },
    },
    body: 'suppression-import',
    answers: { 200: 'suppression-import-report' },
    errors: ['UnsupportedMediaType'],
  },
} as const satisfies Record<Route, GuardedOperation>

/** Behind the link in a sender's mails. */
export const MANAGE_OPERATIONS = {
  'GET /manage/{token}': {
    id: 'showManage',
    summary:
      "A page with a button, for the link in a sender's mails. Changes nothing, and says nothing of the subscription.",
    answers: { 200: 'page' },
  },
  'POST /manage/{token}': {
    id: 'mailPreferences',
    summary:
      'Have the link to its preferences mailed to the address of the subscription. Whatever became of it, the answer is the same.',
    answers: { 200: 'Message' },
    orPage: true,
    errors: BODY_ERRORS,
  },
} as const satisfies Record<Route, Operation>
