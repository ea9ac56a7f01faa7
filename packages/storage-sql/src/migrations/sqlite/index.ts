import type { Migrations } from '../../schema-version.ts'
import { INITIAL } from './0001-initial.ts'

/** Every migration by its name, in order. They only go forward, and what was released never changes. */
export const SQLITE_MIGRATIONS: Migrations = {
  '0001-initial': { statements: INITIAL },
}
