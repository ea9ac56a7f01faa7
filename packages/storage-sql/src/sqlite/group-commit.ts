import { AsyncLocalStorage } from 'node:async_hooks'
import { setImmediate as nextTurnOfTheLoop, setTimeout as sleep } from 'node:timers/promises'
import { Unavailable } from '@rollcall/core'
import { BUSY_TIMEOUT, isBusy, shortPause } from './sqlite-error.ts'
import type { Writer } from './writer.ts'

/** The time in which a unit's work runs and its stores may be used. */
interface Turn {
  open: boolean
}

type Work<Stores> = (stores: Stores) => Promise<unknown>

interface Unit<Stores> {
  readonly work: Work<Stores>
  readonly turn: Turn
  readonly since: number
  readonly resolve: (value: never) => void
  readonly reject: (error: unknown) => void
}

/** How a process writes beside a server, whose requests must not wait for it. */
export interface SharedMode {
  /** Milliseconds for which the lock is left to others after each commit. */
  readonly pause: number
  /** Brings to the disk what was committed: done when the lock is free again. */
  readonly sync: () => Promise<void>
}

/** Milliseconds. In shared mode the lock may be held for 20 at a time; the rest is a reserve. */
const HELD_IN_SHARED_MODE = 8
const HELD_BY_SERVER = 14
const MOST_TIME_FOR_UNITS = 8
const MOST_UNITS = 256
const LONGEST_QUEUE = 20_000

/**
 * Units that arrive while one commit is on its way to the disk share the next one: they run one after another in one
 * transaction, and are answered when it is on disk.
 *
 *     idle ──run──▶ window ──next turn of the loop──▶ beginning ──write lock──▶ working ──▶ committing ──▶ window or idle
 *
 * - window: units join, and tasks of `between` run.
 * - beginning: is repeated while another process writes; units that have waited for too long are `Unavailable`.
 *   Where it fails for another reason, all that wait are. Without units, the next state is idle.
 * - working: units run in turn, until the time limit of the batch. One that throws is undone, and the next one runs.
 *   Where the transaction is lost, all units of the batch are `Unavailable`.
 * - committing: the units are answered; in shared mode, once the log is synced. Where the commit fails, everything is
 *   rolled back, and they are `Unavailable`. The next batch begins if units wait; in shared mode, after a pause.
 *
 * Units that the time limit leaves over begin the next batch.
 */
export class GroupCommit<Stores> {
  readonly #writer: Writer
  readonly #stores: Stores
  readonly #onCommit: () => void
  readonly #sharedMode: SharedMode | undefined
  readonly #budget: LockBudget
  readonly #context = new AsyncLocalStorage<Turn>()
  // The unit that comes first must not lend its asynchronous context (a request's id, a trace) to the others.
  readonly #outsideContext = AsyncLocalStorage.snapshot()
  readonly #between: (() => void)[] = []
  #waiting: Unit<Stores>[] = []
  #turn: Turn | undefined
  #draining: Promise<void> | undefined
  #synced: Promise<void> = Promise.resolve()
  #closed = false

  /** `onCommit` is called after every commit, between two transactions. With `sharedMode`, commits need not be durable. */
  constructor(
    writer: Writer,
    storesFor: (guard: () => void) => Stores,
    onCommit: () => void = () => undefined,
    sharedMode?: SharedMode | undefined,
  ) {
    this.#writer = writer
    this.#stores = storesFor(() => this.#requireTurn())
    this.#onCommit = onCommit
    this.#sharedMode = sharedMode
    this.#budget = new LockBudget(sharedMode ? HELD_IN_SHARED_MODE : HELD_BY_SERVER, MOST_TIME_FOR_UNITS)
  }

  run<Result>(work: (stores: Stores) => Promise<Result>): Promise<Result> {
    if (this.#context.getStore()?.open)
      return Promise.reject(new Error('A unit of work must not begin another: it would wait for itself.'))
    if (this.#closed || this.#waiting.length >= LONGEST_QUEUE) return Promise.reject(new Unavailable())
    return new Promise((resolve, reject) => {
      const turn = { open: false }
      this.#waiting.push({ work, turn, since: performance.now(), resolve, reject })
      this.#wake()
    })
  }

  /** Runs the task when no transaction is open. */
  between<Result>(task: () => Result): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#between.push(() => {
        try {
          resolve(task())
        } catch (error) {
          reject(error)
        }
      })
      this.#wake()
    })
  }

  /** Resolves when no unit waits any more; a unit that comes later is `Unavailable`. */
  async close(): Promise<void> {
    this.#closed = true
    while (this.#draining) await this.#draining
    await this.#synced
  }

  #wake(): void {
    this.#draining ??= this.#outsideContext(() => this.#drain())
  }

  async #drain(): Promise<void> {
    do {
      // The window: units that arrive in this turn of the loop join.
      await nextTurnOfTheLoop()
      for (const task of this.#between.splice(0)) task()
      if (this.#waiting.length === 0 || !(await this.#begin())) continue
      await this.#runBatch()
      if (this.#sharedMode) await sleep(this.#sharedMode.pause)
    } while (this.#waiting.length > 0 || this.#between.length > 0)
    this.#draining = undefined
  }

  /** False where no unit waits any more. */
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
    const began = performance.now()
    const deadline = began + this.#budget.forUnits
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
    this.#budget.note(performance.now() - began)
    if (begun.length < batch.length) this.#waiting = [...batch.slice(begun.length), ...this.#waiting]
    this.#onCommit()
  }

  #answer(begun: readonly Unit<Stores>[], answers: readonly (() => void)[]): void {
    const answerAll = (): void => {
      for (const answer of answers) answer()
    }
    if (this.#sharedMode === undefined) answerAll()
    else this.#synced = this.#synced.then(this.#sharedMode.sync).then(answerAll, (error) => rejectAll(begun, error))
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
  async #runUnit({ work, turn, resolve, reject }: Unit<Stores>): Promise<() => void> {
    const position = this.#writer.position
    turn.open = true
    this.#turn = turn
    try {
      const value = await this.#context.run(turn, work, this.#stores)
      if (this.#writer.lost) throw new Unavailable()
      return () => resolve(value as never)
    } catch (error) {
      this.#writer.noticeFailure()
      this.#writer.undoTo(position)
      return () => reject(error)
    } finally {
      turn.open = false
      this.#turn = undefined
    }
  }

  #requireTurn(): void {
    if (this.#turn === undefined || this.#context.getStore() !== this.#turn)
      throw new Error('A store was used outside its unit of work. Await everything that a unit does.')
  }
}

const rejectAll = (units: readonly Pick<Unit<never>, 'reject'>[], cause: unknown): void => {
  const unavailable = new Unavailable({ cause })
  for (const { reject } of units) reject(unavailable)
}

const LEAST = 1
/** At most so much more than the last time: what was slow once is often slow again. */
const GROWTH = 1.25
const SHRINKAGE = 0.25

/** For how many milliseconds units may go on in one transaction, learnt from how long the lock was held before. */
export class LockBudget {
  readonly #aim: number
  readonly #most: number
  forUnits: number

  /** @param aim milliseconds to hold the lock, commit included; `most` of them for units */
  constructor(aim: number, most: number) {
    this.#aim = aim
    this.#most = most
    this.forUnits = most / 2
  }

  /** Records for how many milliseconds the lock was held. */
  note(held: number): void {
    const change = Math.min(GROWTH, Math.max(SHRINKAGE, this.#aim / held))
    this.forUnits = Math.min(this.#most, Math.max(LEAST, this.forUnits * change))
  }
}
