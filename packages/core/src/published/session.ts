import type { ConsoleSession } from '../console/console-session.ts'
import { timestamp } from './timestamp.ts'

/** A session of the console as everybody outside sees it: nothing that opens it. */
export const publishedSession = (session: ConsoleSession) => ({
  id: session.id,
  subject: session.subject,
  role_source: session.roleSource,
  created_at: timestamp(session.createdAt),
  seen_at: timestamp(session.seenAt),
  expires_at: timestamp(session.expiresAt),
})
