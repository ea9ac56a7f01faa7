export type Schema = Readonly<Record<string, unknown>>

const text = (description?: string): Schema => ({ type: 'string', ...(description && { description }) })
const time: Schema = { type: 'string', format: 'date-time', description: 'RFC 3339, UTC, with milliseconds.' }
const timeOrNull: Schema = { ...time, type: ['string', 'null'] }
const textOrNull: Schema = { type: ['string', 'null'] }
const texts: Schema = { type: 'array', items: { type: 'string' } }

/** An object with exactly these properties, all of them there unless named as optional. */
const record = (properties: Readonly<Record<string, Schema>>, optional: readonly string[] = []): Schema => ({
  type: 'object',
  properties,
  required: Object.keys(properties).filter((name) => !optional.includes(name)),
})

const listOf = (schema: string): Schema =>
  record({
    items: { type: 'array', items: { $ref: `#/components/schemas/${schema}` } },
    next: { ...textOrNull, description: 'The cursor of what comes after; null at the end.' },
  })

const subscriptionId: Schema = { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER }
const email = text('At most 254 bytes, with its domain as A-labels.')
const personName: Schema = { type: 'string', maxLength: 200 }

export const SCHEMAS = {
  SubscribeForm: record(
    {
      email,
      name: personName,
      feed: text("The name of a feed; 'default' where none is given."),
      locale: text('A BCP 47 language tag, for mails and pages.'),
      website: text('Leave it out: people do not see this field.'),
      altcha: text(
        'The solution of a challenge, base64 of JSON as the ALTCHA widget makes it, where one is asked for.',
      ),
    },
    ['name', 'feed', 'locale', 'website', 'altcha'],
  ),
  Challenge: record({ parameters: { type: 'object' }, signature: text() }),
  SubscriptionResult: record({
    message: text(),
    subscription: record({ name: text(), email: text('As submitted.'), id: subscriptionId, feed: text() }),
  }),
  Message: record({ message: text() }),
  UserForm: record({ email, name: personName, roles: { ...texts, description: 'In a form: separated by spaces.' } }),
  User: record({ id: text(), email: text(), name: text(), roles: texts, created_at: time, updated_at: time }),
  UserList: listOf('User'),
  FeedForm: record({ title: text(), description: text(), language: textOrNull }, ['title', 'description', 'language']),
  Feed: record({
    name: { type: 'string', pattern: '^[a-z0-9][a-z0-9-]{0,63}$' },
    title: text(),
    description: text(),
    language: textOrNull,
    created_at: time,
    updated_at: time,
  }),
  FeedList: listOf('Feed'),
  Subscription: record({
    name: text(),
    email: text(),
    id: subscriptionId,
    feed: text(),
    status: { enum: ['pending', 'confirmed', 'ended'] },
    locale: textOrNull,
    created_at: time,
    confirmed_at: timeOrNull,
    ended_at: timeOrNull,
  }),
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
  Error: record({ error: text('PascalCase; does not change.'), message: text('For a person; says what to do.') }),
  InvalidInput: record({
    error: { const: 'InvalidInput' },
    message: text(),
    details: { type: 'array', items: record({ field: text(), message: text() }) },
  }),
  InternalError: record({
    error: { const: 'InternalError' },
    message: text(),
    request_id: text('What to look for in the log.'),
  }),
} as const satisfies Record<string, Schema>

export type SchemaName = keyof typeof SCHEMAS
