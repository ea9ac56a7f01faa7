import { setImmediate as nextTurnOfTheLoop } from 'node:timers/promises'
import { Unavailable } from '@rollcall/core'
import type { Connections } from '../connections.ts'
import { asUnavailable } from '../postgres-error.ts'
import type { Work } from '../unit.ts'
import { SharedBatch } from './shared-batch.ts'
import { type Outcome, SharingUnit } from './sharing-unit.ts'

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
    const outcomes = await this.#runTogether(units)
    for (const [index, unit] of units.entries()) unit.answer(outcomes[index] ?? { kind: 'alone' })
  }

  async #runTogether(units: readonly SharingUnit[]): Promise<readonly Outcome[]> {
    const all = (outcome: Outcome) => units.map(() => outcome)
    try {
      return await this.#connections.lend(async (connection) => {
        const batch = new SharedBatch(connection, units)
        try {
          return await batch.run()
        } catch (error) {
          const { committing, unknown } = batch.transaction
          if (!committing) await batch.transaction.abandon()
          return all(unknown ? { kind: 'error', error: new Unavailable({ cause: error }) } : { kind: 'alone' })
        }
      })
    } catch (error) {
      return all({ kind: 'error', error: asUnavailable(error) })
    }
  }
}
