import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { isContention, isLockTimeout } from './postgres-error.ts'

type Asked = Pick<pg.ClientBase, 'query'>

/** How long waits may go on, and what is said meanwhile. */
export interface Patience {
  /** Called with a sentence about what is waited for: at once, when that becomes another, and now and then. */
  readonly onWait?: ((text: string) => void) | undefined
  /** Ends the waiting: it throws an `AbortError`, and nothing was changed. */
  readonly signal?: AbortSignal | undefined
}

/** Another session's transaction that has a lock on a table in our way. */
interface Blocker {
  readonly table: string
  readonly relation: number
  readonly pid: number | null
  readonly transaction: string
  readonly application: string | null
}

/**
 * Milliseconds that a statement waits for a lock. Whatever comes after it waits behind it, also what only reads and does
 * not conflict with the lock that is there: this is for how long an instance that is open may be held up.
 */
const LONGEST_WAIT = 200
/** Milliseconds between two looks at what such a statement waits for. */
const LOOK = LONGEST_WAIT / 4
/** Milliseconds between two tries, at least and at most: meanwhile the others work. */
const SHORTEST_PAUSE = 500
const LONGEST_PAUSE = 1_000
/** Milliseconds between two looks whether the way is free. */
const LOOK_AGAIN = 250
/** Milliseconds after which it is said again what is waited for. */
const SAY_AGAIN = 60_000

/** For the transaction that takes strong locks. */
export const BRIEF_LOCKS = `set_config('lock_timeout', '${LONGEST_WAIT}', true)`

/**
 * Does what takes strong locks on tables of instances that work meanwhile, in one transaction that waits briefly for
 * each. If it does not get one, it is undone, and begins again as soon as those have ended that were in its way: a dump
 * may take hours. It does not wait in the queue for the lock meanwhile, where all others would wait behind it.
 *
 * `onBegin` is to be called with the number of the process that the transaction is in. `asked` is another connection.
 */
export const besideOthers = async <Result>(
  asked: Asked,
  work: (onBegin: (pid: number) => void) => Promise<Result>,
  { onWait, signal }: Patience,
): Promise<Result> => {
  const say = sayingOnce(onWait)
  for (;;) {
    const watch = new Watch(asked)
    try {
      return await work((pid) => watch.look(pid))
    } catch (error) {
      if (!isLockTimeout(error) && !isContention(error)) throw error
    } finally {
      await watch.end()
    }
    const { blockers } = watch
    say(blockers.length > 0 ? sentenceOf(blockers) : SOMETHING_ELSE)
    await sleep(SHORTEST_PAUSE + Math.random() * (LONGEST_PAUSE - SHORTEST_PAUSE), undefined, { signal })
    while (await areThere(asked, blockers)) {
      say(sentenceOf(blockers))
      await sleep(LOOK_AGAIN, undefined, { signal })
    }
  }
}

/**
 * Takes an advisory lock for the session. It asks again and again: a session that waits for one has a snapshot, which
 * would keep the server from tidying up for as long.
 */
export const lockPatiently = async (asked: Asked, lock: string, { onWait, signal }: Patience): Promise<void> => {
  const say = sayingOnce(onWait)
  const text = 'SELECT pg_try_advisory_lock($1) AS taken'
  while ((await asked.query<{ taken: boolean }>(text, [lock])).rows[0]?.taken !== true) {
    say('another process brings the database up to date; waiting for it')
    await sleep(LOOK_AGAIN, undefined, { signal })
  }
}

/** Looks at what a transaction waits for. */
class Watch {
  readonly #asked: Asked
  readonly #over = new AbortController()
  #looking: Promise<void> | undefined
  blockers: readonly Blocker[] = []

  constructor(asked: Asked) {
    this.#asked = asked
  }

  look(pid: number): void {
    this.#looking ??= this.#look(pid)
  }

  async end(): Promise<void> {
    this.#over.abort()
    await this.#looking
  }

  async #look(pid: number): Promise<void> {
    const { signal } = this.#over
    while (!signal.aborted) {
      await sleep(LOOK, undefined, { signal }).catch(() => undefined)
      const { rows } = await this.#asked.query<Blocker>(IN_THE_WAY_OF, [pid]).catch(() => NOTHING)
      if (rows.length > 0) this.blockers = rows
    }
  }
}

const NOTHING = { rows: [] }

// Every role may read this much of the sessions of others. A prepared transaction has no process.
const IN_THE_WAY_OF = `SELECT held.relation::regclass::text AS "table", held.relation::integer AS relation, held.pid,
    held.virtualtransaction AS transaction, nullif(application_name, '') AS application
  FROM pg_locks AS wanted
    JOIN pg_locks AS held ON held.database = wanted.database AND held.relation = wanted.relation AND held.granted
      AND coalesce(held.pid, 0) = ANY (pg_blocking_pids(wanted.pid))
    LEFT JOIN pg_stat_activity AS activity ON activity.pid = held.pid
  WHERE wanted.pid = $1 AND wanted.locktype = 'relation' AND NOT wanted.granted
  ORDER BY held.pid`

// The number of a transaction never comes again, and so another one of the same process is not taken for it.
const THERE = `SELECT FROM pg_locks WHERE locktype = 'relation' AND granted
  AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
  AND relation::integer = ANY ($1) AND virtualtransaction = ANY ($2) LIMIT 1`

const areThere = async (asked: Asked, blockers: readonly Blocker[]): Promise<boolean> => {
  if (blockers.length === 0) return false
  const relations = blockers.map(({ relation }) => relation)
  const transactions = blockers.map(({ transaction }) => transaction)
  return (await asked.query(THERE, [relations, transactions])).rows.length > 0
}

const SOMETHING_ELSE =
  'the database cannot be brought up to date yet: another session has locked something that is needed. Look into pg_locks; trying again'

const sentenceOf = (blockers: readonly Blocker[]): string => {
  const holders = new Set(
    blockers.map(({ pid, application }) =>
      pid === null ? 'a prepared transaction' : `the process ${pid}${application === null ? '' : ` (${application})`}`,
    ),
  )
  const table = blockers[0]?.table ?? ''
  return `the database is brought up to date as soon as the table ${table} is free: ${[...holders].join(', ')} of the database server has it; instances of the old version go on meanwhile`
}

/** The same sentence is said again after a while only. */
const sayingOnce = (onWait: Patience['onWait']) => {
  let last: { readonly text: string; readonly at: number } | undefined
  return (text: string): void => {
    if (text === last?.text && performance.now() - last.at < SAY_AGAIN) return
    last = { text, at: performance.now() }
    onWait?.(text)
  }
}
