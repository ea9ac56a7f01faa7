import * as core from '@rollcall/core'
import { type GuardedOperation, list, type Operation, PAGING, type Route } from './operation.ts'
import * as s from './schema.ts'

/** What came back of mails. */
export const FEEDBACK_OPERATIONS = {
  'POST /feedback': {
    id: 'recordFeedback',
    summary:
      "Report bounces and complaints of mails that were sent to recipients. What is not in the caller's feeds, is older than 14 days, or was reported already by the same 'provider_id' changes nothing, and the answer is the same. Beyond 100 addresses and 5 % of the recipients in a day, the rest waits for an administrator.",
    guarded: core.RecordFeedbackUseCase,
    body: 'FeedbackReport',
    jsonOnly: true,
    answers: { 204: null },
  },
  'GET /feedback': list(
    'listFeedback',
    core.ListFeedbackUseCase,
    'WaitingFeedbackList',
    'Feedback that waits for a decision, the oldest first.',
  ),
  'POST /feedback/accept': {
    id: 'acceptFeedback',
    summary: 'Carry out feedback that waits. Ids that were decided on already are skipped.',
    guarded: core.DecideFeedbackUseCase,
    body: 'FeedbackDecision',
    ...{ jsonOnly: true, idempotent: true },
    answers: { 200: 'DecidedFeedback' },
  },
  'POST /feedback/drop': {
    id: 'dropFeedback',
    summary: 'Forget feedback that waits. Ids that were decided on already are skipped.',
    guarded: core.DecideFeedbackUseCase,
    body: 'FeedbackDecision',
    ...{ jsonOnly: true, idempotent: true },
    answers: { 200: 'DecidedFeedback' },
  },
  'GET /undeliverable': list(
    'listUndeliverable',
    core.ListUndeliverableUseCase,
    'UndeliverableList',
    'Addresses at which mails come back, by hash, in the order in which they first failed.',
    { state: { description: 'Only those in this state.', schema: s.deliverability.state }, ...PAGING },
  ),
  'DELETE /undeliverable/{address}': {
    id: 'liftUndeliverable',
    summary: 'Forget what is known against an address, so that mails go to it again.',
    guarded: core.LiftUndeliverableUseCase,
    answers: { 204: null },
    errors: ['UndeliverableNotFound'],
  },
} as const satisfies Record<Route, GuardedOperation>

/** What mail providers send by themselves. */
export const PROVIDER_OPERATIONS = {
  'POST /feedback/ses': {
    id: 'receiveSesFeedback',
    summary:
      'What Amazon SES reports through Amazon SNS. Believed only with a valid signature of Amazon, and from a topic that is configured, whose subscription is confirmed when Amazon asks for it.',
    body: 'SnsMessage',
    anyType: true,
    answers: { 200: 'Message' },
    errors: ['SignatureNotValid', 'TooManyRequests'],
  },
} as const satisfies Record<Route, Operation>
