import { setImmediate as nextTurnOfTheLoop } from 'node:timers/promises'
import { Unavailable } from '@rollcall/core'
import { commitOutcome } from '../commit-outcome.ts'
import type { Connections } from '../connections.ts'
import { asUnavailable, isSilence } from '../postgres-error.ts'
import type { Work } from '../unit.ts'
import { SharedBatch } from './shared-batch.ts'
import { ALONE, type Outcome, SharingUnit } from './sharing-unit.ts'

const MOST_UNITS = 64
const MOST_BATCHES = 2

/** Has units that arrive together share a transaction, and with it the way to the server, the locks and the disk. */
export class Sharing {
  readonly #connections: Connections
  #waiting: SharingUnit[] = []
  #batches = 0

  constructor(connections: Connections) {
    this.#connections = connections
  }

  /** How the work came out; `alone` where it has to be run by itself, and nothing of it took place. */
  async run(work: Work): Promise<Outcome> {
    const unit = new SharingUnit(work, (boarding) => {
      this.#waiting.push(boarding)
      this.#wake()
    })
    return await unit.answered
  }

  #wake(): void {
    if (this.#batches >= MOST_BATCHES || this.#waiting.length === 0) return
    this.#batches++
    this.#drain().finally(() => {
      this.#batches--
      this.#wake()
    })
  }

  async #drain(): Promise<void> {
    // Lets whatever has arrived in this turn of the loop join.
    await nextTurnOfTheLoop()
    const units = this.#waiting.splice(0, MOST_UNITS)
    if (units.length === 0) return
    const outcomes = await this.#outcomesOf(units)
    for (const [index, unit] of units.entries()) unit.answer(outcomes[index] ?? ALONE)
  }

  /** Never rejects: whatever is thrown is the answer to each of these units. */
  async #outcomesOf(units: readonly SharingUnit[]): Promise<readonly Outcome[]> {
    try {
      return await this.#runTogether(units)
    } catch (error) {
      return units.map(() => ({ kind: 'error', error }))
    }
  }

  async #runTogether(units: readonly SharingUnit[]): Promise<readonly Outcome[]> {
    const all = (outcome: Outcome) => units.map(() => outcome)
    let batch: SharedBatch | undefined
    try {
      return await this.#connections.lend(async (connection) => {
        batch = new SharedBatch(connection, units)
        return await batch.run()
      })
    } catch (error) {
      if (batch === undefined || isSilence(batch.transaction.failure)) this.#giveUp(error)
      if (batch === undefined) return all({ kind: 'error', error: asUnavailable(error) })
      const { unknown, failure, witness } = batch.transaction
      const settled = unknown ? await commitOutcome(this.#connections, witness) : 'undone'
      if (settled === 'committed') return batch.outcomes
      if (settled === 'unknown') return all({ kind: 'error', error: new Unavailable({ cause: failure, unsure: true }) })
      return all(isSilence(failure) ? { kind: 'error', error: new Unavailable({ cause: failure }) } : ALONE)
    }
  }

  /** There is no server to be had: whoever waits for one would wait for as long again. */
  #giveUp(cause: unknown): void {
    const error = asUnavailable(cause)
    for (const unit of this.#waiting.splice(0)) unit.answer({ kind: 'error', error })
  }
}
