import { PREFERENCES_ACTIONS } from '@rollcall/core'
import * as s from './schema.ts'

const suppressionOrNull = s.orNull(s.record(s.suppression), 'Why and since when the address gets no mail.')

const pendingMail = s.record({
  kind: s.oneOf('confirmation', 'reminder', 'already-subscribed', 'welcome', 'preferences', 'move', 'moved'),
  message_id: s.text(),
  created_at: s.time,
  not_before: s.time,
  expires_at: s.timeOrNull,
  attempts: s.count,
  last_error: s.textOrNull(),
  parked_at: s.timeOrNull,
})

/** Requests of the owner of an address, and the answers. */
export const PREFERENCES_SCHEMAS = {
  PreferencesRequestForm: s.form(
    { email: s.email },
    { locale: s.locale('for the page that answers'), website: s.honeypot, altcha: s.altcha },
  ),
  PreferencesForm: s.form(
    { action: s.oneOf(...PREFERENCES_ACTIONS) },
    {
      feed: s.text("For 'subscribe', 'update' and 'end': the name of a feed of which the address has a subscription."),
      never_again: s.flag("For 'erase': that no mail may be sent to the address afterwards."),
    },
  ),
  MoveForm: s.form({ email: s.email }),
  Preferences: s.record({
    email: s.text(),
    suppression: suppressionOrNull,
    subscriptions: s.arrayOf(
      s.record(
        { ...s.subscription, title: s.text("The feed's."), open: s.flag('Whether the feed accepts sign-ups.') },
        s.fieldValues,
      ),
    ),
  }),
  PreferencesChange: s.record({
    message: s.text(),
    preferences: s.orNull(s.refer('Preferences'), 'As they are now; null once everything is erased.'),
  }),
  StoredAboutAddress: s.record({
    email: s.text(),
    exported_at: s.time,
    suppression: suppressionOrNull,
    deliverability: s.orNull(
      s.record(s.deliverability),
      'The bounces of mails to the address; null where there were none.',
    ),
    waiting_feedback: s.waitingFeedback,
    subscriptions: s.arrayOf(
      s.record(
        {
          ...s.subscription,
          title: s.textOrNull("The feed's."),
          expires_at: s.timeOrNull,
          consents: s.arrayOf(
            s.record({ ...s.consent, wording_text: s.textOrNull("Null for the service's own wording.") }),
          ),
          owed_mail: s.orNull(pendingMail),
          kept_mails: { ...s.texts, description: 'Message-IDs of the mails that are kept as files.' },
          moved_from: s.arrayOf(s.subscriptionId, 'What a change of address made it of.'),
          remind_at: { ...s.timeOrNull, description: 'When a reminder is to follow, unless it is confirmed before.' },
        },
        { ...s.fieldValues, ...s.moved },
      ),
    ),
    mails_sent: s.arrayOf(
      s.record({ at: s.time, message_id: s.text() }),
      'The mails to its mailbox of the last week, which count towards the caps.',
    ),
    move: s.orNull(
      s.record({
        email: s.textOrNull('The new address; null once it has confirmed.'),
        requested_at: s.time,
        moved_at: s.timeOrNull,
        undone_at: s.timeOrNull,
        expires_at: { ...s.time, description: 'Until when it can be confirmed; then, until when it can be undone.' },
      }),
      'A change of this address that was requested, or can still be undone.',
    ),
    reminded_at: { ...s.timeOrNull, description: 'When its mailbox was last reminded; kept for 30 days.' },
  }),
} as const satisfies Record<string, s.Schema>
