import { ADMINISTRATION_SCHEMAS } from './administration-schemas.ts'
import { DELETION_SCHEMAS } from './deletion-schemas.ts'
import { PREFERENCES_SCHEMAS } from './preferences-schemas.ts'
import {
  altcha,
  email,
  honeypot,
  listOf,
  personName,
  record,
  type Schema,
  subscriptionId,
  text,
  textOrNull,
  texts,
  time,
} from './schema.ts'
import { TRANSFER_SCHEMAS } from './transfer-schemas.ts'
import { WEBHOOK_SCHEMAS } from './webhook-schemas.ts'

export type { Schema }

export const SCHEMAS = {
  SubscribeForm: record(
    {
      email,
      name: personName,
      feed: text("The name of a feed; by default 'default'."),
      locale: text('A BCP 47 language tag, for mails and pages.'),
      website: honeypot,
      altcha,
      return_to: text("Where to send a browser back to: exactly one of the feed's return URLs."),
      stamp: text('Only for the sign-up page itself: when it was shown, signed.'),
    },
    ['name', 'feed', 'locale', 'website', 'altcha', 'return_to', 'stamp'],
  ),
  Challenge: record({ parameters: { type: 'object' }, signature: text() }),
  SubscriptionResult: record({
    message: text(),
    subscription: record({ name: text(), email: text('As submitted.'), id: subscriptionId, feed: text() }),
  }),
  Message: record({ message: text() }),
  ReasonForm: record({ reason: text('The reason for the audit trail; without a name or an address.') }, ['reason']),
  ...PREFERENCES_SCHEMAS,
  UserForm: record({ email, name: personName, roles: { ...texts, description: 'In a form: separated by spaces.' } }),
  User: record({ id: text(), email: text(), name: text(), roles: texts, created_at: time, updated_at: time }),
  UserList: listOf('User'),
  ...DELETION_SCHEMAS,
  ...ADMINISTRATION_SCHEMAS,
  ...TRANSFER_SCHEMAS,
  ...WEBHOOK_SCHEMAS,
  AuditRecord: record({
    sequence: { type: 'integer', minimum: 1 },
    at: time,
    actor: text(),
    role_source: { enum: ['token', 'stored', 'operator'] },
    token_id: textOrNull,
    channel: { enum: ['http', 'cli', 'library'] },
    request_id: textOrNull,
    action: text(),
    target: textOrNull,
    outcome: text("'done', or the name of the error that refused it."),
    reason: textOrNull,
    count: { type: 'integer', minimum: 1 },
    hash: text('SHA-256 over the record before and this one, hexadecimal.'),
  }),
  AuditList: listOf('AuditRecord'),
  Liveness: record({ status: { const: 'alive' } }),
  Readiness: record({
    status: { enum: ['ready', 'unavailable'] },
    storage: { enum: ['ok', 'down'] },
    outbox: { enum: ['ok', 'parked', 'stuck'] },
  }),
  KeySet: record({ keys: { type: 'array', items: { type: 'object' } } }),
  OpenApi: { type: 'object' },
  Error: record({ error: text('PascalCase; does not change.'), message: text('For people; says what to do.') }),
  InvalidInput: record({
    error: { const: 'InvalidInput' },
    message: text(),
    details: { type: 'array', items: record({ field: text(), message: text() }) },
  }),
  InternalError: record({
    error: { const: 'InternalError' },
    message: text(),
    request_id: text('The id to look for in the log.'),
  }),
} as const satisfies Record<string, Schema>

export type SchemaName = keyof typeof SCHEMAS
