import { type Stores, Unavailable, type UnitOfWork } from '@rollcall/core'
import type { CreateUserRepository } from '../user-repository.ts'
import type { Connections } from './connections.ts'
import { runExclusive } from './exclusive-transaction.ts'
import { SharedCommits } from './shared-commits/shared-commits.ts'
import { insideUnit } from './unit.ts'

const MOST_UNITS = 20_000

/**
 * Runs each unit in a transaction that it shares with others, as long as it does only what new sign-ups do. A unit that
 * does more is aborted, and runs again in an exclusive transaction. A unit's work has no effect but by its stores, so
 * nothing is done twice.
 */
export class PostgresUnitOfWork implements UnitOfWork {
  readonly sideBySide = true
  readonly #connections: Connections
  readonly #users: CreateUserRepository | undefined
  readonly #shared: SharedCommits
  readonly #running = new Set<Promise<unknown>>()
  #closed = false

  constructor(connections: Connections, users?: CreateUserRepository) {
    this.#connections = connections
    this.#users = users
    this.#shared = new SharedCommits(connections)
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

  async #run<Result>(work: (stores: Stores) => Promise<Result>): Promise<Result> {
    const outcome = await this.#shared.run(work)
    if (outcome.kind === 'error') throw outcome.error
    if (outcome.kind === 'value') return outcome.value as Result
    return await runExclusive(this.#connections, work, this.#users)
  }
}
