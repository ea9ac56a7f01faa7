import { DELIVERABILITY_STATES, EVENT_TYPES } from '@rollcall/core'
import { FEED_SCHEMAS } from './feed-schemas.ts'
import * as s from './schema.ts'

const SUBSCRIPTION_SCHEMAS = {
  Subscription: s.record(s.subscription, { ...s.fieldValues, ...s.moved }),
  SubscriptionList: s.sortedListOf('Subscription', {
    total: {
      ...s.count,
      description: 'How many the whole list has; not there if it is narrowed down to an address or by a query.',
    },
  }),
  Explanation: s.record({
    email: s.text('As it was asked for.'),
    suppression: s.orNull(s.record(s.suppression), 'Why and since when mails to the address are stopped.'),
    deliverability: s.oneOf('ok', ...DELIVERABILITY_STATES),
    subscriptions: s.arrayOf(s.refer('Subscription')),
    timeline: s.arrayOf(
      s.record({
        at: s.time,
        what: s.text('For a person.'),
        feed: s.textOrNull(),
        message_id: s.textOrNull(),
        until: { ...s.timeOrNull, description: 'When it is over, or goes on.' },
      }),
      'In order of time, as far back as it is kept.',
    ),
    conclusion: s.text('One sentence: what would make a mail go out now.'),
  }),
  Consent: s.record(s.consent),
  ConsentList: s.listOf('Consent'),
  OnBehalfForm: s.form({
    reason: s.visibleLine(500, "Why, for the audit trail; without the owner's name and address."),
  }),
  Suppression: s.record({
    address: { type: 'string', pattern: '^[0-9a-f]{32}$', description: 'A keyed hash.' },
    ...s.suppression,
  }),
  SuppressionList: s.listOf('Suppression'),
  Event: s.record({
    specversion: s.always('1.0'),
    id: s.text('Unique, and never changes.'),
    source: s.text('The public URL of this service.'),
    type: s.oneOf(...EVENT_TYPES),
    subject: s.text('The id of the subscription or the user.'),
    time: s.time,
    datacontenttype: s.always('application/json'),
    sequence: s.text("The value of 'after' to continue behind this event; sorts alphabetically."),
    data: {
      description:
        'The subject as it is now; only its id and its feed once it is erased, and in the event of its erasure.',
      anyOf: [
        s.refer('Subscription'),
        s.refer('User'),
        s.record({ id: { type: ['integer', 'string'] } }, { feed: s.text('Of a subscription.') }),
      ],
    },
  }),
  EventList: s.listOf('Event'),
} as const satisfies Record<string, s.Schema>

const when = { ...s.timeOrNull, description: 'RFC 3339, or a date; UTC without an offset.' }

const TRANSFER_SCHEMAS = {
  ConsentEvidence: s.record(s.consent, { wording_text: s.text('What the wording said, where it was the feed’s own.') }),
  ExportedSubscription: s.record(
    { ...s.subscription, consent: s.arrayOf(s.refer('ConsentEvidence'), 'Oldest first.') },
    { ...s.fieldValues, ...s.moved },
  ),
  ImportRow: {
    ...s.record(
      { email: s.email },
      {
        name: { ...s.personName, type: ['string', 'null'] },
        feed: s.textOrNull("'default' where none is given."),
        locale: s.textOrNull(),
        status: {
          type: ['string', 'null'],
          enum: ['pending', 'confirmed', 'ended', null],
          description: "'confirmed' only with 'confirmed_at' and 'consent', else pending.",
        },
        created_at: when,
        confirmed_at: when,
        ended_at: when,
        consent: {
          description: 'How consent was given: in words, or the entries of an export.',
          oneOf: [s.textOrNull(), s.arrayOf(s.refer('ConsentEvidence'))],
        },
        fields: { type: ['object', 'null'], description: 'All values of fields of the feed, as an export has them.' },
      },
    ),
    patternProperties: { '^field_[a-z][a-z0-9_]{0,31}$': { description: 'The value of a field of the feed.' } },
  },
  RefusedRow: s.record(
    {
      line: { ...s.positive, description: 'The line of the file that the row begins in.' },
      error: s.oneOf('FeedNotFound', 'InvalidInput', 'MalformedRow', 'Suppressed'),
      message: s.text('What to do about it.'),
    },
    { details: s.fieldProblems },
  ),
  ImportSummary: s.record(
    {
      rows: s.count,
      imported: s.count,
      unchanged: { ...s.count, description: 'Were there already, and stay as they are.' },
      refused: s.count,
      confirmed: s.count,
      pending: s.count,
      ended: s.count,
      interrupted: s.flag(),
    },
    {
      ...s.endOfImport,
      unread: s.arrayOf(
        s.record({ field: s.text(), value: s.text('The first of them.'), count: s.positive }),
        'Optional values that could not be read, and were left out; missing where there were none.',
      ),
    },
  ),
  BrokenOff: s.record(
    { error: s.oneOf('InternalError', 'MalformedRequest', 'Unavailable'), message: s.text('What to do about it.') },
    { request_id: s.text('The id to look for in the log.') },
  ),
  ImportReportLine: {
    oneOf: [s.refer('RefusedRow'), s.refer('ImportSummary'), s.refer('BrokenOff')],
    description: 'One for each refused row, then the summary; or, if the import breaks off, why.',
  },
} as const satisfies Record<string, s.Schema>

const types = s.arrayOf(s.oneOf(...EVENT_TYPES), 'Which events are sent there.')

const webhook = {
  name: s.resourceName,
  url: s.text(),
  types,
  enabled: s.flag(),
  disabled_because: {
    type: ['string', 'null'],
    enum: ['by-hand', 'failing', 'gone', null],
    description: "'failing': all deliveries failed for three days. 'gone': it answered 410.",
  },
  disabled_since: s.timeOrNull,
  previous_secret_until: { ...s.timeOrNull, description: 'Until then the secret before the last rotation signs, too.' },
  created_at: s.time,
  updated_at: s.time,
}

const webhookUrl = s.url('The target: https, and a public address unless others are allowed.')

const WEBHOOK_SCHEMAS = {
  WebhookForm: s.form(
    { url: webhookUrl },
    {
      types: {
        ...types,
        description: 'The types of events to send; by default all. In a form: separated by spaces.',
      },
      enabled: s.flag('Whether events are sent; by default true.'),
    },
  ),
  WebhookPatch: s.record(
    {},
    {
      url: webhookUrl,
      ...s.form({}, { types: { ...types, description: 'By default all.' }, enabled: s.flag('By default true.') })
        .properties,
    },
  ),
  Webhook: s.record(webhook),
  WebhookList: s.listOf('Webhook'),
  WebhookWithSecret: s.record({
    ...webhook,
    secret: { type: 'string', pattern: '^whsec_[A-Za-z0-9+/]{43}=$', description: 'Shown only here. Store it.' },
  }),
  WebhookRotationForm: s.form({}, { revoke: s.flag('Whether the old secret stops signing at once.') }),
  RedeliveryForm: s.form(
    {},
    {
      after: { ...s.cursor, description: "The 'sequence' of an event: all events after it are sent again." },
      since: { ...s.time, description: 'All events from then on are sent again.' },
      parked: s.flag('Those that were given up are sent again.'),
    },
  ),
  Redelivery: s.record({
    webhook: s.text(),
    after: s.textOrNull('All events after this sequence are sent again; null if none are.'),
    retried: { ...s.count, description: 'How many that were given up are sent again.' },
  }),
} as const satisfies Record<string, s.Schema>

/** Feeds, subscriptions, suppressions, events, files and webhooks. */
export const ADMINISTRATION_SCHEMAS = {
  ...FEED_SCHEMAS,
  ...SUBSCRIPTION_SCHEMAS,
  ...TRANSFER_SCHEMAS,
  ...WEBHOOK_SCHEMAS,
}
