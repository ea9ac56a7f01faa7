import { MAIL_KINDS } from '@rollcall/core'
import * as s from '../operation/schema.ts'
import * as w from '../operation/words.ts'
import { deliverability, waitingFeedback } from './feedback-record.ts'
import { consent, sometimes, subscription, waitingRequests } from './subscription-record.ts'

const owedMail = s.record({
  kind: s.oneOf(MAIL_KINDS),
  message_id: s.text(),
  created_at: w.time,
  not_before: w.time,
  expires_at: w.timeOrNull(),
  attempts: w.count,
  last_error: w.textOrNull(),
  parked_at: w.timeOrNull(),
})

/** Everything that is stored about an address, as its owner downloads it. */
export const StoredAboutAddress = s.named(
  'StoredAboutAddress',
  s.record({
    email: s.text(),
    exported_at: w.time,
    suppression: s.orNull(s.record(w.suppression), 'Why and since when the address gets no mail.'),
    deliverability: s.orNull(
      s.record(deliverability),
      'The bounces of mails to the address; null where there were none.',
    ),
    waiting_feedback: waitingFeedback,
    waiting_requests: waitingRequests,
    subscriptions: s.arrayOf(
      s.record(
        {
          ...subscription,
          title: w.textOrNull("The feed's."),
          expires_at: w.timeOrNull(),
          consents: s.arrayOf(
            s.record({ ...consent, wording_text: w.textOrNull("Null for the service's own wording.") }),
          ),
          owed_mail: s.orNull(owedMail),
          kept_mails: s.texts('Message-IDs of the mails that are kept as files.'),
          moved_from: s.arrayOf(w.subscriptionId, 'What a change of address made it of.'),
          remind_at: w.timeOrNull('When a reminder is to follow, unless it is confirmed before.'),
        },
        sometimes,
      ),
    ),
    mails_sent: s.arrayOf(
      s.record({ at: w.time, message_id: s.text() }),
      'The mails to its mailbox of the last week, which count towards the caps.',
    ),
    move: s.orNull(
      s.record({
        email: w.textOrNull('The new address; null once it has confirmed.'),
        requested_at: w.time,
        moved_at: w.timeOrNull(),
        undone_at: w.timeOrNull(),
        expires_at: s.said(w.time, 'Until when it can be confirmed; then, until when it can be undone.'),
      }),
      'A change of this address that was requested, or can still be undone.',
    ),
    reminded_at: w.timeOrNull('When its mailbox was last reminded; kept for 30 days.'),
    link_mailed_at: w.timeOrNull(
      'When its owner, who wants no mail, last had the link to the preferences; kept for 30 days.',
    ),
  }),
)
