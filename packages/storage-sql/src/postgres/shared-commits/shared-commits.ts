import { setImmediate as nextTurnOfTheLoop } from 'node:timers/promises'
import { Unavailable } from '@rollcall/core'
import { commitOutcome } from '../commit-outcome.ts'
import type { Connections } from '../connections.ts'
import { asUnavailable, isSilence } from '../postgres-error.ts'
import type { Work } from '../unit.ts'
import { SharedBatch } from './shared-batch.ts'
import { ABORTED, type Outcome, SharedUnit } from './shared-unit.ts'

const MOST_UNITS = 64
const MOST_BATCHES = 2

/**
 * Units that arrive together share a transaction, and with it the round trips, the locks and the disk.
 *
 * A unit:
 *
 *     running ──first use of a store──▶ waiting ──its batch begins──▶ joined ──work ends──▶ worked
 *        │                                 │                            │                     │
 *        │ no store used                   │ no connection              │ abort (1)           ├─ conflict (2) ──▶ aborted
 *        ▼                                 ▼                            ▼                     │
 *     answered                    answered: Unavailable              aborted                  └─ COMMIT ──▶ answered
 *
 * (1) The work asked for something that only an exclusive transaction can do. A store throws the abort, and the work
 *     unwinds; the batch goes on without it. (2) It has looked at what a unit before it in the batch writes.
 * An aborted unit is run again, in an exclusive transaction, once its batch has ended and its work has unwound.
 *
 * A batch:
 *
 *     window ──next turn of the loop──▶ working ──all units worked or aborted──▶ committing ──▶ committed: answer
 *        ▲                                 │                                          │
 *        │ units join,                     │ a statement failed                       ├─ failed ──▶ undone: abort all
 *        │ at most 64                      ▼                                          │
 *     (at most 2 batches at a time)     undone: abort all                             └─ answer lost ──▶ ask what became
 *                                                                                        of it: committed, undone or
 *                                                                                        unknown (Unavailable)
 *
 * Where the server is silent or gone, the units get `Unavailable` and are not run again; so do those that wait.
 */
export class SharedCommits {
  readonly #connections: Connections
  #waiting: SharedUnit[] = []
  #batches = 0

  constructor(connections: Connections) {
    this.#connections = connections
  }

  /** The outcome of the work, which has ended by then. */
  async run(work: Work): Promise<Outcome> {
    const unit = new SharedUnit(work, (waiting) => {
      this.#waiting.push(waiting)
      this.#wake()
    })
    const outcome = await unit.answered
    await unit.unwound
    return outcome
  }

  #wake(): void {
    if (this.#batches >= MOST_BATCHES || this.#waiting.length === 0) return
    this.#batches++
    this.#runBatch().finally(() => {
      this.#batches--
      this.#wake()
    })
  }

  async #runBatch(): Promise<void> {
    // The batch window: everything that arrives in this turn of the loop joins.
    await nextTurnOfTheLoop()
    const units = this.#waiting.splice(0, MOST_UNITS)
    if (units.length === 0) return
    try {
      const outcomes = await this.#outcomesOf(units)
      for (const [index, unit] of units.entries()) unit.answer(outcomes[index] ?? ABORTED)
    } catch (error) {
      for (const unit of units) unit.fail(error)
    }
  }

  /** @throws what is the answer to each of these units */
  async #outcomesOf(units: readonly SharedUnit[]): Promise<readonly Outcome[]> {
    let batch: SharedBatch | undefined
    try {
      return await this.#connections.lend(async (connection) => {
        batch = new SharedBatch(connection, units)
        return await batch.run()
      })
    } catch (error) {
      if (batch === undefined || isSilence(batch.transaction.failure)) this.#failWaiting(error)
      if (batch === undefined) throw asUnavailable(error)
      const { unknown, failure, witness } = batch.transaction
      const settled = unknown ? await commitOutcome(this.#connections, witness) : 'undone'
      if (settled === 'committed') return batch.outcomes
      if (settled === 'unknown') throw new Unavailable({ cause: failure, unsure: true })
      if (isSilence(failure)) throw new Unavailable({ cause: failure })
      return units.map(() => ABORTED)
    }
  }

  /** There is no server: a unit that waits for one would wait as long again. */
  #failWaiting(cause: unknown): void {
    const error = asUnavailable(cause)
    for (const unit of this.#waiting.splice(0)) unit.fail(error)
  }
}
