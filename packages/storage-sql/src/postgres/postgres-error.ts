import { Unavailable } from '@rollcall/core'
import { otherSchema } from '../schema-version.ts'
import { StorageNotUsable } from '../storage-not-usable.ts'

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''

/** The constraint that refused, such as `user_account_email_key`. */
export const violates = (error: unknown, constraint: string): boolean =>
  codeOf(error) === '23505' && error instanceof Error && 'constraint' in error && error.constraint === constraint

/** A unique index or a primary key refused. */
export const violatesUniqueness = (error: unknown): boolean => codeOf(error) === '23505'

/** The error without the values that PostgreSQL shows if it refuses some: they are persons' data, and errors are logged. */
export const discreet = (error: unknown): unknown => {
  if (/^2[23]/.test(codeOf(error))) Object.assign(error as Error, { detail: undefined, where: undefined })
  return error
}

/** Nothing is wrong with the unit: another one was in its way, and it may be run again. */
export const isContention = (error: unknown): boolean => /^40(?:001|P01)$/.test(codeOf(error))

/** A lock was not to be had in time. */
export const isLockTimeout = (error: unknown): boolean => codeOf(error) === '55P03'

// Errors of the driver itself have no code; these are what it says when a connection is gone or none is to be had, or
// when what comes over it is not an answer to what it has asked.
const DRIVER =
  /^(?:Connection terminated|Client has encountered a connection error|Client was closed|Cannot use a pool|timeout exceeded|Query read timeout|Received unexpected|received invalid response|The server does not support SSL|timeout expired)/

const NETWORK =
  /^(?:E(?:CONN\w+|PIPE|TIMEDOUT|NOTFOUND|AI_AGAIN|HOSTUNREACH|NETUNREACH|ADDRNOTAVAIL|NOENT|ACCES)|ERR_(?:TLS|SSL|SOCKET|STREAM)\w*|CERT_\w+|DEPTH_\w+|SELF_SIGNED\w*|UNABLE_TO_\w+)$/

/**
 * The connection is gone, or the server is on its way out: another connection may do better. All of class 08 is a lost
 * connection: PgBouncer says 08P01 in the server's place whatever has happened, before it closes the connection. So is a
 * session that does not know the statements that were prepared in it, or knows others: a pooler has put it in its place.
 */
export const isConnectionLoss = (error: unknown): boolean =>
  /^(?:08...|26000|42P05|57P0[1-5])$/.test(codeOf(error)) || NETWORK.test(codeOf(error)) || isDriverOutage(error)

/** The statement did not go out, or was not run: the connection was gone before, or the session does not know it. */
export const isUnsent = (error: unknown): boolean =>
  /^(?:26000|42P05)$/.test(codeOf(error)) ||
  (error instanceof Error && codeOf(error) === '' && /^Client (?:has encountered|was closed)/.test(error.message))

/**
 * Whether a commit that was answered so may have taken place. PostgreSQL answers a commit with an error only if it
 * has undone the transaction; but a pooler that has lost the server answers in its place, some with a code of class 58
 * or XX.
 */
export const leavesDoubt = (error: unknown): boolean => isConnectionLoss(error) || /^(?:58|XX)...$/.test(codeOf(error))

/** The server did not say a word for longer than it takes over anything: it has stopped, or nothing reaches it. */
export const isSilence = (error: unknown): boolean => error instanceof Error && error.message === 'Query read timeout'

/** An administrator has ended the connection, as a restart does. */
export const isEnded = (error: unknown): boolean => codeOf(error) === '57P01'

/** A connection was begun, and nothing came of it in time. */
export const isNoWelcome = (error: unknown): boolean => error instanceof Error && error.message === 'timeout expired'

/** Every connection is in use, and was so for too long. */
export const isExhaustion = (error: unknown): boolean =>
  error instanceof Error && error.message === 'timeout exceeded when trying to connect'

/** The server does not let this user in, or not with this password. */
export const isRefusedLogin = (error: unknown): boolean => codeOf(error).startsWith('28')

/** The server takes no writes, or not any more. */
export const isReadOnly = (error: unknown): boolean => codeOf(error) === '25006'

/** The server's disk is full, or fails. */
export const isDiskTrouble = (error: unknown): boolean => /^(?:53100|58...)$/.test(codeOf(error))

/** The role may not do this. */
export const isForbidden = (error: unknown): boolean => codeOf(error) === '42501'

/** A statement does not fit what is there: there is something of this name already, or something else than what it goes by. */
export const isOfSchema = (error: unknown): error is Error => /^42(?:P07|701|703|710|723|809|P01)$/.test(codeOf(error))

/** There is no such function. */
export const isUndefinedFunction = (error: unknown): boolean => codeOf(error) === '42883'

/** The server has not come to this transaction yet. */
export const isOfTheFuture = (error: unknown): boolean => codeOf(error) === '22023'

const isDriverOutage = (error: unknown): boolean =>
  error instanceof Error && codeOf(error) === '' && DRIVER.test(error.message)

// Contention, no more room, locks and statements that took too long, a server that is read-only, broken or goes down. A
// time-out of an idle transaction closes the connection. An error outside of these is a defect of ours and must look so.
const OUTAGE = /^(?:40(?:001|P01)|53...|55P03|57014|57P0[1-5]|58...|25006|25P0[23]|3D000|55000|28...|XX00[012]|F0...)$/

/** Storage failed; what was asked of it was right. */
export const isOutage = (error: unknown): boolean => OUTAGE.test(codeOf(error)) || isConnectionLoss(error)

/** `Unavailable` if storage failed, or may not be used right now; any other error as it is. */
export const asUnavailable = (error: unknown): unknown =>
  isOutage(error) || error instanceof StorageNotUsable ? new Unavailable({ cause: error }) : error

const REASONS = [
  [/^28/, 'not-accessible', 'does not let this user in. Correct the user or the password in the URL, or pg_hba.conf'],
  [/^3D/, 'not-accessible', 'does not have this database. Create it, or name another one in the URL'],
  [
    /^42501$/,
    'not-accessible',
    'does not let this user do what is needed. Make it the owner of the database, or of the schema that ROLLCALL_DATABASE_SCHEMA names',
  ],
  [/^25006$/, 'not-accessible', 'is read-only. Name the primary server'],
  [
    /^(?:26000|42P05)$/,
    'settings',
    'is behind a pooler that mixes the statements of its clients. Set its pool_mode to session',
  ],
  [/^53100$/, 'not-accessible', 'has no room on its disk. Make room, then try again'],
  [/^58/, 'not-accessible', 'cannot read or write its files. Look into its log'],
  [/^53/, 'busy', 'has no connection left. Raise its max_connections, or lower `pool` in the URL'],
  [/^(?:55P03|57014|40)/, 'busy', 'is kept busy by others. Try again'],
  [
    /^(?:ERR_TLS|ERR_SSL|CERT|DEPTH|SELF_SIGNED|UNABLE_TO)/,
    'not-accessible',
    'has no certificate that can be trusted. Give its authority by `sslrootcert` in the URL',
  ],
  [/./, 'not-accessible', 'cannot be reached. Start it, or correct host and port in the URL'],
] as const

/** `StorageNotUsable` if storage failed while it was being opened; any other error as it is. */
export const asNotUsable = (raised: unknown, server: string): unknown => {
  const error = raised instanceof Unavailable ? (raised.cause ?? raised) : raised
  if (error instanceof Error && isDriverOutage(error) && error.message.startsWith('The server does not support SSL')) {
    const message = `The PostgreSQL server ${server} does not encrypt. Enable TLS on it; or, on a trusted network, end the URL with ?sslmode=disable.`
    return new StorageNotUsable('not-accessible', message, { cause: error })
  }
  const code = codeOf(error) || 'none'
  if (error instanceof Error && code === '08P01') {
    const message = `The PostgreSQL server ${server} cannot be reached through the pooler in front of it, which says: ${error.message}. Look into the pooler's settings and log.`
    return new StorageNotUsable('not-accessible', message, { cause: error })
  }
  if (isOfSchema(error)) return otherSchema(`on ${server}`, error.message, { cause: error })
  if (!isOutage(error) && code !== '42501') return error
  for (const [pattern, problem, remedy] of REASONS)
    if (pattern.test(code))
      return new StorageNotUsable(problem, `The PostgreSQL server ${server} ${remedy}.`, { cause: error })
  return error
}
