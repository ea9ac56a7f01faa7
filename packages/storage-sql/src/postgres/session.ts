import type pg from 'pg'
import { StorageNotUsable } from '../storage-not-usable.ts'
import { askForLocks, askPostgres, requireSessionLocks } from './other-engines.ts'
import type { PoolerCheck } from './pooler-check.ts'

type Asked = Pick<pg.ClientBase, 'query'>

const incarnations = new WeakMap<object, string>()

/** Another one when the server has lost what it had not written down: by a crash, or where another took its place. */
export const incarnationOf = (connection: object): string | undefined => incarnations.get(connection)

/** Milliseconds. What waits longer fails as `Unavailable`. */
export const LONGEST_WAIT = 5_000
const LONGEST_IDLE_TRANSACTION = 10_000

/** The server takes no writes: it is a standby, or its disk is full and somebody has closed it. */
class ReadOnlyServer extends Error {
  override readonly name = 'ReadOnlyServer'
  readonly code = '25006'
}

interface SessionOptions {
  /** Milliseconds. */
  readonly longestStatement: number
  readonly schema: string
  /** Milliseconds for the server's first answer. */
  readonly firstAnswerTimeout: number
  /** By which a pooler in between is judged, if there is one. */
  readonly pooler: PoolerCheck
  /** What it is called in messages. */
  readonly server: string
}

/**
 * Sets up a session that keeps the promises.
 * @throws {ReadOnlyServer} it could not write
 * @throws {StorageNotUsable} a pooler in between gives each transaction another session, or it is another engine
 */
export const beginSession = async (
  client: pg.ClientBase,
  { longestStatement, schema, firstAnswerTimeout, pooler, server }: SessionOptions,
): Promise<void> => {
  const ask = async (where: string) => {
    const query = { text: `${settings(longestStatement, schema)} ${where}`, query_timeout: firstAnswerTimeout }
    const answer = () => client.query<{ readonly: string; incarnation: string }>(query)
    return (await askPostgres(client, server, answer)).rows[0]
  }
  let facts = await ask(`WHERE pg_backend_pid() = ${processOf(client)}`)
  if (facts === undefined) {
    // The connection was answered by another process: a pooler. It must not get settings that others would find.
    await pooler.require(client)
    // Poolers need not do it: the session's last client may have left statements under the same names.
    await client.query('DISCARD ALL')
    facts = await ask('')
  }
  if (facts?.readonly !== 'off') throw new ReadOnlyServer('The server is read-only.')
  incarnations.set(client, facts.incarnation)
}

/** The process that let the client in, as it said itself; the driver's types leave it out. */
const processOf = (client: pg.ClientBase): number => Number((client as { processID?: unknown }).processID ?? 0)

/** Statistics are lost by a crash, and no two servers have begun theirs in the same microsecond. */
export const INCARNATION = "(SELECT coalesce(stats_reset::text, '') FROM pg_stat_bgwriter)"

// Set by statement and not at the start of the session, which poolers in between refuse. What is promised does not rest
// on synchronous_commit here: every transaction that writes sets it for itself.
//
// A session keeps the plan of a statement. One that was made while a table was nearly empty would go through all of it
// ever after, so plans use an index wherever there is one. To the server the others then seem so costly that it would
// compile them.
const settings = (longestStatement: number, schema: string): string =>
  `SELECT set_config('statement_timeout', '${longestStatement}', false),
    set_config('search_path', '"${schema}"', false),
    set_config('lock_timeout', '${LONGEST_WAIT}', false),
    set_config('idle_in_transaction_session_timeout', '${LONGEST_IDLE_TRANSACTION}', false),
    set_config('default_transaction_isolation', 'read committed', false),
    set_config('client_min_messages', 'warning', false),
    set_config('enable_seqscan', 'off', false), set_config('jit', 'off', false),
    CASE WHEN current_setting('synchronous_commit') = 'off' THEN set_config('synchronous_commit', 'on', false) END,
    current_setting('transaction_read_only') AS readonly, ${INCARNATION} AS incarnation`

/** By a number that nothing else locks by, for the tables of one schema: others in the database may have their own. */
const lockOf = (number: string): string => `hashtextextended(current_setting('search_path') COLLATE "C", ${number})`

const LOCK = lockOf('7309453671250918')

const isFree = async (connection: Asked, lock: string): Promise<boolean> =>
  (await connection.query<{ free: boolean }>(`SELECT ${lock}(${LOCK}) AS free`)).rows[0]?.free === true

const SERVING = lockOf('7309453671250919')

/** `serving`: as an instance, and not as a command. */
export type Presence = 'serving' | 'working'

/**
 * Lets others know that somebody works with the database, for as long as there is this connection: all instances and
 * commands share a lock, and all instances another.
 * @throws {StorageNotUsable} its data is being moved, or the server does not know such locks
 */
export const join = async (connection: Asked, server: string, presence: Presence): Promise<void> => {
  if (!(await askForLocks(connection, server, () => isFree(connection, 'pg_try_advisory_lock_shared'))))
    throw new StorageNotUsable('being-moved', `The data of ${server} is being moved. Wait until that is done.`)
  if (presence === 'serving') await connection.query(`SELECT pg_advisory_lock_shared(${SERVING})`)
}

/**
 * Keeps everybody else from the database, for as long as there is this connection; for a data migration.
 * @throws {StorageNotUsable} somebody works with it
 */
export const keepOut = async (connection: Asked, server: string): Promise<void> => {
  if (await isFree(connection, 'pg_try_advisory_lock')) return
  const message = `Somebody works with the database ${server}: an instance, a command or another move. Stop every one first.`
  throw new StorageNotUsable('busy', message)
}

/** Whether an instance works with the database; who has taken a lock is for every role to see. */
export const IS_SERVED = `SELECT EXISTS (SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND granted AND objsubid = 1
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
    AND (classid::bigint << 32 | objid::bigint) = ${SERVING})`

const OLDEST_SERVER = 150_000

interface Facts {
  readonly version: string
  readonly encoding: string
}

/**
 * Sees that the server can keep the promises.
 * @throws {StorageNotUsable} it is too old, does not store UTF-8, or does not keep a session's locks; what the driver
 * throws if it cannot be used
 */
export const requireServer = async (pool: Pick<pg.Pool, 'connect' | 'query'>, server: string): Promise<void> => {
  const { rows } = await pool.query<Facts>(
    "SELECT current_setting('server_version_num') AS version, current_setting('server_encoding') AS encoding",
  )
  requireFacts(rows[0] ?? { version: '0', encoding: '' }, server)
  await requireSessionLocks(pool, server)
}

export const requireFacts = ({ version, encoding }: Facts, server: string): void => {
  if (Number(version) < OLDEST_SERVER)
    throw new StorageNotUsable('server-version', `PostgreSQL 15 or later is needed; the server ${server} is older.`)
  if (encoding === 'UTF8') return
  const message = `The database on ${server} is encoded as ${encoding}. Create one with ENCODING 'UTF8' TEMPLATE template0.`
  throw new StorageNotUsable('settings', message)
}
