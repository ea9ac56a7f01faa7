import {
  ADDRESS_HASH,
  BLOCK_CAUSES,
  CONTROL as NO_TEXT,
  RESOURCE_NAME,
  SUBSCRIPTION_STATUSES,
  SUPPRESSION_CAUSES,
  VISIBLE_ASCII,
} from '@rollcall/core'
import * as v from 'valibot'
import {
  arrayOf,
  integer,
  named,
  oneOf,
  orNull,
  type Properties,
  record,
  refer,
  type Schema,
  said,
  text,
  texts,
  word,
} from './schema.ts'

const CONTROL = NO_TEXT.source.slice(1, -1)
/** Any text on one line. */
const LINE = `^[^${CONTROL}]*$`
/** As `LINE`, but not blank. */
const VISIBLE_LINE = `^[^${CONTROL}]*[^\\s\\ufeff${CONTROL}][^${CONTROL}]*$`
/** Lines of plain text. */
const LINES = '^[^\\u0000-\\u0009\\u000b\\u000c\\u000e-\\u001f\\u007f-\\u009f]*$'

export const count = integer({ minimum: 0 })
export const positive = integer({ minimum: 1 })
export const subscriptionId = integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })
const TIME = 'RFC 3339, UTC, with milliseconds.'
export const time = text(TIME, { format: 'date-time' })
export const timeOrNull = (description = TIME): Schema<string | null> => orNull(said(time, description))
export const textOrNull = (description?: string): Schema<string | null> => orNull(text(description))
export const date = (description?: string): Schema<string> => text(description, { format: 'date' })

export const line = (maxLength: number, description?: string): Schema<string> =>
  text(description, { maxLength, pattern: LINE })
export const visibleLine = (maxLength: number, description?: string): Schema<string> =>
  text(description, { minLength: 1, maxLength, pattern: VISIBLE_LINE })
export const lines = (maxLength: number, description?: string): Schema<string> =>
  text(description, { maxLength, pattern: LINES })
export const email = text(
  'At most 254 bytes with its domain as A-labels, which is how it is stored. White space and marks that are not seen are taken off its ends.',
  { format: 'idn-email', maxLength: 254 },
)
/** Absolute, as RFC 3986 writes it, without user and fragment. */
export const url = (description?: string): Schema<string> =>
  text(description, {
    maxLength: 2_000,
    pattern:
      "^[Hh][Tt][Tt][Pp][Ss]?://(?:[A-Za-z0-9._-]+|\\[[0-9A-Fa-f:.]+\\])(?::[0-9]{1,5})?(?:/(?:[A-Za-z0-9._~!$&'()*+,;=:@/-]|%[0-9A-Fa-f]{2})*)?(?:\\?(?:[A-Za-z0-9._~!$&'()*+,;=:@/?-]|%[0-9A-Fa-f]{2})*)?$",
  })
export const personName = line(200)
export const resourceName = text(undefined, { pattern: RESOURCE_NAME.source })
/** The id of a user or of a token. */
export const opaqueId = text(undefined, { pattern: VISIBLE_ASCII.source })
export const hash = text('A keyed hash.', { pattern: ADDRESS_HASH.source })
export const status = oneOf(SUBSCRIPTION_STATUSES)
/** Which roles there are depends on the policy: the core checks them. */
export const role = refer('Role', text())
export const roles = (description?: string): Schema<readonly string[]> => texts(description, role)

/** @see RFC 5646 section 2.1 */
const LANGUAGE_TAG =
  '^(?:(?:[A-Za-z]{2,3}(?:-[A-Za-z]{3}){0,3}|[A-Za-z]{4,8})(?:-[A-Za-z]{4})?(?:-(?:[A-Za-z]{2}|[0-9]{3}))?(?:-(?:[A-Za-z0-9]{5,8}|[0-9][A-Za-z0-9]{3}))*(?:-[0-9A-WY-Za-wy-z](?:-[A-Za-z0-9]{2,8})+)*(?:-[Xx](?:-[A-Za-z0-9]{1,8})+)?|[Xx](?:-[A-Za-z0-9]{1,8})+)?$'
export const languageTag = (description?: string): Schema<string> =>
  text(description, { maxLength: 35, pattern: LANGUAGE_TAG })
/** In a form. */
export const locale = (use: string): Schema<string> =>
  text(`A BCP 47 language tag, ${use}. \`de_DE\` counts as \`de-DE\`; one that cannot be read is ignored.`)
export const honeypot = text('Leave it out: people do not see this field.')
export const altcha = text(
  'The solution of a challenge, if challenges are on: base64 of JSON, as the ALTCHA widget makes it.',
)

/** The position of an entry in its list, in decimal digits: no greater than a number of JavaScript can be. */
export const cursor = text(undefined, { pattern: '^[0-8]?[0-9]{1,15}$' })
/** The same where positions go both ways. */
export const signedCursor = text(undefined, { pattern: '^-?[0-8]?[0-9]{1,15}$' })

export const listOf = <T>(items: Schema<T>) =>
  record({ items: arrayOf(items), next: textOrNull('The cursor of the next page; null at the end.') })

export const sortedListOf = <T, More extends Properties = Record<never, never>>(items: Schema<T>, more?: More) =>
  record(
    {
      items: arrayOf(items),
      next: textOrNull('The cursor of the next page; null at the end.'),
      previous: textOrNull('The cursor of the page before; null at the beginning.'),
    },
    more,
  )

export const suppression = {
  cause: oneOf(SUPPRESSION_CAUSES),
  since: time,
  block: orNull(
    record({ cause: oneOf(BLOCK_CAUSES), since: time }),
    'What stops every mail to the address; `cause` says the same where its owner asked for nothing. Null where only our own mails are stopped.',
  ),
}

export const fieldProblems = arrayOf(record({ field: text(), message: text() }))

/** The values of fields by their names, as they are in a record. */
export const fieldValues = {
  fields: word(v.record(v.string(), v.union([v.string(), v.number(), v.boolean()])), {
    type: 'object',
    additionalProperties: { type: ['string', 'number', 'boolean'] },
    description: 'What was given for the fields of the feed, by their names; absent where that is nothing.',
  }),
}

export const Message = named('Message', record({ message: text() }))
