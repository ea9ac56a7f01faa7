/** A JSON Schema, 2020-12. */
export type Schema = Readonly<Record<string, unknown>>

export const text = (description?: string): Schema => ({ type: 'string', ...(description && { description }) })
export const time: Schema = { type: 'string', format: 'date-time', description: 'RFC 3339, UTC, with milliseconds.' }
export const timeOrNull: Schema = { ...time, type: ['string', 'null'] }
export const textOrNull: Schema = { type: ['string', 'null'] }
export const texts: Schema = { type: 'array', items: { type: 'string' } }

/** An object with exactly these properties, all of them there unless named as optional. */
export const record = (
  properties: Readonly<Record<string, Schema>>,
  optional: readonly string[] = [],
): Schema & { readonly required: readonly string[] } => ({
  type: 'object',
  properties,
  required: Object.keys(properties).filter((name) => !optional.includes(name)),
})

export const arrayOf = (items: Schema, description?: string): Schema => ({
  type: 'array',
  ...(description && { description }),
  items,
})

export const orNull = (schema: Schema, description?: string): Schema => ({
  ...(description && { description }),
  oneOf: [schema, { type: 'null' }],
})

/** A schema of the document, by its name. */
export const refer = (schema: string): Schema => ({ $ref: `#/components/schemas/${schema}` })

export const listOf = (schema: string): Schema =>
  record({
    items: arrayOf(refer(schema)),
    next: { ...textOrNull, description: 'The cursor of the next page; null at the end.' },
  })

export const subscriptionId: Schema = { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER }
export const email = text('At most 254 bytes, with its domain as A-labels.')
export const personName: Schema = { type: 'string', maxLength: 200 }
export const honeypot = text('Leave it out: people do not see this field.')
export const altcha = text(
  'The solution of a challenge, if challenges are on: base64 of JSON, as the ALTCHA widget makes it.',
)

/** The fields of a subscription, shared by several schemas. */
export const subscription = {
  name: text(),
  email: text(),
  id: subscriptionId,
  feed: text(),
  status: { enum: ['pending', 'confirmed', 'ended'] },
  locale: textOrNull,
  created_at: time,
  confirmed_at: timeOrNull,
  ended_at: timeOrNull,
} as const satisfies Readonly<Record<string, Schema>>

/** The fields of a consent ledger entry, shared by several schemas. */
export const consent = {
  at: time,
  deed: { enum: ['requested', 'confirmed', 'refused', 'ended', 'allowed'] },
  via: text('How: a form, a link, an import, or the id of the caller.'),
  wording: text('Which wording the person was shown.'),
  language: textOrNull,
  client_address: { ...textOrNull, description: 'Cut to /24 or /48.' },
  user_agent: textOrNull,
  count: { type: 'integer', minimum: 1, description: 'How often within ten minutes.' },
} as const satisfies Readonly<Record<string, Schema>>
