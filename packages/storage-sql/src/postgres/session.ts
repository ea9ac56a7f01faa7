import type pg from 'pg'

/** What is known of the server since a connection to it was made. */
export interface Session {
  /** Changes when the server has lost what it had not written down: by a crash, or where another took its place. */
  readonly incarnation: string
}

const sessions = new WeakMap<object, Session>()

export const sessionOf = (connection: object): Session | undefined => sessions.get(connection)

/** Milliseconds. */
export interface SessionLimits {
  readonly longestStatement: number
  readonly longestLockWait: number
  readonly longestIdleTransaction: number
  /** How long the server has for its first answer. */
  readonly firstAnswerTimeout: number
}

/** The server takes no writes: it is a standby, or its disk is full and somebody has closed it. */
export class ReadOnlyServer extends Error {
  override readonly name = 'ReadOnlyServer'
  readonly code = '25006'
}

/**
 * Sets up a session that keeps the promises.
 * @throws {ReadOnlyServer} it could not write
 */
export const beginSession = async (client: pg.ClientBase, limits: SessionLimits): Promise<void> => {
  const query = { text: settings(limits), query_timeout: limits.firstAnswerTimeout }
  const { rows } = await client.query<{ readonly: string; incarnation: string }>(query)
  if (rows[0]?.readonly !== 'off') throw new ReadOnlyServer('The server is read-only.')
  sessions.set(client, { incarnation: rows[0].incarnation })
}

/** Statistics are lost by a crash, and no two servers have begun theirs in the same microsecond. */
export const INCARNATION = "(SELECT coalesce(stats_reset::text, '') FROM pg_stat_bgwriter)"

// Set by statement and not at the start of the session, which poolers in between refuse. What is promised does not rest
// on synchronous_commit here: every transaction that writes sets it for itself.
const settings = ({ longestStatement, longestLockWait, longestIdleTransaction }: SessionLimits): string =>
  `SELECT set_config('statement_timeout', '${longestStatement}', false),
    set_config('lock_timeout', '${longestLockWait}', false),
    set_config('idle_in_transaction_session_timeout', '${longestIdleTransaction}', false),
    set_config('default_transaction_isolation', 'read committed', false),
    set_config('client_min_messages', 'warning', false),
    CASE WHEN current_setting('synchronous_commit') = 'off' THEN set_config('synchronous_commit', 'on', false) END,
    current_setting('transaction_read_only') AS readonly, ${INCARNATION} AS incarnation`
