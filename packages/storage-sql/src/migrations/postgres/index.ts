import type { Migration } from 'kysely/migration'

/** Every migration by its name, in order; loaded only where it is missing. */
export const POSTGRES_MIGRATIONS: Readonly<Record<string, () => Promise<Migration>>> = {
  '0001-initial': () => import('./0001-initial.ts'),
  '0002-roles-on-record': () => import('./0002-roles-on-record.ts'),
  '0003-trail-by-index': () => import('./0003-trail-by-index.ts'),
  '0004-home-url': () => import('./0004-home-url.ts'),
  '0005-preferences-mail': () => import('./0005-preferences-mail.ts'),
  '0006-events-of-feeds': () => import('./0006-events-of-feeds.ts'),
  '0007-machine-tokens': () => import('./0007-machine-tokens.ts'),
  '0008-suspended-users': () => import('./0008-suspended-users.ts'),
  '0009-deliverability': () => import('./0009-deliverability.ts'),
  '0010-fields': () => import('./0010-fields.ts'),
  '0011-moves': () => import('./0011-moves.ts'),
  '0012-console-sessions': () => import('./0012-console-sessions.ts'),
  '0013-reminders': () => import('./0013-reminders.ts'),
  '0014-trace-context': () => import('./0014-trace-context.ts'),
  '0015-traces-of-events': () => import('./0015-traces-of-events.ts'),
  '0016-session-door': () => import('./0016-session-door.ts'),
  '0019-before-a-move': () => import('./0019-before-a-move.ts'),
}
