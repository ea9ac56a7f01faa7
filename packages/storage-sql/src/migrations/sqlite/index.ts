import type { Migration } from 'kysely/migration'

/** Every migration by its name, in order; loaded only where it is missing. */
export const SQLITE_MIGRATIONS: Readonly<Record<string, () => Promise<Migration>>> = {
  '0001-initial': () => import('./0001-initial.ts'),
  '0002-roles-on-record': () => import('./0002-roles-on-record.ts'),
  '0004-home-url': () => import('./0004-home-url.ts'),
  '0005-preferences-mail': () => import('./0005-preferences-mail.ts'),
}
