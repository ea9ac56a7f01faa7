import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { StorageNotUsable } from '../storage-not-usable.ts'

/** Milliseconds for an answer: a pooler of sessions that has none left would let the second client wait. */
const LONGEST_ANSWER = 2_000
/** Milliseconds for which a finding holds: readiness is asked for by everybody, and each look makes a connection. */
const HOLDS_FOR = 5_000
const GOODBYE = 500

/**
 * Who asks when. Whatever a pooler of transactions lends next (the server that was last given back, the one that has
 * rested longest, or any), one of two clients gets two servers, or both get one.
 */
const TURNS = 'abbaabbaab'

/** Each transaction may run in another session. */
class PooledTransactions extends StorageNotUsable {
  constructor(server: string) {
    const message = `The pooler in front of the PostgreSQL server ${server} pools transactions, so that locks and settings of a session are lost. Set its pool_mode to session, or name the server itself in the URL.`
    super('settings', message)
  }
}

/** What the server says of itself behind whatever is in between. */
const sessionOf = async (client: pg.ClientBase): Promise<number | undefined> => {
  const query = { text: 'SELECT pg_backend_pid() AS pid', query_timeout: LONGEST_ANSWER }
  return (await client.query<{ pid: number }>(query)).rows[0]?.pid
}

/** Sees that a pooler between this process and the server leaves each connection its session. */
export class PoolerCheck {
  readonly #another: () => pg.Client
  readonly #server: string
  readonly #onRefusal: (error: Error) => void
  #checking: Promise<void> | undefined
  #checkedAt = Number.NEGATIVE_INFINITY
  #refused = false
  #found = false

  /** `another` makes a client that is not connected yet, and takes the same way; `onRefusal` hears of the first of several. */
  constructor(another: () => pg.Client, server: string, onRefusal: (error: Error) => void) {
    this.#another = another
    this.#server = server
    this.#onRefusal = onRefusal
  }

  /** Whether there was a pooler when the last look was long ago. */
  get isDue(): boolean {
    return this.#found && performance.now() - this.#checkedAt > HOLDS_FOR
  }

  /**
   * To be called with a connection behind a pooler that nothing else uses meanwhile. It leaves no trace in the sessions.
   * @throws {PooledTransactions} transactions of one connection run in several sessions
   */
  async require(client: pg.ClientBase): Promise<void> {
    this.#found = true
    if (performance.now() - this.#checkedAt <= HOLDS_FOR) return
    this.#checking ??= this.#check(client).finally(() => {
      this.#checking = undefined
    })
    await this.#checking
  }

  async #check(client: pg.ClientBase): Promise<void> {
    const other = this.#another()
    other.on('error', () => undefined)
    const sessions = { a: new Set<number | undefined>(), b: new Set<number | undefined>() }
    try {
      await other.connect()
      for (const turn of TURNS)
        if (turn === 'a') sessions.a.add(await sessionOf(client))
        else sessions.b.add(await sessionOf(other))
    } catch {
      // What was seen until then counts. That the pooler has no session left says nothing of how it pools.
    } finally {
      await Promise.race([other.end().catch(() => undefined), sleep(GOODBYE, undefined, { ref: false })])
      other.connection.stream.destroy()
    }
    const shared = [...sessions.a].some((session) => sessions.b.has(session))
    if (shared || sessions.a.size > 1 || sessions.b.size > 1) this.#refuse()
    this.#refused = false
    this.#checkedAt = performance.now()
  }

  #refuse(): never {
    const error = new PooledTransactions(this.#server)
    if (!this.#refused) this.#onRefusal(error)
    this.#refused = true
    throw error
  }
}
