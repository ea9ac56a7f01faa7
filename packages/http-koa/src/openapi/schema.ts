/** A JSON Schema, 2020-12. */
export type Schema = Readonly<Record<string, unknown>>

type Properties = Readonly<Record<string, Schema>>

const described = (schema: Schema, description?: string): Schema => ({ ...schema, ...(description && { description }) })

export const text = (description?: string): Schema => described({ type: 'string' }, description)
export const flag = (description?: string): Schema => described({ type: 'boolean' }, description)
export const textOrNull = (description?: string): Schema => described({ type: ['string', 'null'] }, description)
export const texts: Schema = { type: 'array', items: { type: 'string' } }
export const count: Schema = { type: 'integer', minimum: 0 }
export const positive: Schema = { type: 'integer', minimum: 1 }
export const time: Schema = { type: 'string', format: 'date-time', description: 'RFC 3339, UTC, with milliseconds.' }
export const timeOrNull: Schema = { ...time, type: ['string', 'null'] }

/** An object with exactly these properties; those of a form may be left out. */
export const record = (
  required: Properties,
  optional: Properties = {},
): Schema & { readonly required: readonly string[] } => ({
  type: 'object',
  properties: { ...required, ...optional },
  required: Object.keys(required),
})

export const arrayOf = (items: Schema, description?: string): Schema => ({
  ...described({ type: 'array' }, description),
  items,
})

export const orNull = (schema: Schema, description?: string): Schema => ({
  ...described({}, description),
  oneOf: [schema, { type: 'null' }],
})

/** A schema of the document, by its name. */
export const refer = (schema: string): Schema => ({ $ref: `#/components/schemas/${schema}` })

export const listOf = (schema: string) =>
  record({ items: arrayOf(refer(schema)), next: textOrNull('The cursor of the next page; null at the end.') })

export const subscriptionId: Schema = { ...positive, maximum: Number.MAX_SAFE_INTEGER }
export const resourceName: Schema = { type: 'string', pattern: '^[a-z0-9][a-z0-9-]{0,63}$' }
export const email = text('At most 254 bytes, with its domain as A-labels.')
export const personName: Schema = { type: 'string', maxLength: 200 }
export const honeypot = text('Leave it out: people do not see this field.')
export const altcha = text(
  'The solution of a challenge, if challenges are on: base64 of JSON, as the ALTCHA widget makes it.',
)
export const suppression = { cause: { enum: ['refused', 'never-again'] }, since: time }
export const fieldProblems: Schema = { type: 'array', items: record({ field: text(), message: text() }) }

/** The fields of a subscription, shared by several schemas. */
export const subscription = {
  name: text(),
  email: text(),
  id: subscriptionId,
  feed: text(),
  status: { enum: ['pending', 'confirmed', 'ended'] },
  locale: textOrNull(),
  created_at: time,
  confirmed_at: timeOrNull,
  ended_at: timeOrNull,
} as const satisfies Properties

/** The fields of a consent ledger entry, shared by several schemas. */
export const consent = {
  at: time,
  deed: { enum: ['requested', 'confirmed', 'refused', 'ended', 'allowed'] },
  via: text('How: a form, a link, an import, or the id of the caller.'),
  wording: text('Which wording the person was shown.'),
  language: textOrNull(),
  client_address: textOrNull('Cut to /24 or /48.'),
  user_agent: textOrNull(),
  count: { ...positive, description: 'How often within ten minutes.' },
} as const satisfies Properties
