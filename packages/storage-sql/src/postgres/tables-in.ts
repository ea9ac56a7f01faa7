import type pg from 'pg'

// Of schemas that names are looked up in; what belongs to an extension is nobody's data.
const NAMES = `SELECT relname AS name FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
  WHERE n.nspname = ANY (current_schemas(false)) AND c.relkind IN ('r', 'p', 'v', 'm', 'f')
    AND NOT EXISTS (SELECT FROM pg_depend AS d
      WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e')
  ORDER BY name`

/** What a database has of its own: tables, and views, which have names of the same kind. */
export const tablesIn = async (asked: Pick<pg.ClientBase, 'query'>): Promise<string[]> =>
  (await asked.query<{ name: string }>(NAMES)).rows.map(({ name }) => name)
