import { PREFERENCES_ACTIONS } from '@rollcall/core'
import {
  altcha,
  arrayOf,
  consent,
  email,
  honeypot,
  orNull,
  record,
  refer,
  type Schema,
  subscription,
  text,
  textOrNull,
  texts,
  time,
  timeOrNull,
} from './schema.ts'

const suppressionOrNull = orNull(
  record({ cause: { enum: ['refused', 'never-again'] }, since: time }),
  'Why and since when the address gets no sign-up mail.',
)

const pendingMail = record({
  kind: { enum: ['confirmation', 'already-subscribed', 'preferences'] },
  message_id: text(),
  created_at: time,
  not_before: time,
  expires_at: timeOrNull,
  attempts: { type: 'integer', minimum: 0 },
  last_error: textOrNull,
  parked_at: timeOrNull,
})

/** Requests of the owner of an address, and the answers. */
export const PREFERENCES_SCHEMAS = {
  PreferencesRequestForm: record(
    { email, locale: text('A BCP 47 language tag, for the page that answers.'), website: honeypot, altcha },
    ['locale', 'website', 'altcha'],
  ),
  PreferencesForm: record(
    {
      action: { enum: PREFERENCES_ACTIONS },
      feed: text("For 'subscribe' and 'end': the name of a feed of which the address has a subscription."),
      never_again: { type: 'boolean', description: "For 'erase': that no mail may be sent to the address afterwards." },
    },
    ['feed', 'never_again'],
  ),
  Preferences: record({
    email: text(),
    suppression: suppressionOrNull,
    subscriptions: arrayOf(
      record({
        ...subscription,
        title: text("The feed's."),
        open: { type: 'boolean', description: 'Whether the feed accepts sign-ups.' },
      }),
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
        title: { ...textOrNull, description: "The feed's." },
        expires_at: timeOrNull,
        consents: arrayOf(
          record({ ...consent, wording_text: { ...textOrNull, description: "Null for the service's own wording." } }),
        ),
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
