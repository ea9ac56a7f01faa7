import { PREFERENCES_ACTIONS } from '@rollcall/core'
import { ADMINISTRATION_SCHEMAS } from './administration-schemas.ts'
import {
  altcha,
  arrayOf,
  consent,
  count,
  email,
  fieldProblems,
  flag,
  honeypot,
  listOf,
  orNull,
  personName,
  positive,
  record,
  refer,
  type Schema,
  subscription,
  subscriptionId,
  suppression,
  text,
  textOrNull,
  texts,
  time,
  timeOrNull,
} from './schema.ts'

export type { Schema }

const suppressionOrNull = orNull(record(suppression), 'Why and since when the address gets no sign-up mail.')

const pendingMail = record({
  kind: { enum: ['confirmation', 'already-subscribed', 'preferences'] },
  message_id: text(),
  created_at: time,
  not_before: time,
  expires_at: timeOrNull,
  attempts: count,
  last_error: textOrNull(),
  parked_at: timeOrNull,
})

/** Requests of the owner of an address, and the answers. */
const PREFERENCES_SCHEMAS = {
  PreferencesRequestForm: record(
    { email },
    { locale: text('A BCP 47 language tag, for the page that answers.'), website: honeypot, altcha },
  ),
  PreferencesForm: record(
    { action: { enum: PREFERENCES_ACTIONS } },
    {
      feed: text("For 'subscribe' and 'end': the name of a feed of which the address has a subscription."),
      never_again: flag("For 'erase': that no mail may be sent to the address afterwards."),
    },
  ),
  Preferences: record({
    email: text(),
    suppression: suppressionOrNull,
    subscriptions: arrayOf(
      record({ ...subscription, title: text("The feed's."), open: flag('Whether the feed accepts sign-ups.') }),
    ),
  }),
  PreferencesChange: record({
    message: text(),
    preferences: orNull(refer('Preferences'), 'As they are now; null once everything is erased.'),
  }),
  StoredAboutAddress: record({
    email: text(),
    exported_at: time,
    suppression: suppressionOrNull,
    subscriptions: arrayOf(
      record({
        ...subscription,
        title: textOrNull("The feed's."),
        expires_at: timeOrNull,
        consents: arrayOf(record({ ...consent, wording_text: textOrNull("Null for the service's own wording.") })),
        owed_mail: orNull(pendingMail),
        kept_mails: { ...texts, description: 'Message-IDs of the mails that are kept as files.' },
      }),
    ),
    mails_sent: arrayOf(
      record({ at: time, message_id: text() }),
      'The mails of the last week, which count towards the caps.',
    ),
  }),
} as const satisfies Record<string, Schema>

const USER_SCHEMAS = {
  UserForm: record({ email, name: personName, roles: { ...texts, description: 'In a form: separated by spaces.' } }),
  User: record({ id: text(), email: text(), name: text(), roles: texts, created_at: time, updated_at: time }),
  UserList: listOf('User'),
  UserExport: record({
    user: refer('User'),
    subscriptions: arrayOf(refer('Subscription'), 'Of the same address.'),
    audit: arrayOf(refer('AuditRecord'), 'What the user did, and what was done to it.'),
  }),
  ErasureReceipt: record({
    user_id: text(),
    deleted_at: time,
    deleted_by: textOrNull(),
    role_source: textOrNull(),
    channel: textOrNull(),
    request_id: textOrNull(),
    reason: textOrNull(),
    audit_sequence: positive,
    erases_at: { ...timeOrNull, description: 'Until then it can be restored, and nothing is erased.' },
    erased: record({ users: count, roles: count, subscriptions: count, mails: count }),
    kept: arrayOf(record({ what: text(), count: { type: ['integer', 'null'] }, why: text() })),
  }),
} as const satisfies Record<string, Schema>

export const SCHEMAS = {
  SubscribeForm: record(
    { email },
    {
      name: personName,
      feed: text("The name of a feed; by default 'default'."),
      locale: text('A BCP 47 language tag, for mails and pages.'),
      website: honeypot,
      altcha,
      return_to: text("Where to send a browser back to: exactly one of the feed's return URLs."),
      stamp: text('Only for the sign-up page itself: when it was shown, signed.'),
    },
  ),
  Challenge: record({ parameters: { type: 'object' }, signature: text() }),
  SubscriptionResult: record({
    message: text(),
    subscription: record({ name: text(), email: text('As submitted.'), id: subscriptionId, feed: text() }),
  }),
  Message: record({ message: text() }),
  ReasonForm: record({}, { reason: text('The reason for the audit trail; without a name or an address.') }),
  ...PREFERENCES_SCHEMAS,
  ...USER_SCHEMAS,
  ...ADMINISTRATION_SCHEMAS,
  AuditRecord: record({
    sequence: positive,
    at: time,
    actor: text(),
    role_source: { enum: ['token', 'stored', 'operator'] },
    token_id: textOrNull(),
    channel: { enum: ['http', 'cli', 'library'] },
    request_id: textOrNull(),
    action: text(),
    target: textOrNull(),
    outcome: text("'done', or the name of the error that refused it."),
    reason: textOrNull(),
    count: positive,
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
  InvalidInput: record({ error: { const: 'InvalidInput' }, message: text(), details: fieldProblems }),
  InternalError: record({
    error: { const: 'InternalError' },
    message: text(),
    request_id: text('The id to look for in the log.'),
  }),
} as const satisfies Record<string, Schema>

export type SchemaName = keyof typeof SCHEMAS
