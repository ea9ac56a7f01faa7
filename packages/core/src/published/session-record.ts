import type { ConsoleSession } from '../console/console-session.ts'
import { timestamp } from './timestamp.ts'

/** What of a session of the console is seen outside: nothing that opens it. */
export type PublishedSession = Pick<
  ConsoleSession,
  'createdAt' | 'expiresAt' | 'id' | 'roleSource' | 'seenAt' | 'subject'
>

/** A session of the console as everybody outside sees it. */
export const sessionRecord = (session: PublishedSession) => ({
  id: session.id,
  subject: session.subject,
  role_source: session.roleSource,
  created_at: timestamp(session.createdAt),
  seen_at: timestamp(session.seenAt),
  expires_at: timestamp(session.expiresAt),
})
