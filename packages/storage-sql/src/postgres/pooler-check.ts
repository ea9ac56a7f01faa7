import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { StorageNotUsable } from '../storage-not-usable.ts'

/** Milliseconds for an answer: a pooler of sessions that has none left would let the second client wait. */
const LONGEST_ANSWER = 2_000
/** Milliseconds for which a finding holds: readiness is asked for by everybody, and each look makes a connection. */
const HOLDS_FOR = 5_000
const GOODBYE = 500

/** How many ask beside the connection itself: what looks like one pooler may be several, each with sessions of its own. */
const OTHERS = 3

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

  /** To be called when a connection was lost: what comes back may be set otherwise. */
  forget(): void {
    this.#checkedAt = Number.NEGATIVE_INFINITY
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
    const others = Array.from({ length: OTHERS }, () => this.#another())
    try {
      if (await isPooled([client, ...(await admitted(others))])) this.#refuse()
    } finally {
      await Promise.all(others.map(leave))
    }
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

/** Those that got a session. That a pooler has none left says nothing of how it pools. */
const admitted = async (clients: readonly pg.Client[]): Promise<pg.Client[]> => {
  const tried = clients.map(async (client) => {
    client.on('error', () => undefined)
    await client.connect()
    await sessionOf(client)
    return client
  })
  return (await Promise.allSettled(tried)).flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
}

/**
 * Whether one of these clients gets several sessions, or two get one. They ask one after another, forth and back and
 * forth again: that comes out whichever server is lent, the one given back last, the one that has rested longest, or any.
 */
const isPooled = async (clients: readonly pg.ClientBase[]): Promise<boolean> => {
  const clientOf = new Map<number | undefined, pg.ClientBase>()
  const seen = new Map<pg.ClientBase, number | undefined>()
  for (const client of [...clients, ...clients.toReversed(), ...clients]) {
    const session = await sessionOf(client)
    if ((clientOf.get(session) ?? client) !== client) return true
    if (seen.has(client) && seen.get(client) !== session) return true
    clientOf.set(session, client)
    seen.set(client, session)
  }
  return false
}

const leave = async (client: pg.Client): Promise<void> => {
  await Promise.race([client.end().catch(() => undefined), sleep(GOODBYE, undefined, { ref: false })])
  client.connection.stream.destroy()
}
