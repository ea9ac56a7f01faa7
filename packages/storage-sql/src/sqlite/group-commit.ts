import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { Unavailable } from '@rollcall/core'
import { whileMoreCome } from '../while-more-come.ts'
import { type CommitLog, DurableAnswers } from './durable-answers.ts'
import { BUSY_TIMEOUT, isBusy, shortPause } from './sqlite-error.ts'
import { Turns } from './turns.ts'
import type { Writer } from './writer.ts'

interface Unit<Stores> {
  readonly work: (stores: Stores) => Promise<unknown>
  readonly since: number
  readonly resolve: (value: never) => void
  readonly reject: (error: unknown) => void
}

interface Task {
  readonly run: () => void
  readonly reject: (error: unknown) => void
}

/** How a process commits. */
export interface CommitMode {
  /** Where SQLite does not wait for the disk itself: what does. */
  readonly log?: CommitLog | undefined
  /** Called once, when that has failed: nothing goes on then. */
  readonly onDiskFailure?: ((cause: unknown) => void) | undefined
  /** Milliseconds for which the lock is left to others after each commit: shared mode, if they have requests to answer. */
  readonly pause?: number | undefined
}

/** Milliseconds. In shared mode the lock may be held for 20 at a time: the rest is for the unit begun last, and the commit. */
const FOR_UNITS_IN_SHARED_MODE = 4
const FOR_UNITS = 8
const MOST_UNITS = 256
const LONGEST_QUEUE = 20_000

/**
 * Units that arrive while one commit is on its way to the disk share the next one: they run one after another in one
 * transaction, and are answered when it is on disk.
 *
 *     idle ──run──▶ window ──nothing new in a turn──▶ beginning ──write lock──▶ working ──▶ committing ──▶ window or idle
 *
 * - window: units join, and tasks of `between` run, if what was committed before is on the disk or on its way there.
 * - beginning: is repeated while another process writes; units that have waited for too long are `Unavailable`.
 *   Where it fails for another reason, all that wait are. Without units, the next state is idle.
 * - working: units run in turn, until the time limit of the batch. One that throws is undone, and the next one runs.
 *   Where the transaction is lost, all units of the batch are `Unavailable`.
 * - committing: where it fails, everything is rolled back, and the units are `Unavailable`. Otherwise they are answered
 *   once it is on the disk (`DurableAnswers`). The next batch, begun by the units that the time limit left over, goes on
 *   meanwhile, at most one at a time; in shared mode, after a pause. Where the disk refuses one, all that wait, and all
 *   that come later, are `Unavailable`.
 */
export class GroupCommit<Stores> {
  readonly #writer: Writer
  readonly #stores: Stores
  readonly #onCommit: () => void
  readonly #answers: DurableAnswers | undefined
  readonly #pause: number
  readonly #forUnits: number
  readonly #turns = new Turns()
  // The unit that comes first must not lend its asynchronous context (a request's id, a trace) to the others.
  readonly #outsideContext = AsyncLocalStorage.snapshot()
  readonly #between: Task[] = []
  #waiting: Unit<Stores>[] = []
  #draining: Promise<void> | undefined
  /** Resolves when the next batch may commit. */
  #syncBefore: Promise<void> | undefined
  #closed = false

  /** `onCommit` is called after every commit, between two transactions. */
  constructor(
    writer: Writer,
    storesFor: (guard: () => void) => Stores,
    onCommit: () => void = () => undefined,
    { log, onDiskFailure = () => undefined, pause = 0 }: CommitMode = {},
  ) {
    this.#writer = writer
    this.#stores = storesFor(() => this.#turns.require())
    this.#onCommit = onCommit
    this.#pause = pause
    this.#forUnits = pause > 0 ? FOR_UNITS_IN_SHARED_MODE : FOR_UNITS
    this.#answers =
      log &&
      new DurableAnswers(log, (cause) => {
        this.#giveUp(Number.POSITIVE_INFINITY, cause)
        rejectAll(this.#between.splice(0), cause)
        onDiskFailure(cause)
      })
  }

  /**
   * Resolves when all that is committed is on the disk; undefined if it is.
   * Rejects with `Unavailable` from the first that the disk refused.
   */
  get settling(): Promise<void> | undefined {
    return this.#answers?.settling
  }

  /** Whether the disk has refused a commit, or something else of the database. */
  get failed(): boolean {
    return this.#answers?.failure !== undefined
  }

  /** To be called where something else of the database was not brought to the disk: nothing goes on then, either. */
  fail(cause: unknown): void {
    this.#answers?.fail(cause)
  }

  run<Result>(work: (stores: Stores) => Promise<Result>): Promise<Result> {
    if (this.#turns.inside)
      return Promise.reject(new Error('A unit of work must not begin another: it would wait for itself.'))
    if (this.failed || this.#closed || this.#waiting.length >= LONGEST_QUEUE)
      return Promise.reject(new Unavailable(this.#answers?.failure))
    return new Promise((resolve, reject) => {
      this.#waiting.push({ work, since: performance.now(), resolve, reject })
      this.#wake()
    })
  }

  /** Runs the task when no transaction is open; `Unavailable` once the disk has refused something. */
  between<Result>(task: () => Result): Promise<Result> {
    if (this.failed) return Promise.reject(new Unavailable(this.#answers?.failure))
    return new Promise((resolve, reject) => {
      const run = (): void => {
        try {
          resolve(task())
        } catch (error) {
          reject(error)
        }
      }
      this.#between.push({ run, reject })
      this.#wake()
    })
  }

  /** Resolves when no unit waits any more; a unit that comes later is `Unavailable`. */
  async close(): Promise<void> {
    this.#closed = true
    for (let work = this.#work; work !== undefined; work = this.#work) await work
  }

  get #work(): Promise<void> | undefined {
    return this.#draining ?? this.#answers?.idle
  }

  #wake(): void {
    this.#draining ??= this.#outsideContext(() => this.#drain())
  }

  async #drain(): Promise<void> {
    do {
      // The window: units that arrive in this turn of the loop join; and while every turn brings more, those of a moment.
      await whileMoreCome(() => this.#waiting.length, MOST_UNITS)
      for (const { run } of this.#between.splice(0)) run()
      if (this.#waiting.length === 0 || !(await this.#begin())) continue
      await this.#runBatch()
      await this.#syncBefore
      if (this.#pause > 0) await sleep(this.#pause)
    } while (this.#waiting.length > 0 || this.#between.length > 0)
    this.#draining = undefined
  }

  /** False if no unit waits any more. */
  async #begin(): Promise<boolean> {
    for (;;) {
      try {
        this.#writer.begin()
        return true
      } catch (error) {
        this.#giveUp(isBusy(error) ? performance.now() - BUSY_TIMEOUT : Number.POSITIVE_INFINITY, error)
      }
      if (this.#waiting.length === 0) return false
      await shortPause()
    }
  }

  #giveUp(onThoseSince: number, cause: unknown): void {
    const remaining: Unit<Stores>[] = []
    for (const unit of this.#waiting) {
      if (unit.since < onThoseSince) unit.reject(new Unavailable({ cause }))
      else remaining.push(unit)
    }
    this.#waiting = remaining
  }

  async #runBatch(): Promise<void> {
    const deadline = performance.now() + this.#forUnits
    const batch = this.#waiting.splice(0, MOST_UNITS)
    const begun: Unit<Stores>[] = []
    const answers: (() => void)[] = []
    try {
      for (const unit of batch) {
        if (begun.length > 0 && performance.now() > deadline) break
        begun.push(unit)
        answers.push(await this.#runUnit(unit))
      }
      this.#writer.commit()
      this.#answer(begun, answers)
    } catch (error) {
      rejectAll(begun, this.#abandon(error))
    }
    if (begun.length < batch.length) this.#waiting = [...batch.slice(begun.length), ...this.#waiting]
    this.#onCommit()
  }

  #answer(begun: readonly Unit<Stores>[], answers: readonly (() => void)[]): void {
    const answer = (): void => {
      for (const answerOne of answers) answerOne()
    }
    const batch = { answer, refuse: (cause: unknown) => rejectAll(begun, cause, { unsure: true }) }
    if (this.#answers) this.#syncBefore = this.#answers.follow(batch, this.#writer.wrote)
    else answer()
  }

  #abandon(error: unknown): unknown {
    try {
      this.#writer.abandon()
      return error
    } catch (another) {
      return new AggregateError([error, another], 'A transaction failed, and so did its end.')
    }
  }

  /** How to answer it once the transaction is on disk. Throws where the whole transaction is lost. */
  async #runUnit({ work, resolve, reject }: Unit<Stores>): Promise<() => void> {
    const turn = this.#turns.begin()
    try {
      const value = await work(this.#stores)
      if (this.#writer.lost) throw new Unavailable()
      this.#writer.keepUnit()
      return () => resolve(value as never)
    } catch (error) {
      this.#writer.noticeFailure()
      this.#writer.undoUnit()
      return () => reject(error)
    } finally {
      this.#turns.end(turn)
    }
  }
}

const rejectAll = (units: readonly Pick<Task, 'reject'>[], cause: unknown, { unsure = false } = {}): void => {
  const unavailable = new Unavailable({ cause, unsure })
  for (const { reject } of units) reject(unavailable)
}
