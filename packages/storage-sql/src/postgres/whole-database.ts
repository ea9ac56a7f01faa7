import type pg from 'pg'
import { requireNotBegun, requireWhole } from '../data-migration/database-state.ts'
import { MOVE_UNDER_WAY } from '../data-migration/moved-tables.ts'

type Asked = Pick<pg.ClientBase, 'query'>

// Of the schemas on the search path; tables of extensions hold no data of a user.
const NAMES = `SELECT relname AS name FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
  WHERE n.nspname = ANY (current_schemas(false)) AND c.relkind IN ('r', 'p', 'v', 'm', 'f')
    AND NOT EXISTS (SELECT FROM pg_depend AS d
      WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e')
  ORDER BY name`

/** What a database has of its own: tables, and views, which have names of the same kind. */
export const tablesIn = async (asked: Asked): Promise<string[]> =>
  (await asked.query<{ name: string }>(NAMES)).rows.map(({ name }) => name)

/** What was noted of a move into the database; undefined where none is under way. */
export const moveNotedIn = async (asked: Asked): Promise<string | undefined> => {
  const text = 'SELECT value FROM instance WHERE name = $1'
  return (await asked.query<{ value: string }>(text, [MOVE_UNDER_WAY])).rows[0]?.value
}

/** @throws {StorageNotUsable} a move into the database was begun and not finished */
export const requireWholeDatabase = async (asked: Asked, server: string): Promise<void> => {
  requireNotBegun(await tablesIn(asked), server)
  requireWhole(await moveNotedIn(asked), server)
}
