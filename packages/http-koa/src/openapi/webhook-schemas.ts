import { EVENT_TYPES } from '@rollcall/core'
import { arrayOf, listOf, record, type Schema, text, textOrNull, time, timeOrNull } from './schema.ts'

const types = arrayOf({ enum: EVENT_TYPES }, 'Which events are sent there.')

const webhook = {
  name: { type: 'string', pattern: '^[a-z0-9][a-z0-9-]{0,63}$' },
  url: text(),
  types,
  enabled: { type: 'boolean' },
  disabled_because: {
    enum: ['by-hand', 'failing', 'gone', null],
    description: "'failing': all deliveries failed for three days. 'gone': it answered 410.",
  },
  disabled_since: timeOrNull,
  previous_secret_until: { ...timeOrNull, description: 'Until then the secret before the last rotation signs, too.' },
  created_at: time,
  updated_at: time,
} as const satisfies Readonly<Record<string, Schema>>

export const WEBHOOK_SCHEMAS = {
  WebhookForm: record(
    {
      url: text('The target: https, and a public address unless others are allowed.'),
      types: {
        ...types,
        description: 'The types of events to send; by default all. In a form: separated by spaces.',
      },
      enabled: { type: 'boolean', description: 'Whether events are sent; by default true.' },
    },
    ['types', 'enabled'],
  ),
  Webhook: record(webhook),
  WebhookList: listOf('Webhook'),
  WebhookWithSecret: record({
    ...webhook,
    secret: { type: 'string', pattern: '^whsec_[A-Za-z0-9+/]{43}=$', description: 'Shown only here. Store it.' },
  }),
  WebhookRotationForm: record(
    { revoke: { type: 'boolean', description: 'Whether the old secret stops signing at once.' } },
    ['revoke'],
  ),
  RedeliveryForm: record(
    {
      after: text("The 'sequence' of an event: all events after it are sent again."),
      since: { ...time, description: 'All events from then on are sent again.' },
      parked: { type: 'boolean', description: 'Those that were given up are sent again.' },
    },
    ['after', 'since', 'parked'],
  ),
  Redelivery: record({
    webhook: text(),
    after: { ...textOrNull, description: 'All events after this sequence are sent again; null if none are.' },
    retried: { type: 'integer', minimum: 0, description: 'How many that were given up are sent again.' },
  }),
} as const satisfies Record<string, Schema>
