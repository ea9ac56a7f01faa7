import * as s from '../operation/schema.ts'
import * as w from '../operation/words.ts'

export const User = s.named(
  'User',
  s.record(
    {
      id: s.text(),
      email: s.text(),
      name: s.text(),
      roles: s.texts(),
      created_at: w.time,
      updated_at: w.time,
    },
    {
      suspended_at: s.said(w.time, 'Since when it is suspended; there only while it is.'),
      last_seen_at: s.said(
        w.time,
        'The day on which a token of the user or a session of the console was last taken, as its midnight (UTC); there only once one was. It is no change of the user: neither `updated_at` nor a condition by `If-Match` follows it.',
      ),
    },
  ),
)
