import { AsyncLocalStorage } from 'node:async_hooks'
import { setImmediate as nextTurnOfTheLoop, setTimeout as sleep } from 'node:timers/promises'
import { Unavailable } from '@rollcall/core'
import { PATIENCE, shortPause } from './patiently.ts'
import { isBusy } from './sqlite-error.ts'
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

/** The lock may be held for 20 ms at a time: what the units and the commit leave is for what nobody foresees. */
const TIME_FOR_ALL = 14
const MOST_TIME_FOR_UNITS = 8
const LEAST_TIME_FOR_UNITS = 1
const MOST_UNITS = 256
const LONGEST_QUEUE = 20_000

/**
 * Units that arrive while one commit is on its way to the disk share the next one: they run one after another in one
 * transaction, and are answered when it is on disk.
 */
export class GroupCommit<Stores> {
  readonly #writer: Writer
  readonly #stores: Stores
  readonly #onCommit: () => void
  readonly #courtesy: number
  readonly #context = new AsyncLocalStorage<Turn>()
  // Whoever asked first must not lend its asynchronous context (a request's id, a trace) to the work of the others.
  readonly #inNobodysContext = AsyncLocalStorage.snapshot()
  readonly #between: (() => void)[] = []
  #waiting: Unit<Stores>[] = []
  #turn: Turn | undefined
  #draining: Promise<void> | undefined
  /** Milliseconds that commits took lately: where a unit touches many pages that is longer than the units themselves. */
  #commitTime = 0
  #closed = false

  /**
   * `onCommit` is called after every commit, between two transactions. `courtesy` is for how many milliseconds the lock
   * is left to other processes after each.
   */
  constructor(
    writer: Writer,
    storesFor: (guard: () => void) => Stores,
    onCommit: () => void = () => undefined,
    courtesy = 0,
  ) {
    this.#writer = writer
    this.#stores = storesFor(() => this.#requireTurn())
    this.#onCommit = onCommit
    this.#courtesy = courtesy
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

  /** Resolves when nothing is waiting any more; what comes later is `Unavailable`. */
  async close(): Promise<void> {
    this.#closed = true
    while (this.#draining) await this.#draining
  }

  #wake(): void {
    this.#draining ??= this.#inNobodysContext(() => this.#drain())
  }

  async #drain(): Promise<void> {
    do {
      // Lets whatever has arrived in this turn of the loop join.
      await nextTurnOfTheLoop()
      for (const task of this.#between.splice(0)) task()
      if (this.#waiting.length === 0 || !(await this.#begin())) continue
      await this.#runBatch()
      if (this.#courtesy > 0) await sleep(this.#courtesy)
    } while (this.#waiting.length > 0 || this.#between.length > 0)
    this.#draining = undefined
  }

  /** False where nobody is left who would wait. */
  async #begin(): Promise<boolean> {
    for (;;) {
      try {
        this.#writer.begin()
        return true
      } catch (error) {
        this.#giveUp(isBusy(error) ? performance.now() - PATIENCE : Number.POSITIVE_INFINITY, error)
      }
      if (this.#waiting.length === 0) return false
      await shortPause()
    }
  }

  #giveUp(onThoseSince: number, cause: unknown): void {
    const patient: Unit<Stores>[] = []
    for (const unit of this.#waiting) {
      if (unit.since < onThoseSince) unit.reject(new Unavailable({ cause }))
      else patient.push(unit)
    }
    this.#waiting = patient
  }

  async #runBatch(): Promise<void> {
    const forUnits = Math.max(LEAST_TIME_FOR_UNITS, Math.min(MOST_TIME_FOR_UNITS, TIME_FOR_ALL - this.#commitTime))
    const deadline = performance.now() + forUnits
    const batch = this.#waiting.splice(0, MOST_UNITS)
    const begun: Unit<Stores>[] = []
    let answers: (() => void)[] = []
    try {
      for (const unit of batch) {
        if (begun.length > 0 && performance.now() > deadline) break
        begun.push(unit)
        answers.push(await this.#runUnit(unit))
      }
      this.#commit()
    } catch (error) {
      const unavailable = new Unavailable({ cause: this.#abandon(error) })
      answers = begun.map(
        ({ reject }) =>
          () =>
            reject(unavailable),
      )
    }
    if (begun.length < batch.length) this.#waiting = [...batch.slice(begun.length), ...this.#waiting]
    for (const answer of answers) answer()
    this.#onCommit()
  }

  #commit(): void {
    const began = performance.now()
    this.#writer.commit()
    this.#commitTime += (performance.now() - began - this.#commitTime) / 4
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
