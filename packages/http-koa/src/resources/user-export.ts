import { type UserExport as Exported, ROLE_SOURCES, userExportText } from '@rollcall/core'
import type { RouteContext } from '../exchange.ts'
import * as s from '../operation/schema.ts'
import * as w from '../operation/words.ts'
import { sendStream } from '../send.ts'
import { AuditRecord } from './audit.ts'
import { deliverability, waitingFeedback } from './feedback-record.ts'
import { Subscription, waitingRequests } from './subscription-record.ts'
import { Token } from './tokens.ts'
import { User } from './user-record.ts'

const Provisioned = s.record(
  { user_name: s.text() },
  {
    external_id: s.text(),
    name_formatted: s.text(),
    family_name: s.text(),
    given_name: s.text(),
    email_type: s.text(),
    email_primary: s.flag(),
  },
)

export const UserExport = s.named(
  'UserExport',
  s.record(
    {
      user: User,
      subscriptions: s.arrayOf(Subscription, 'Of the same address.'),
      deliverability: s.orNull(
        s.record(deliverability),
        'The bounces of mails to the same address; null where there were none.',
      ),
      waiting_feedback: waitingFeedback,
      waiting_requests: waitingRequests,
      tokens: s.arrayOf(Token, 'Access tokens that were issued to it here, as far as they are listed.'),
      sessions: s.arrayOf(
        s.record({
          id: s.text('Opens nothing.'),
          subject: s.text(),
          role_source: s.oneOf(ROLE_SOURCES),
          created_at: w.time,
          seen_at: s.said(w.time, 'Give or take a minute.'),
          expires_at: w.time,
        }),
        'Its sessions of the console.',
      ),
      audit: s.arrayOf(AuditRecord, 'What the user did, and what was done to it.'),
    },
    { provisioned: s.said(Provisioned, 'What a directory says of it by SCIM; there only where one does.') },
  ),
)

/** Everything stored about a user, as one JSON document. It is streamed because the user's audit trail may be long. */
export const sendUserExport = async (ctx: RouteContext, found: Exported): Promise<void> => {
  ctx.res.setHeader('Content-Disposition', 'attachment; filename="user.json"')
  await sendStream(ctx, { type: 'application/json', cacheControl: 'private, no-store', pieces: userExportText(found) })
}
