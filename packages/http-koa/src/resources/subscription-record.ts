import { CONSENT_ACTIONS } from '@rollcall/core'
import * as s from '../operation/schema.ts'
import * as w from '../operation/words.ts'

export const subscription = {
  name: s.text(),
  email: s.text(),
  id: w.subscriptionId,
  feed: s.text(),
  status: w.status,
  locale: w.textOrNull(),
  created_at: w.time,
  confirmed_at: w.timeOrNull(),
  ended_at: w.timeOrNull(),
}

/** What it has beside these if its feed has fields, and if it ended by a change of address. */
export const sometimes = {
  ...w.fieldValues,
  ended_because: s.always('moved'),
  moved_to: s.said(w.subscriptionId, 'The subscription that a change of address made of it.'),
}

export const Subscription = s.named('Subscription', s.record(subscription, sometimes))

export const consent = {
  at: w.time,
  deed: s.oneOf(CONSENT_ACTIONS),
  via: s.text('How: a form, a link, an import, or the id of the caller.'),
  wording: s.text('Which wording the person was shown.'),
  language: w.textOrNull(),
  client_address: w.textOrNull('Cut to /24 or /48.'),
  user_agent: w.textOrNull(),
  count: s.said(w.positive, 'How often within ten minutes.'),
}

/** What the owner of an address sees of what was asked about it. */
export const waitingRequests = s.arrayOf(
  s.record(
    {
      at: w.time,
      kind: s.oneOf(['sign-up', 'preferences', 'manage', 'move', 'trap']),
      parked_at: w.timeOrNull('Since when it waits for a person, because it could not be carried out.'),
    },
    {
      email: s.text(),
      name: s.text(),
      locale: w.textOrNull(),
      feeds: s.arrayOf(s.record({ feed: s.text(), wording: s.text() }, w.fieldValues)),
      via: s.text(),
      client_address: w.textOrNull('Cut to /24 or /48.'),
      user_agent: w.textOrNull(),
    },
  ),
  'What was asked about the address and is not carried out yet, with all that a form said.',
)
