import pg from 'pg'
import { StorageNotUsable } from '../storage-not-usable.ts'
import type { ConnectionSettings } from './connection-settings.ts'
import { asNotUsable } from './postgres-error.ts'

const { Pool, types } = pg

export type Connection = pg.PoolClient

const OLDEST_SERVER = 150_000

/** Milliseconds. Whoever is kept waiting longer by anything is told that storage is not available. */
const PATIENCE = 5_000
const LONGEST_STATEMENT = 30_000
const LONGEST_IDLE_TRANSACTION = 10_000
const LONGER_THAN_THE_SERVER = 5_000

const INT8 = 20

/** Whole numbers of 64 bits as numbers: everything here is within what those can tell apart. */
const asNumbers = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    oid === INT8 ? Number : types.getTypeParser(oid, format as 'text')) as typeof types.getTypeParser,
}

/**
 * Connections that keep the promises. Nothing is connected before it is asked for. `longestStatement` is in
 * milliseconds.
 */
export const openPool = (
  { pool }: ConnectionSettings,
  onLoss: (error: Error) => void,
  longestStatement = LONGEST_STATEMENT,
): pg.Pool => {
  const opened = new Pool({
    ...pool,
    types: asNumbers,
    pipeline: true,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    connectionTimeoutMillis: PATIENCE,
    idleTimeoutMillis: 60_000,
    query_timeout: longestStatement + LONGER_THAN_THE_SERVER,
    onConnect: async (client: pg.ClientBase) => {
      await client.query(settings(longestStatement))
    },
  })
  // One that is lost is replaced when it is needed; whoever was using it is told by the statement that failed. The driver
  // hangs the whole connection on the error, which is to be logged.
  opened.on('error', ({ message }) => onLoss(new Error(message)))
  opened.on('connect', (client) => client.on('error', () => undefined))
  return opened
}

// Set by statement and not at the start of the session, which poolers in between refuse.
const settings = (
  longestStatement: number,
): string => `SELECT set_config('statement_timeout', '${longestStatement}', false),
  set_config('lock_timeout', '${PATIENCE}', false),
  set_config('idle_in_transaction_session_timeout', '${LONGEST_IDLE_TRANSACTION}', false),
  set_config('default_transaction_isolation', 'read committed', false),
  set_config('client_min_messages', 'warning', false),
  CASE WHEN current_setting('synchronous_commit') = 'off' THEN set_config('synchronous_commit', 'on', false) END`

/**
 * Sees that the server can keep the promises.
 * @throws {StorageNotUsable} it cannot be reached, is too old, cannot be written, or does not store UTF-8
 */
export const requireServer = async (pool: pg.Pool, server: string): Promise<void> => {
  try {
    const { rows } = await pool.query<{ version: string; readonly: string; encoding: string }>(
      `SELECT current_setting('server_version_num') AS version, current_setting('transaction_read_only') AS readonly,
        current_setting('server_encoding') AS encoding`,
    )
    requireFacts(rows[0] ?? { version: '0', readonly: 'off', encoding: '' }, server)
  } catch (error) {
    throw asNotUsable(error, server)
  }
}

export const requireFacts = (
  { version, readonly, encoding }: { version: string; readonly: string; encoding: string },
  server: string,
): void => {
  if (Number(version) < OLDEST_SERVER)
    throw new StorageNotUsable('server-version', `PostgreSQL 15 or later is needed; the server ${server} is older.`)
  if (encoding !== 'UTF8') {
    const message = `The database on ${server} is encoded as ${encoding}. Create one with ENCODING 'UTF8' TEMPLATE template0.`
    throw new StorageNotUsable('settings', message)
  }
  if (readonly === 'on')
    throw new StorageNotUsable(
      'not-accessible',
      `The PostgreSQL server ${server} is read-only. Name the primary server.`,
    )
}
