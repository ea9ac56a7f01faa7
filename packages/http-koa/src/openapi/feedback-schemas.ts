import { FEEDBACK_KINDS, MOST_ITEMS } from '@rollcall/core'
import * as s from './schema.ts'

const hash: s.Schema = { type: 'string', pattern: '^[0-9a-f]{32}$', description: 'A keyed hash.' }
const kind = s.oneOf(...FEEDBACK_KINDS)

const never: s.Schema = { type: ['null'], description: 'An id and an address exclude each other.' }
const ids = s.arrayOf({ ...s.positive, maximum: Number.MAX_SAFE_INTEGER }, 'Ids of feedback that waits.')

const report = {
  permanent: s.flag(
    'Of a bounce without a status: whether it was final. By default as the first digit of the status says.',
  ),
  status: {
    type: 'string',
    pattern: '^(?:[245]\\.(?:0|[1-9]\\d{0,2})\\.(?:0|[1-9]\\d{0,2}))?$',
    description: 'The enhanced status code (RFC 3463), such as 5.1.1.',
  },
  at: { ...s.time, description: 'When it came about (RFC 3339); by default now.' },
  provider_id: s.line(255, 'What the provider calls this report: the same one counts once within 30 days.'),
} as const satisfies Record<string, s.Schema>

/** What came back of mails. */
export const FEEDBACK_SCHEMAS = {
  RecipientFeedback: s.form(
    { kind, subscription: { ...s.subscriptionId, description: 'The id of the recipient.' } },
    { ...report, address: never },
  ),
  AddressFeedback: {
    ...s.form({ kind, address: s.email }, { ...report, subscription: never }),
    description: 'For administrators.',
  },
  FeedbackReport: s.form({
    items: {
      ...s.arrayOf({ anyOf: [s.refer('RecipientFeedback'), s.refer('AddressFeedback')] }),
      minItems: 1,
      maxItems: MOST_ITEMS,
    },
  }),
  SnsMessage: s.record(
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
    { Subject: s.textOrNull(), SubscribeURL: s.textOrNull(), Token: s.textOrNull() },
  ),
  WaitingFeedback: s.record({
    id: s.positive,
    caller: s.text('Who reported it.'),
    feeds: {
      type: ['array', 'null'],
      items: { type: 'string' },
      description: 'The feeds that the caller is bound to; null without bounds.',
    },
    kind,
    address: hash,
    subscription: { ...s.subscriptionId, type: ['integer', 'null'] },
    permanent: s.flag(),
    status: s.textOrNull(),
    at: s.time,
    since: { ...s.time, description: 'Since when it waits.' },
  }),
  WaitingFeedbackList: s.listOf('WaitingFeedback'),
  FeedbackDecision: s.form({
    ids: { ...ids, minItems: 1, maxItems: MOST_ITEMS },
  }),
  DecidedFeedback: s.record({ decided: { ...s.count, description: 'How many of them waited.' } }),
  Undeliverable: s.record({ address: hash, ...s.deliverability }),
  UndeliverableList: s.listOf('Undeliverable'),
} as const satisfies Record<string, s.Schema>
