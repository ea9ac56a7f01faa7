import type pg from 'pg'
import { requireNotBegun, requireWhole } from '../data-migration/database-state.ts'
import { MOVE_UNDER_WAY, POSTGRES_TABLES } from '../data-migration/migrated-tables.ts'
import { POSTGRES_MIGRATIONS } from '../migrations/postgres/index.ts'
import {
  type AppliedMigration,
  hasMigrations,
  lackingIn,
  MIGRATION_TABLE,
  type Migrations,
  needsOf,
  newerIn,
  notAsMigrated,
  otherSchema,
  outdated,
  requireNoneNewer,
  requireTables,
} from '../schema-version.ts'
import { StorageNotUsable } from '../storage-not-usable.ts'
import { INSTANCE } from '../tables/audit.ts'
import { BRIEF_LOCKS, besideOthers, lockPatiently, type Patience } from './beside-others.ts'
import { connect } from './connection.ts'
import { isOfSchema } from './postgres-error.ts'
import { IS_SERVED } from './session.ts'
import { DURABLE } from './statement.ts'

// It may build an index over millions of rows.
const LONGEST_STATEMENT = 3_600_000
const OWN_SCHEMA = 'Set ROLLCALL_DATABASE_SCHEMA to a schema of its own, such as rollcall, or name another database.'
/** Any number that nothing else locks by. */
const LOCK = '7309453671250917'

type Asked = Pick<pg.ClientBase, 'query'>

interface MigrationOptions {
  /** For who moves into the database. */
  readonly moving?: boolean
  /** Those of this version by default. */
  readonly migrations?: Migrations
}

/**
 * Brings the database up to date; the names of the migrations that it took. All of them or none: a run that is killed is
 * as if it had not begun. Of two at once one does it, and the other waits (under an advisory lock). It waits for as long
 * as somebody else has a table in a transaction, such as a dump, and instances that are open go on meanwhile.
 * @throws {StorageNotUsable} it cannot be reached, is of a newer version, or a move into it was begun
 */
export const migratePostgres = (
  url: string,
  { moving = false, migrations = POSTGRES_MIGRATIONS, ...patience }: Patience & MigrationOptions = {},
): Promise<string[]> =>
  withPool(url, async (pool, server) => {
    if ((await lacking(pool, server, migrations)).length === 0) return []
    if (!moving) requireNotBegun(await tablesIn(pool), server)
    return await alone(pool, patience, async (holder) => {
      // Another process has done it meanwhile.
      if ((await missing(pool, migrations)).length === 0) return []
      try {
        return await besideOthers(holder, (onBegin) => migrate(pool, migrations, onBegin), patience)
      } catch (error) {
        throw isOfSchema(error) ? notAsMigrated(`on ${server}`, OWN_SCHEMA, error) : error
      }
    })
  })

/**
 * The migrations that the database lacks.
 * @throws {StorageNotUsable} it cannot be reached, is of a newer version, or is not what its migrations made
 */
export const pendingMigrations = (url: string): Promise<string[]> => withPool(url, lacking)

/** Whether an instance works with the database; undefined if that cannot be seen. */
export const isServed = async (url: string): Promise<boolean | undefined> => {
  try {
    return await withPool(url, async (pool) => (await pool.query<{ exists: boolean }>(IS_SERVED)).rows[0]?.exists)
  } catch (error) {
    if (error instanceof StorageNotUsable) return undefined
    throw error
  }
}

const withPool = <Result>(url: string, work: (pool: pg.Pool, server: string) => Promise<Result>): Promise<Result> =>
  connect(
    url,
    async (pool, server) => {
      const result = await work(pool, server)
      await pool.end()
      return result
    },
    { longestStatement: LONGEST_STATEMENT },
  )

/** @throws {StorageNotUsable} the database is of a newer version on which this one does not work */
export const missing = async (asked: Asked, migrations = POSTGRES_MIGRATIONS): Promise<string[]> =>
  lackingIn(await appliedTo(asked), migrations)

/** The names of migrations of a newer version, on which this one works. */
export const newerThanThis = async (asked: Asked): Promise<string[]> =>
  newerIn(await appliedTo(asked), POSTGRES_MIGRATIONS).map(({ name }) => name)

/** @throws {StorageNotUsable} the database is of a newer version, be it one on which this one works */
export const requireKnown = async (asked: Asked): Promise<void> =>
  requireNoneNewer(await appliedTo(asked), POSTGRES_MIGRATIONS)

/** @throws {StorageNotUsable} what they are noted in is something else */
const appliedTo = async (asked: Asked): Promise<AppliedMigration[]> => {
  const { rows } = await asked.query<{ name: string }>(
    `SELECT attname AS name FROM pg_attribute
      WHERE attrelid = to_regclass('${MIGRATION_TABLE}') AND attnum > 0 AND NOT attisdropped`,
  )
  if (!hasMigrations(rows.map(({ name }) => name))) return []
  return (await asked.query<AppliedMigration>(`SELECT name, needs FROM ${MIGRATION_TABLE} ORDER BY name`)).rows
}

const alone = async <Result>(
  pool: pg.Pool,
  patience: Patience,
  work: (holder: pg.PoolClient) => Promise<Result>,
): Promise<Result> => {
  const holder = await pool.connect()
  try {
    await lockPatiently(holder, LOCK, patience)
    return await work(holder)
  } finally {
    // The lock goes with the connection.
    holder.release(true)
  }
}

const BEGIN = `SELECT ${DURABLE}, ${BRIEF_LOCKS}, pg_backend_pid() AS pid`
const MAKE_TABLE = `CREATE TABLE IF NOT EXISTS ${MIGRATION_TABLE} (name text COLLATE "C" PRIMARY KEY, needs text COLLATE "C" NOT NULL)`

/** If it is there, nobody needs the right to make one. */
export const makeSchema = async (client: Pick<pg.ClientBase, 'query'>): Promise<void> => {
  const { rows } = await client.query<{ name: string; missing: boolean }>(
    "SELECT current_setting('search_path') AS name, current_schema() IS NULL AS missing",
  )
  for (const { name, missing: isMissing } of rows) if (isMissing) await client.query(`CREATE SCHEMA ${name}`)
}

/** All of them in one transaction. */
const migrate = async (pool: pg.Pool, migrations: Migrations, onBegin: (pid: number) => void): Promise<string[]> => {
  const client = await pool.connect()
  let broken = true
  try {
    await client.query('BEGIN')
    const { rows } = await client.query<{ pid: number }>(BEGIN)
    for (const { pid } of rows) onBegin(pid)
    await makeSchema(client)
    await client.query(MAKE_TABLE)
    const lacks = await missing(client, migrations)
    for (const name of lacks) {
      for (const statement of migrations[name]?.statements ?? []) {
        await client.query(statement)
      }
      const values = [name, needsOf(name, migrations)]
      await client.query(`INSERT INTO ${MIGRATION_TABLE} (name, needs) VALUES ($1, $2)`, values)
    }
    await client.query('COMMIT')
    broken = false
    return lacks
  } finally {
    // A transaction that failed goes with its connection.
    client.release(broken)
  }
}

// Of the schemas on the search path; tables of extensions hold no data of a user.
const NAMES = `SELECT relname AS name FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
  WHERE n.nspname = ANY (current_schemas(false)) AND c.relkind IN ('r', 'p', 'v', 'm', 'f')
    AND NOT EXISTS (SELECT FROM pg_depend AS d
      WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e')
  ORDER BY name`

/** What a database has of its own: tables, and views, which have names of the same kind. */
export const tablesIn = async (asked: Asked): Promise<string[]> =>
  (await asked.query<{ name: string }>(NAMES)).rows.map(({ name }) => name)

/** What was noted of a move into the database; undefined if none is under way. */
export const moveNotedIn = async (asked: Asked): Promise<string | undefined> => {
  const text = 'SELECT value FROM instance WHERE name = $1'
  return (await asked.query<{ value: string }>(text, [MOVE_UNDER_WAY])).rows[0]?.value
}

/** @throws {StorageNotUsable} a move into the database was begun and not finished, or it cannot be told */
export const requireWholeDatabase = async (asked: Asked, server: string): Promise<void> => {
  const tables = await tablesIn(asked)
  requireNotBegun(tables, server)
  if (!tables.includes(INSTANCE.name)) throw otherSchema(`on ${server}`, `it lacks ${INSTANCE.name}`)
  requireWhole(await moveNotedIn(asked), server)
}

const TABLES_AND_COLUMNS = `WITH ours AS (
    SELECT oid, relname FROM pg_class
      WHERE relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = current_schema()) AND relkind IN ('r', 'p')
  )
  SELECT relname AS name FROM ours UNION ALL
  SELECT relname || '.' || attname FROM ours JOIN pg_attribute ON attrelid = ours.oid AND attnum > 0 AND NOT attisdropped`

/**
 * The migrations that the database lacks; if none, it has what they make, as far as this version knows it.
 * @throws {StorageNotUsable} it lacks a table or a column, or is of a newer version on which this one does not work
 */
export const lacking = async (asked: Asked, server: string, migrations = POSTGRES_MIGRATIONS): Promise<string[]> => {
  const applied = await appliedTo(asked)
  const names = lackingIn(applied, migrations)
  if (names.length > 0 || newerIn(applied, POSTGRES_MIGRATIONS).length > 0) return names
  const { rows } = await asked.query<{ name: string }>(TABLES_AND_COLUMNS)
  requireTables(
    rows.map(({ name }) => name),
    POSTGRES_TABLES,
    `on ${server}`,
  )
  return []
}

const LACKING_RIGHTS = `WITH ours AS (
    SELECT oid, relname FROM pg_class
      WHERE relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = current_schema()) AND relname = ANY ($1)
  )
  SELECT relname AS name FROM ours WHERE NOT (has_table_privilege(oid, 'SELECT') AND has_table_privilege(oid, 'INSERT')
    AND has_table_privilege(oid, 'UPDATE') AND has_table_privilege(oid, 'DELETE'))
  UNION ALL
  SELECT sequence.relname FROM pg_depend JOIN ours ON refobjid = ours.oid AND refclassid = 'pg_class'::regclass
      JOIN pg_class AS sequence ON classid = 'pg_class'::regclass AND objid = sequence.oid
    WHERE deptype IN ('a', 'i') AND CASE relkind WHEN 'S' THEN NOT has_sequence_privilege(objid, 'USAGE') END`

/** @throws {StorageNotUsable} the role may not read and write everything: some requests would fail, now and then */
const requireRights = async (asked: Asked, server: string): Promise<void> => {
  const { rows } = await asked.query<{ name: string }>(LACKING_RIGHTS, [POSTGRES_TABLES.map(({ name }) => name)])
  if (rows[0] === undefined) return
  const message = `The PostgreSQL server ${server} does not let this user read and write ${rows[0].name}${rows.length > 1 ? ` and ${rows.length - 1} more` : ''}. Grant it SELECT, INSERT, UPDATE and DELETE on all tables of Rollcall, and USAGE on their sequences; or make it their owner.`
  throw new StorageNotUsable('not-accessible', message)
}

/**
 * @throws {StorageNotUsable} the database is not up to date, lacks what it should have, a move into it was begun and not
 * finished, or the role may not use all of it
 */
export const requireUsable = async (asked: Asked, server: string): Promise<void> => {
  if ((await lacking(asked, server)).length > 0) throw outdated(`on ${server}`)
  await requireWholeDatabase(asked, server)
  await requireRights(asked, server)
}
