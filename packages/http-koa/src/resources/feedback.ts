import {
  camelCased,
  DELIVERABILITY_STATES,
  DecideFeedbackUseCase,
  ENHANCED_STATUS,
  FEEDBACK_KINDS,
  type FeedbackItem,
  InvalidInput,
  LiftUndeliverableUseCase,
  ListFeedbackUseCase,
  ListUndeliverableUseCase,
  MOST_ITEMS,
  publishedDeliverability,
  publishedWaitingFeedback,
  RecordFeedbackUseCase,
} from '@rollcall/core'
import { limitForgeries } from '../middleware/rate-limit.ts'
import { operation, resource } from '../operation/operation.ts'
import { PAGING, parameter } from '../operation/parameters.ts'
import * as s from '../operation/schema.ts'
import * as w from '../operation/words.ts'
import { readRawBody } from '../reading/raw-body.ts'
import { deliverability } from './feedback-record.ts'
import { DONE, listed, result } from './record-of.ts'

const kind = s.oneOf(FEEDBACK_KINDS)
const EXCLUSIVE = 'An id and an address exclude each other.'
const recipient = s.said(w.subscriptionId, 'The id of the recipient.')

const report = {
  permanent: s.flag(
    'Of a bounce without a status: whether it was final. By default as the first digit of the status says.',
  ),
  status: s.text('The enhanced status code (RFC 3463), such as 5.1.1.', {
    pattern: `^(?:${ENHANCED_STATUS.source.slice(1, -1)})?$`,
  }),
  at: s.said(w.time, 'When it came about (RFC 3339); by default now.'),
  provider_id: w.line(255, 'What the provider calls this report: the same one counts once within 30 days.'),
}
const never = s.anything({ type: ['null'], description: EXCLUSIVE })

const RecipientFeedback = s.named(
  'RecipientFeedback',
  s.form({ kind, subscription: recipient }, { ...report, address: never }),
)
const AddressFeedback = s.named(
  'AddressFeedback',
  s.said(s.form({ kind, address: w.email }, { ...report, subscription: never }), 'For administrators.'),
)
/** Either of them: which it is, the core says with what is wrong. */
const item = s.word(s.form({}, { ...report, kind: s.text(), address: w.email, subscription: recipient }), {
  anyOf: [RecipientFeedback, AddressFeedback].map(s.jsonOf),
})

const FeedbackReport = s.named(
  'FeedbackReport',
  s.form({ items: s.arrayOf(item, undefined, { minItems: 1, maxItems: MOST_ITEMS }) }),
)

const itemsIn = (items: s.Value<typeof FeedbackReport>['items']): FeedbackItem[] =>
  items.map((given) => {
    const one = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null))
    const {
      kind = '',
      subscription,
      ...others
    } = one as { readonly [Name in keyof typeof given]: NonNullable<(typeof given)[Name]> }
    return { ...camelCased(others), kind, subscription: subscription === undefined ? undefined : String(subscription) }
  })

const SnsMessage = s.named(
  'SnsMessage',
  s.record(
    {
      Type: s.text(),
      MessageId: s.text(),
      TopicArn: s.text(),
      Message: s.text('JSON of Amazon SES.'),
      Timestamp: s.text(),
      SignatureVersion: s.text(),
      Signature: s.text(),
      SigningCertURL: s.text(),
    },
    { Subject: w.textOrNull(), SubscribeURL: w.textOrNull(), Token: w.textOrNull() },
  ),
)

const WaitingFeedback = s.named(
  'WaitingFeedback',
  s.record({
    id: w.positive,
    caller: s.text('Who reported it.'),
    feeds: s.orNull(s.texts('The feeds that the caller is bound to; null without bounds.')),
    kind,
    address: w.hash,
    subscription: s.orNull(w.subscriptionId),
    permanent: s.flag(),
    status: w.textOrNull(),
    at: w.time,
    since: s.said(w.time, 'Since when it waits.'),
  }),
)

const FeedbackDecision = s.named(
  'FeedbackDecision',
  s.form({
    ids: s.list(w.subscriptionId, 'Ids of feedback that waits.', { minItems: 1, maxItems: MOST_ITEMS }),
  }),
)
const DecidedFeedback = s.named('DecidedFeedback', s.record({ decided: s.said(w.count, 'How many of them waited.') }))

const Undeliverable = s.named('Undeliverable', s.record({ address: w.hash, ...deliverability }))

const DECISIONS = {
  accept: 'Carry out feedback that waits. Ids that were decided on already are skipped.',
  drop: 'Forget feedback that waits. Ids that were decided on already are skipped.',
} as const

const PostmarkReport = s.named(
  'PostmarkReport',
  s.record(
    { RecordType: s.text('Bounce, SpamComplaint or Delivery; others are taken, and say nothing.') },
    { ID: s.integer(), Type: s.text(), Email: s.text(), Recipient: s.text(), Details: s.text() },
  ),
)
const SendgridReport = s.named(
  'SendgridReport',
  s.arrayOf(
    s.record(
      {
        email: s.text(),
        event: s.text('bounce, dropped, spamreport or delivered; others are taken, and say nothing.'),
      },
      { timestamp: s.integer(), sg_event_id: s.text(), type: s.text(), status: s.text(), reason: s.text() },
    ),
    'What happened to mails.',
  ),
)

/** What a mail provider sends by itself: its signature, or a secret that it was given, stands for a token. */
const receiving = (
  provider: string,
  declared: { readonly id: string; readonly summary: string; readonly body: s.Schema },
) =>
  operation(`POST /feedback/${provider}`, {
    ...declared,
    reads: 'message',
    answers: { 200: w.Message },
    errors: ['SignatureNotValid', 'TooManyRequests'],
    before: (options) => [limitForgeries(options)],
    handle: async ({ ctx, useCases }) => {
      const body = await readRawBody(ctx)
      const { requestId } = ctx.state.rollcall
      const header = (name: string): string | undefined => {
        const value = ctx.req.headers[name]
        return typeof value === 'string' ? value : undefined
      }
      await useCases.receiveFeedback.execute({ provider, body, header, requestId })
      return result({ message: 'The message was taken.' })
    },
  })

export const feedback = resource('Feedback', [
  operation('POST /feedback', {
    id: 'recordFeedback',
    summary:
      "Report bounces and complaints of mails that were sent to recipients. What is not in the caller's feeds, is older than 14 days, or was reported already by the same 'provider_id' changes nothing, and the answer is the same. Beyond 100 addresses and 5 % of the recipients in a day, the rest waits for an administrator.",
    guarded: RecordFeedbackUseCase,
    body: FeedbackReport,
    reads: 'json',
    example: {
      items: [
        {
          kind: 'bounce',
          subscription: 8127340912345678,
          permanent: true,
          status: '5.1.1',
          provider_id: '0102018c-3f2e',
        },
      ],
    },
    answers: { 204: null },
    handle: async ({ useCases, body, caller }) => {
      await useCases.recordFeedback.execute({ items: itemsIn(body.items) }, caller)
      return DONE
    },
  }),
  operation('GET /feedback', {
    id: 'listFeedback',
    summary: 'Feedback that waits for a decision, the oldest first.',
    guarded: ListFeedbackUseCase,
    query: PAGING,
    answers: { 200: s.named('WaitingFeedbackList', w.listOf(WaitingFeedback)) },
    conditional: 'read',
    handle: async ({ useCases, query, caller }) =>
      listed(await useCases.listFeedback.execute(query, caller), publishedWaitingFeedback),
  }),
  ...(['accept', 'drop'] as const).map((decision) =>
    operation(`POST /feedback/${decision}`, {
      id: `${decision}Feedback`,
      summary: DECISIONS[decision],
      guarded: DecideFeedbackUseCase,
      body: FeedbackDecision,
      reads: 'json',
      example: { ids: [17] },
      idempotent: true,
      answers: { 200: DecidedFeedback },
      handle: async ({ useCases, body: { ids }, caller }) => {
        if (!ids.every((id) => Number.isSafeInteger(id) && Number(id) >= 1))
          throw new InvalidInput([{ field: 'ids', message: 'Give ids as the list of feedback has them.' }])
        return result({
          decided: await useCases.decideFeedback.execute({ decision, ids: ids as readonly number[] }, caller),
        })
      },
    }),
  ),
  receiving('postmark', {
    id: 'receivePostmarkFeedback',
    summary:
      'What Postmark reports. Believed only with the secret that is configured, as the password of basic authentication.',
    body: PostmarkReport,
  }),
  receiving('sendgrid', {
    id: 'receiveSendgridFeedback',
    summary: 'What SendGrid reports. Believed only with a signature of the key that is configured.',
    body: SendgridReport,
  }),
  receiving('ses', {
    id: 'receiveSesFeedback',
    summary:
      'What Amazon SES reports through Amazon SNS. Believed only with a valid signature of Amazon, and from a topic that is configured, whose subscription is confirmed when Amazon asks for it.',
    body: SnsMessage,
  }),
  operation('GET /undeliverable', {
    id: 'listUndeliverable',
    summary: 'Addresses at which mails come back, by hash, in the order in which they first failed.',
    guarded: ListUndeliverableUseCase,
    query: { state: parameter('Only those in this state.', s.wordOf(DELIVERABILITY_STATES)), ...PAGING },
    answers: { 200: s.named('UndeliverableList', w.listOf(Undeliverable)) },
    conditional: 'read',
    handle: async ({ useCases, query, caller }) =>
      listed(await useCases.listUndeliverable.execute(query, caller), publishedDeliverability),
  }),
  operation('DELETE /undeliverable/{address}', {
    id: 'liftUndeliverable',
    summary: 'Forget what is known against an address, so that mails go to it again.',
    guarded: LiftUndeliverableUseCase,
    answers: { 204: null },
    conditional: 'presence',
    errors: ['UndeliverableNotFound'],
    handle: async ({ useCases, path, caller, precondition }) => {
      await useCases.liftUndeliverable.execute({ ...path, precondition: precondition() }, caller)
      return DONE
    },
  }),
])
