import { DELIVERABILITY_STATES, FEEDBACK_KINDS } from '@rollcall/core'
import * as s from '../operation/schema.ts'
import * as w from '../operation/words.ts'

/** What is known against an address. */
export const deliverability = {
  state: s.oneOf(DELIVERABILITY_STATES),
  since: w.time,
  status: w.textOrNull('The last enhanced status code (RFC 3463) that was reported, if there was one.'),
}

/** What the owner of an address sees of reports that wait. */
export const waitingFeedback = s.arrayOf(
  s.record({
    kind: s.oneOf(FEEDBACK_KINDS),
    permanent: s.flag(),
    status: w.textOrNull(),
    at: w.time,
    since: s.said(w.time, 'Since when it waits.'),
  }),
  'What senders reported of the address that waits for an administrator.',
)
