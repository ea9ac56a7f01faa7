import { setTimeout as sleep } from 'node:timers/promises'
import { Unavailable } from '@rollcall/core'
import type { Connections } from './connections.ts'
import { isOfTheFuture } from './postgres-error.ts'
import { INCARNATION } from './session.ts'
import { statement } from './statement.ts'

/** By which a transaction is known. */
export interface Witness {
  readonly id: string
  /** Of the server that it ran on. */
  readonly incarnation: string
}

/** `unknown` if the server cannot say, or not in time. */
export type CommitOutcome = 'committed' | 'undone' | 'unknown'

/** Milliseconds in which the server must be back to be asked. */
const OUTCOME_TIMEOUT = 5_000
const PAUSE = 50
/** A commit that is on its way to the disk is left alone for this many checks. */
const LOOKS_BEFORE_PRESSING = 5

// With standbys that a commit waits for, one that was cut short has not reached them, and its status does not tell.
const STATUS = statement(
  `SELECT pg_xact_status($1::xid8), ${INCARNATION}, current_setting('synchronous_standby_names') = ''`,
)
// The connection was lost on our side only: no commit will follow, and no client waits for the answer.
const END = statement(
  `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND backend_xid::text = ($1::bigint % 4294967296)::text`,
)

/** Null if the server no longer keeps what became of the transaction. */
type Status = 'committed' | 'aborted' | 'in progress' | null

/**
 * What became of a transaction whose commit was not answered. Asks over another connection, for some seconds.
 *
 * PostgreSQL continues its transaction numbers after a crash from what it finds on disk. So after one, a number says surely
 * that its transaction was undone, but not that it was committed: it may be another's.
 */
export const commitOutcome = async (connections: Connections, witness: Witness | undefined): Promise<CommitOutcome> => {
  if (witness === undefined) return 'unknown'
  const deadline = performance.now() + OUTCOME_TIMEOUT
  for (let looks = 1; performance.now() < deadline; looks++) {
    const found = await look(connections, witness)
    if (found !== 'in progress') return found
    if (looks > LOOKS_BEFORE_PRESSING) await connections.ask(END, witness.id).catch(passUnavailable)
    await sleep(PAUSE)
  }
  return 'unknown'
}

const look = async (connections: Connections, { id, incarnation }: Witness): Promise<CommitOutcome | 'in progress'> => {
  try {
    const rows = await connections.ask<[status: Status, incarnation: string, alone: boolean]>(STATUS, id)
    const [status, now, alone] = rows[0] ?? [null, '', false]
    if (status === 'aborted') return 'undone'
    if (status === 'committed') return now === incarnation && alone ? 'committed' : 'unknown'
    // A process that is now at work under the lower half of a forgotten number is another's, and must not be ended.
    return status === null ? 'unknown' : 'in progress'
  } catch (error) {
    if (isOfTheFuture(error)) return 'undone'
    passUnavailable(error)
    return 'in progress'
  }
}

/** While the server is away it can be asked again. */
const passUnavailable = (error: unknown): void => {
  if (!(error instanceof Unavailable)) throw error
}
