import { BLOCK_CAUSES, FEEDBACK_KINDS, SUPPRESSION_CAUSES } from '@rollcall/core'

/** A JSON Schema, 2020-12. */
export type Schema = Readonly<Record<string, unknown>>

type Properties = Readonly<Record<string, Schema>>

const CONTROL = '\\u0000-\\u001f\\u007f-\\u009f'
/** Any text on one line. */
const LINE = `^[^${CONTROL}]*$`
/** As `LINE`, but not blank. */
const VISIBLE_LINE = `^[^${CONTROL}]*[^\\s\\ufeff${CONTROL}][^${CONTROL}]*$`

const described = (schema: Schema, description?: string): Schema => ({ ...schema, ...(description && { description }) })

export const text = (description?: string): Schema => described({ type: 'string' }, description)
export const flag = (description?: string): Schema => described({ type: 'boolean' }, description)
export const textOrNull = (description?: string): Schema => described({ type: ['string', 'null'] }, description)
export const texts: Schema = { type: 'array', items: { type: 'string' } }
export const count: Schema = { type: 'integer', minimum: 0 }
export const positive: Schema = { type: 'integer', minimum: 1 }
export const positiveOrNull: Schema = { type: ['integer', 'null'], minimum: 1 }
export const time: Schema = { type: 'string', format: 'date-time', description: 'RFC 3339, UTC, with milliseconds.' }
export const timeOrNull: Schema = { ...time, type: ['string', 'null'] }

/** An object with exactly these properties; those of a form may be left out. */
export const record = (
  required: Properties,
  optional: Properties = {},
): Schema & { readonly required: readonly string[]; readonly properties: Properties } => ({
  type: 'object',
  properties: { ...required, ...optional },
  required: Object.keys(required),
})

export const arrayOf = (items: Schema, description?: string): Schema => ({
  ...described({ type: 'array' }, description),
  items,
})

/** A form: what is optional may also be null in JSON, which is as if it was left out. */
export const form = (required: Properties, optional: Properties = {}) =>
  record(
    required,
    Object.fromEntries(
      Object.entries(optional).map(([name, schema]) => [
        name,
        typeof schema.type === 'string' ? { ...schema, type: [schema.type, 'null'] } : schema,
      ]),
    ),
  )

/** A form whose fields are never null; undefined if that is so already. */
export const withoutNull = (schema: Schema): Schema | undefined => {
  const fields = Object.entries(schema.properties as Properties)
  if (!fields.some(([, { type }]) => Array.isArray(type))) return undefined
  const properties = Object.fromEntries(
    fields.map(([name, field]) => [name, Array.isArray(field.type) ? { ...field, type: field.type[0] } : field]),
  )
  return { ...schema, properties }
}

export const orNull = (schema: Schema, description?: string): Schema => ({
  ...described({}, description),
  oneOf: [schema, { type: 'null' }],
})

/** A schema of the document, by its name. */
export const refer = (schema: string): Schema => ({ $ref: `#/components/schemas/${schema}` })

export const listOf = (schema: string, more: Properties = {}) =>
  record({ items: arrayOf(refer(schema)), next: textOrNull('The cursor of the next page; null at the end.') }, more)

export const sortedListOf = (schema: string, more: Properties = {}) =>
  record(
    {
      items: arrayOf(refer(schema)),
      next: textOrNull('The cursor of the next page; null at the end.'),
      previous: textOrNull('The cursor of the page before; null at the beginning.'),
    },
    more,
  )

export const subscriptionId: Schema = { ...positive, maximum: Number.MAX_SAFE_INTEGER }
export const resourceName: Schema = { type: 'string', pattern: '^[a-z0-9][a-z0-9-]{0,63}$' }
export const oneOf = (...choices: readonly string[]): Schema => ({ type: 'string', enum: choices })
/** The name of an event's or an error's type: a string that is always the same. */
export const always = (value: string): Schema => ({ type: 'string', const: value })
export const line = (maxLength: number, description?: string): Schema =>
  described({ type: 'string', maxLength, pattern: LINE }, description)
export const visibleLine = (maxLength: number, description?: string): Schema =>
  described({ type: 'string', minLength: 1, maxLength, pattern: VISIBLE_LINE }, description)
export const email: Schema = {
  type: 'string',
  format: 'idn-email',
  maxLength: 254,
  description:
    'At most 254 bytes with its domain as A-labels, which is how it is stored. White space and marks that are not seen are taken off its ends.',
}
/** Absolute, as RFC 3986 writes it, without user and fragment. */
export const url = (description?: string): Schema =>
  described(
    {
      type: 'string',
      maxLength: 2_000,
      pattern:
        "^[Hh][Tt][Tt][Pp][Ss]?://(?:[A-Za-z0-9._-]+|\\[[0-9A-Fa-f:.]+\\])(?::[0-9]{1,5})?(?:/(?:[A-Za-z0-9._~!$&'()*+,;=:@/-]|%[0-9A-Fa-f]{2})*)?(?:\\?(?:[A-Za-z0-9._~!$&'()*+,;=:@/?-]|%[0-9A-Fa-f]{2})*)?$",
    },
    description,
  )
export const personName = line(200)
export const status = oneOf('pending', 'confirmed', 'ended')
/** The position of an entry in its list, in decimal digits. */
export const cursor: Schema = { type: 'string', pattern: '^0?[0-9]{1,15}$' }
export const sortedCursor: Schema = { type: 'string', pattern: '^-?0?[0-9]{1,15}$' }
/** @see RFC 5646 section 2.1 */
const LANGUAGE_TAG =
  '^(?:(?:[A-Za-z]{2,3}(?:-[A-Za-z]{3}){0,3}|[A-Za-z]{4,8})(?:-[A-Za-z]{4})?(?:-(?:[A-Za-z]{2}|[0-9]{3}))?(?:-(?:[A-Za-z0-9]{5,8}|[0-9][A-Za-z0-9]{3}))*(?:-[0-9A-WY-Za-wy-z](?:-[A-Za-z0-9]{2,8})+)*(?:-[Xx](?:-[A-Za-z0-9]{1,8})+)?|[Xx](?:-[A-Za-z0-9]{1,8})+)?$'
export const languageTag = (description?: string): Schema =>
  described({ type: 'string', maxLength: 35, pattern: LANGUAGE_TAG }, description)
/** In a form. */
export const locale = (use: string): Schema =>
  text(`A BCP 47 language tag, ${use}. \`de_DE\` counts as \`de-DE\`; one that cannot be read is ignored.`)
export const honeypot = text('Leave it out: people do not see this field.')
export const altcha = text(
  'The solution of a challenge, if challenges are on: base64 of JSON, as the ALTCHA widget makes it.',
)
export const suppression = {
  cause: oneOf(...SUPPRESSION_CAUSES),
  since: time,
  block: orNull(
    record({ cause: oneOf(...BLOCK_CAUSES), since: time }),
    'What stops every mail to the address; `cause` says the same where its owner asked for nothing. Null where only our own mails are stopped.',
  ),
}
export const deliverability = {
  state: oneOf('failing', 'undeliverable'),
  since: time,
  status: textOrNull('The last enhanced status code (RFC 3463) that was reported, if there was one.'),
}
export const waitingFeedback = arrayOf(
  record({
    kind: oneOf(...FEEDBACK_KINDS),
    permanent: flag(),
    status: textOrNull(),
    at: time,
    since: { ...time, description: 'Since when it waits.' },
  }),
  'What senders reported of the address that waits for an administrator.',
)
/** What the last line of the report of an import may have. */
export const endOfImport = {
  dry_run: { type: 'boolean', const: true, description: 'Nothing was changed; missing where it was.' },
  ignored: { ...texts, description: 'The columns that were not used; missing where there were none.' },
} as const satisfies Properties

export const fieldProblems: Schema = { type: 'array', items: record({ field: text(), message: text() }) }

/** The fields of a subscription, shared by several schemas. */
export const subscription = {
  name: text(),
  email: text(),
  id: subscriptionId,
  feed: text(),
  status,
  locale: textOrNull(),
  created_at: time,
  confirmed_at: timeOrNull,
  ended_at: timeOrNull,
} as const satisfies Properties

/** What a subscription has where its feed has fields. */
export const fieldValues = {
  fields: {
    type: 'object',
    additionalProperties: { type: ['string', 'number', 'boolean'] },
    description: 'What was given for the fields of the feed, by their names; absent where that is nothing.',
  },
} as const satisfies Properties

/** The fields that a subscription has beside those, where it ended by a change of address. */
export const moved = {
  ended_because: always('moved'),
  moved_to: { ...subscriptionId, description: 'The subscription that a change of address made of it.' },
} as const satisfies Properties

/** The fields of a consent ledger entry, shared by several schemas. */
export const consent = {
  at: time,
  deed: oneOf('requested', 'confirmed', 'refused', 'ended', 'allowed', 'moved'),
  via: text('How: a form, a link, an import, or the id of the caller.'),
  wording: text('Which wording the person was shown.'),
  language: textOrNull(),
  client_address: textOrNull('Cut to /24 or /48.'),
  user_agent: textOrNull(),
  count: { ...positive, description: 'How often within ten minutes.' },
} as const satisfies Properties
