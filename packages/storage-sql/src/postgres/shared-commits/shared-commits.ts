import { type Stores, Unavailable } from '@rollcall/core'
import { type CommitOutcome, commitOutcome, type Witness } from '../commit-outcome.ts'
import type { Connections } from '../connections.ts'
import { asUnavailable, isSilence } from '../postgres-error.ts'
import { Transaction } from '../transaction.ts'
import type { Work } from '../unit.ts'
import { auditedReads } from './audited-reads.ts'
import { sharedStores } from './shared-stores.ts'
import { ABORTED, type Outcome, SharedUnit } from './shared-unit.ts'
import { type SharedWrites, writeTogether } from './shared-writes.ts'
import { WaitingUnits } from './waiting-units.ts'

const MOST_UNITS = 64
const MOST_BATCHES = 2
/** What a batch of changes costs by itself is worth it from so many units on, where another one is under way. */
const FEWEST_CHANGES = 20
/** Of the units that are expected, where one batch takes all. */
const ENOUGH = 0.8
/** Milliseconds that such a batch waits for them. */
const PATIENCE = 3

/**
 * Changes of users that arrive together share a transaction, and with it the round trips, the locks and the disk.
 *
 * A unit:
 *
 *     running ──looks at a user──▶ waiting ──its batch begins──▶ joined ──work ends──▶ worked
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
 *     (at most 2 at a time)             undone: abort all                             └─ answer lost ──▶ ask what became
 *                                                                                        of it: committed, undone or
 *                                                                                        unknown (Unavailable)
 *
 * One batch looks for what it needs while the other one writes. Clients that were answered together come again together, so
 * each takes half of all units, and the two stay alike; where there are few, one batch takes all.
 *
 * Where the server is silent or gone, the units get `Unavailable` and are not run again; so do those that wait.
 */
export class SharedCommits {
  readonly #connections: Connections
  readonly #storesOf: (unit: SharedUnit) => Stores
  readonly #waiting = new WaitingUnits(PATIENCE)
  /** Whether a batch is about to take its units. */
  #gathering = false
  #batches = 0
  /** Units in batches. */
  #running = 0
  /** How many there were when the last batch ended: clients that were answered come again. */
  #crowd = 0
  /** Batches whose commit was not answered. */
  #doubtful = 0

  /** `ownUsers`: whether users are kept in the tables of this project, and not by a host. */
  constructor(connections: Connections, ownUsers: boolean) {
    this.#connections = connections
    this.#storesOf = (unit) => sharedStores(unit, ownUsers)
  }

  /** The outcome of the work, which has ended by then. */
  async run(work: Work): Promise<Outcome> {
    const enqueue = (waiting: SharedUnit): void => {
      this.#waiting.add(waiting)
      this.#wake()
    }
    const unit = new SharedUnit({ work, enqueue, storesOf: this.#storesOf })
    const outcome = await unit.answered.promise
    await unit.unwound
    return outcome
  }

  #wake(): void {
    if (this.#gathering || this.#batches >= MOST_BATCHES) return
    const isAlone = this.#batches === this.#doubtful
    if (this.#waiting.count < (isAlone ? 1 : FEWEST_CHANGES)) return
    this.#batches++
    this.#runBatch().finally(() => {
      this.#batches--
      this.#wake()
    })
  }

  /** How many units the next batch takes at most, and how many are enough for it. */
  #size(): { most: number; enough: number } {
    const all = Math.max(this.#crowd, this.#running + this.#waiting.count)
    const isWorthTwo = all >= 2 * FEWEST_CHANGES
    const most = Math.min(MOST_UNITS, isWorthTwo ? Math.ceil(all / 2) : MOST_UNITS)
    return { most, enough: isWorthTwo ? 1 : Math.ceil(Math.min(all, most) * ENOUGH) }
  }

  async #runBatch(): Promise<void> {
    this.#gathering = true
    const units = await this.#waiting.gather(this.#size().enough, () => this.#size().most)
    this.#gathering = false
    this.#running += units.length
    this.#wake()
    if (units.length === 0) return
    try {
      const outcomes = await this.#outcomesOf(units)
      this.#crowd = this.#running + this.#waiting.count
      for (const [index, unit] of units.entries()) unit.answered.resolve(outcomes[index] ?? ABORTED)
    } catch (error) {
      for (const unit of units) unit.fail(error)
    } finally {
      this.#running -= units.length
    }
  }

  /** @throws what is the answer to each of these units */
  async #outcomesOf(units: readonly SharedUnit[]): Promise<readonly Outcome[]> {
    let transaction: Transaction | undefined
    let outcomes: readonly Outcome[] = []
    try {
      // Everything is on durable storage once this resolves.
      return await this.#connections.lend(async (connection) => {
        transaction = new Transaction(connection, { byIndex: true })
        try {
          outcomes = await workTogether(transaction, units)
        } catch (error) {
          await transaction.abandon()
          throw error
        }
        await transaction.commit()
        return outcomes
      })
    } catch (error) {
      if (transaction === undefined || isSilence(transaction.failure)) this.#failWaiting(error)
      if (transaction === undefined) throw asUnavailable(error)
      const { unknown, failure, witness } = transaction
      const settled = unknown ? await this.#settle(witness) : 'undone'
      if (settled === 'committed') return outcomes
      if (settled === 'unknown') throw new Unavailable({ cause: failure, unsure: true })
      if (isSilence(failure)) throw new Unavailable({ cause: failure })
      return units.map(() => ABORTED)
    }
  }

  /** What became of a commit that was not answered. Others do not wait for that. */
  async #settle(witness: Witness | undefined): Promise<CommitOutcome> {
    this.#doubtful++
    this.#wake()
    try {
      return await commitOutcome(this.#connections, witness)
    } finally {
      this.#doubtful--
    }
  }

  /** There is no server: a unit that waits for one would wait as long again. */
  #failWaiting(cause: unknown): void {
    const error = asUnavailable(cause)
    for (const unit of this.#waiting.takeAll()) unit.fail(error)
  }
}

/**
 * The outcome of each unit if the transaction is committed, which several units share. They run side by side, and see
 * nothing of each other. A unit is aborted if it has looked at what a unit before it writes. So the rest act as if they had
 * run one after another.
 */
const workTogether = async (transaction: Transaction, units: readonly SharedUnit[]): Promise<readonly Outcome[]> => {
  const reads = auditedReads(transaction)
  const written = new Set<string>()
  const writes: SharedWrites[] = []
  const judge = (unit: SharedUnit, worked: Outcome): Outcome => {
    const outcome = unit.looked.some((key) => written.has(key)) ? ABORTED : worked
    if (outcome.kind === 'value') {
      for (const key of unit.changed) written.add(key)
      writes.push(unit.writes)
    }
    return outcome
  }
  for (const unit of units) unit.joined.resolve({ reads })
  const worked = await Promise.all(units.map((unit) => unit.worked.promise))
  const outcomes = units.map((unit, index) => judge(unit, worked[index] ?? ABORTED))
  writeTogether(transaction, writes)
  return outcomes
}
