import { setTimeout as sleep } from 'node:timers/promises'
import { type Stores, Unavailable, type UnitOfWork } from '@rollcall/core'
import type { CreateUserRepository } from '../user-repository.ts'
import { attempt } from './attempt.ts'
import type { Connections } from './connections.ts'
import { keyOf } from './lock-keys.ts'
import { isConnectionLoss } from './postgres-error.ts'
import { postgresStores } from './stores/index.ts'
import type { Transaction } from './transaction.ts'
import { insideUnit, perform, type Work } from './unit.ts'

const MOST_UNITS = 20_000
/** Milliseconds in which a unit that conflicts with others is run again. */
const CONTENTION_TIMEOUT = 10_000
const LONGEST_PAUSE = 20
/** How many lost connections one unit survives: a restart of the server loses every connection in the pool. */
const MOST_LOSSES = 3

/**
 * Runs each unit in a transaction. Everything it reads is locked, also the absence of a row, so that it stays true until
 * the end. If two units deadlock, PostgreSQL ends one of them, and that one runs again: a unit's work has no effect but by
 * its stores, so nothing is done twice.
 */
export class PostgresUnitOfWork implements UnitOfWork {
  readonly sideBySide = true
  readonly #connections: Connections
  readonly #users: CreateUserRepository | undefined
  readonly #onFeedsWritten: (() => void) | undefined
  readonly #running = new Set<Promise<unknown>>()
  #closed = false

  /** `onFeedsWritten` is called when a unit that has written a feed is on durable storage. */
  constructor(connections: Connections, users?: CreateUserRepository, onFeedsWritten?: () => void) {
    this.#connections = connections
    this.#users = users
    this.#onFeedsWritten = onFeedsWritten
  }

  async run<Result>(work: (stores: Stores) => Promise<Result>): Promise<Result> {
    if (insideUnit()) throw new Error('A unit of work must not begin another: it would wait for itself.')
    if (this.#closed || this.#running.size >= MOST_UNITS) throw new Unavailable()
    const running = this.#run(work)
    this.#running.add(running)
    try {
      return await running
    } finally {
      this.#running.delete(running)
    }
  }

  /** Resolves when every unit has ended; a unit that comes later is `Unavailable`. */
  async close(): Promise<void> {
    this.#closed = true
    await Promise.allSettled(this.#running)
  }

  /** @throws {Unavailable} storage is down, or conflicts with other units went on for too long */
  async #run<Result>(work: Work<Result>): Promise<Result> {
    const deadline = performance.now() + CONTENTION_TIMEOUT
    let contended = false
    for (let losses = 0; ; ) {
      const attempted = await attempt(this.#connections, (unit) => this.#work(unit, work, contended))
      if (attempted.done) return attempted.value
      if (isConnectionLoss(attempted.reason)) losses++
      else contended = true
      if (losses >= MOST_LOSSES || performance.now() > deadline) throw new Unavailable({ cause: attempted.reason })
      await sleep(Math.random() * LONGEST_PAUSE)
    }
  }

  async #work<Result>(unit: Transaction, work: Work<Result>, contended: boolean): Promise<Result> {
    // Units that have deadlocked before run one after another. Otherwise they could deadlock with each other forever.
    // Nor do they find out late that they need the turn to carry requests out.
    if (contended) unit.lock(keyOf.contended, keyOf.requests)
    const stores = postgresStores(unit, this.#users, this.#onFeedsWritten)
    const value = await perform(work, stores)
    stores.events.write()
    return value
  }
}
