import { setTimeout as sleep } from 'node:timers/promises'
import { type Stores, Unavailable, type UnitOfWork } from '@rollcall/core'
import type { CreateUserRepository } from '../user-repository.ts'
import { commitOutcome } from './commit-outcome.ts'
import type { Connections } from './connections.ts'
import { keyOf } from './lock-keys.ts'
import { asUnavailable, isConnectionLoss, isContention, isSilence } from './postgres-error.ts'
import { SharedCommits } from './shared-commits/shared-commits.ts'
import { postgresStores } from './stores/index.ts'
import { Transaction } from './transaction.ts'
import { insideUnit, perform, type Work } from './unit.ts'

const MOST_UNITS = 20_000
/** Milliseconds in which a unit that conflicts with others is run again. */
const CONTENTION_TIMEOUT = 10_000
const LONGEST_PAUSE = 20
/** How many lost connections one unit survives: a restart of the server loses every connection in the pool. */
const MOST_LOSSES = 3

type Attempt<Result> =
  | { readonly done: true; readonly value: Result }
  /** Nothing of it took place, and the work may be run again. */
  | { readonly done: false; readonly reason: unknown }

/**
 * Runs each unit in a transaction of its own, but for changes of users: they share one, as long as they do nothing else.
 * A unit that does more is aborted, and runs again in an exclusive transaction. A unit's work has no effect but by its
 * stores, so nothing is done twice.
 */
export class PostgresUnitOfWork implements UnitOfWork {
  readonly sideBySide = true
  readonly #connections: Connections
  readonly #users: CreateUserRepository | undefined
  readonly #onFeedsWritten: (() => void) | undefined
  readonly #shared: SharedCommits
  readonly #running = new Set<Promise<unknown>>()
  #closed = false

  /** `onFeedsWritten` is called when a unit that has written a feed is on durable storage. */
  constructor(connections: Connections, users?: CreateUserRepository, onFeedsWritten?: () => void) {
    this.#connections = connections
    this.#users = users
    this.#onFeedsWritten = onFeedsWritten
    this.#shared = new SharedCommits(connections, users === undefined)
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
    return await this.#runExclusive(work)
  }

  /**
   * Runs the work in a transaction of its own. Everything it reads is locked, also the absence of a row, so that it stays
   * true until the end. Where two units deadlock, PostgreSQL ends one of them, and that one runs again.
   * @throws {Unavailable} storage is down, or conflicts with other units went on for too long
   */
  async #runExclusive<Result>(work: Work<Result>): Promise<Result> {
    const deadline = performance.now() + CONTENTION_TIMEOUT
    let contended = false
    for (let losses = 0; ; ) {
      const attempted = await this.#attempt(work, contended)
      if (attempted.done) return attempted.value
      if (isConnectionLoss(attempted.reason)) losses++
      else contended = true
      if (losses >= MOST_LOSSES || performance.now() > deadline) throw new Unavailable({ cause: attempted.reason })
      await sleep(Math.random() * LONGEST_PAUSE)
    }
  }

  async #attempt<Result>(work: Work<Result>, contended: boolean): Promise<Attempt<Result>> {
    let unit: Transaction | undefined
    let result: { readonly value: Result } | undefined
    try {
      const value = await this.#connections.lend(async (connection) => {
        unit = new Transaction(connection)
        // Units that have deadlocked before run one after another. Otherwise they could deadlock with each other forever.
        // Nor do they find out late that they need the turn to carry requests out.
        if (contended) unit.lock(keyOf.contended, keyOf.requests)
        result = { value: await this.#work(unit, work) }
        await unit.commit()
        return result.value
      })
      return { done: true, value }
    } catch (error) {
      if (unit?.unknown && result) return await this.#settled(unit, result)
      const failure = unit?.failure
      if (isContention(failure) || (isConnectionLoss(failure) && !isSilence(failure)))
        return { done: false, reason: failure }
      throw unit?.committing ? asUnavailable(error) : error
    }
  }

  async #work<Result>(unit: Transaction, work: Work<Result>): Promise<Result> {
    const stores = postgresStores(unit, this.#users, this.#onFeedsWritten)
    try {
      const value = await perform(work, stores)
      stores.events.write()
      return value
    } catch (error) {
      await unit.abandon()
      throw error
    }
  }

  async #settled<Result>(
    { witness, failure }: Transaction,
    { value }: { readonly value: Result },
  ): Promise<Attempt<Result>> {
    const outcome = await commitOutcome(this.#connections, witness)
    if (outcome === 'unknown') throw new Unavailable({ cause: failure, unsure: true })
    if (outcome === 'committed') return { done: true, value }
    if (isConnectionLoss(failure)) return { done: false, reason: failure }
    throw asUnavailable(failure)
  }
}
