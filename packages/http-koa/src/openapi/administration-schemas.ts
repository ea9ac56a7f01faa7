import { EVENT_TYPES } from '@rollcall/core'
import {
  arrayOf,
  consent,
  count,
  email,
  fieldProblems,
  flag,
  listOf,
  orNull,
  personName,
  positive,
  record,
  refer,
  resourceName,
  type Schema,
  subscription,
  suppression,
  text,
  textOrNull,
  texts,
  time,
  timeOrNull,
} from './schema.ts'

const url = 'https (http only for loopback hosts), no user, no fragment, at most 2,000 characters of ASCII.'

const FEED_SCHEMAS = {
  FeedForm: record(
    {},
    {
      title: { type: 'string', maxLength: 200, description: 'By default the name.' },
      description: { type: 'string', maxLength: 2_000 },
      language: textOrNull(),
      sender: orNull(text("'News <news@example.com>', or an address alone; by default the service's own.")),
      wording: {
        type: ['string', 'null'],
        maxLength: 2_000,
        description:
          "What people are asked to agree to. A change is a new version; empty for the service's own; unchanged if not given.",
      },
      return_urls: { ...texts, maxItems: 10, description: `Absolute URLs: ${url} In a form: separated by spaces.` },
      confirmed_url: textOrNull(`Where people are sent after they have confirmed. ${url}`),
      open: flag('Whether it accepts sign-ups; by default true.'),
    },
  ),
  Feed: record({
    name: resourceName,
    title: text(),
    description: text(),
    language: textOrNull(),
    sender: textOrNull(),
    wordings: arrayOf(
      record({ version: positive, text: text("Empty if the service's own was shown again."), since: time }),
      'Every version there was, oldest first.',
    ),
    return_urls: texts,
    confirmed_url: textOrNull(),
    open: flag(),
    deleting_since: { ...timeOrNull, description: 'Since then it accepts no sign-ups.' },
    created_at: time,
    updated_at: time,
  }),
  FeedList: listOf('Feed'),
} as const satisfies Record<string, Schema>

const SUBSCRIPTION_SCHEMAS = {
  Subscription: record(subscription),
  SubscriptionList: listOf('Subscription'),
  Consent: record(consent),
  ConsentList: listOf('Consent'),
  OnBehalfForm: record({
    reason: {
      type: 'string',
      minLength: 1,
      maxLength: 500,
      description: "Why, for the audit trail; without the owner's name and address.",
    },
  }),
  Suppression: record({
    address: { type: 'string', pattern: '^[0-9a-f]{32}$', description: 'A keyed hash.' },
    ...suppression,
  }),
  SuppressionList: listOf('Suppression'),
  Event: record({
    specversion: { const: '1.0' },
    id: text('Unique, and never changes.'),
    source: text('The public URL of this service.'),
    type: text("Such as 'subscription.confirmed'."),
    subject: text('The id of the subscription or the user.'),
    time,
    datacontenttype: { const: 'application/json' },
    sequence: text("The value of 'after' to continue behind this event; sorts alphabetically."),
    data: {
      description: 'The subject as it is now; only its id once it is erased, and in the event of its erasure.',
      anyOf: [refer('Subscription'), refer('User'), record({ id: { type: ['integer', 'string'] } })],
    },
  }),
  EventList: listOf('Event'),
} as const satisfies Record<string, Schema>

const when = { ...timeOrNull, description: 'RFC 3339, or a date; UTC without an offset.' }

const TRANSFER_SCHEMAS = {
  ConsentEvidence: record(consent, { wording_text: text('What the wording said, where it was the feed’s own.') }),
  ExportedSubscription: record({ ...subscription, consent: arrayOf(refer('ConsentEvidence'), 'Oldest first.') }),
  ImportRow: record(
    { email },
    {
      name: { ...personName, type: ['string', 'null'] },
      feed: textOrNull("'default' where none is given."),
      locale: textOrNull(),
      status: {
        enum: ['pending', 'confirmed', 'ended', null],
        description: "'confirmed' only with 'confirmed_at' and 'consent', else pending.",
      },
      created_at: when,
      confirmed_at: when,
      ended_at: when,
      consent: {
        description: 'How consent was given: in words, or the entries of an export.',
        oneOf: [textOrNull(), arrayOf(refer('ConsentEvidence'))],
      },
    },
  ),
  RefusedRow: record(
    {
      line: { ...positive, description: 'The line of the file that the row begins in.' },
      error: { enum: ['FeedNotFound', 'InvalidInput', 'MalformedRow', 'Suppressed'] },
      message: text('What to do about it.'),
    },
    { details: fieldProblems },
  ),
  ImportSummary: record({
    rows: count,
    imported: count,
    unchanged: { ...count, description: 'Were there already, and stay as they are.' },
    refused: count,
    confirmed: count,
    pending: count,
    ended: count,
    interrupted: flag(),
  }),
  ImportReportLine: { oneOf: [refer('RefusedRow'), refer('ImportSummary'), refer('Error')] },
} as const satisfies Record<string, Schema>

const types = arrayOf({ enum: EVENT_TYPES }, 'Which events are sent there.')

const webhook = {
  name: resourceName,
  url: text(),
  types,
  enabled: flag(),
  disabled_because: {
    enum: ['by-hand', 'failing', 'gone', null],
    description: "'failing': all deliveries failed for three days. 'gone': it answered 410.",
  },
  disabled_since: timeOrNull,
  previous_secret_until: { ...timeOrNull, description: 'Until then the secret before the last rotation signs, too.' },
  created_at: time,
  updated_at: time,
}

const WEBHOOK_SCHEMAS = {
  WebhookForm: record(
    { url: text('The target: https, and a public address unless others are allowed.') },
    {
      types: {
        ...types,
        description: 'The types of events to send; by default all. In a form: separated by spaces.',
      },
      enabled: flag('Whether events are sent; by default true.'),
    },
  ),
  Webhook: record(webhook),
  WebhookList: listOf('Webhook'),
  WebhookWithSecret: record({
    ...webhook,
    secret: { type: 'string', pattern: '^whsec_[A-Za-z0-9+/]{43}=$', description: 'Shown only here. Store it.' },
  }),
  WebhookRotationForm: record({}, { revoke: flag('Whether the old secret stops signing at once.') }),
  RedeliveryForm: record(
    {},
    {
      after: text("The 'sequence' of an event: all events after it are sent again."),
      since: { ...time, description: 'All events from then on are sent again.' },
      parked: flag('Those that were given up are sent again.'),
    },
  ),
  Redelivery: record({
    webhook: text(),
    after: textOrNull('All events after this sequence are sent again; null if none are.'),
    retried: { ...count, description: 'How many that were given up are sent again.' },
  }),
} as const satisfies Record<string, Schema>

/** Feeds, subscriptions, suppressions, events, files and webhooks. */
export const ADMINISTRATION_SCHEMAS = {
  ...FEED_SCHEMAS,
  ...SUBSCRIPTION_SCHEMAS,
  ...TRANSFER_SCHEMAS,
  ...WEBHOOK_SCHEMAS,
}
