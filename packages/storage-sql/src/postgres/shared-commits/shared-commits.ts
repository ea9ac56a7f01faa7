import { type Stores, Unavailable } from '@rollcall/core'
import { type CommitOutcome, commitOutcome, type Witness } from '../commit-outcome.ts'
import type { Connections } from '../connections.ts'
import { asUnavailable, isSilence } from '../postgres-error.ts'
import { Transaction } from '../transaction.ts'
import type { Work } from '../unit.ts'
import { sharedReads } from './shared-reads.ts'
import { sharedStores } from './shared-stores.ts'
import { ABORTED, type Lane, type Outcome, SharedUnit } from './shared-unit.ts'
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

interface LaneState {
  readonly waiting: WaitingUnits
  /** How many have to wait for a batch to begin beside another one. */
  readonly fewest: number
  /** Whether a batch is about to take its units. */
  gathering: boolean
  batches: number
  /** Units in batches. */
  running: number
  /** How many there were when the last batch ended: clients that were answered come again. */
  crowd: number
  /** Batches whose commit was not answered. */
  doubtful: number
}

const emptyLane = (fewest: number, patience: number): LaneState => ({
  waiting: new WaitingUnits(patience),
  fewest,
  gathering: false,
  batches: 0,
  running: 0,
  crowd: 0,
  doubtful: 0,
})

/** How many units the next batch takes at most, and how many are enough for it. */
const sizeOf = ({ fewest, running, waiting, crowd }: LaneState): { most: number; enough: number } => {
  const all = Math.max(crowd, running + waiting.count)
  const isWorthTwo = fewest > 1 && all >= 2 * fewest
  const most = Math.min(MOST_UNITS, isWorthTwo ? Math.ceil(all / 2) : MOST_UNITS)
  return { most, enough: isWorthTwo ? 1 : Math.ceil(Math.min(all, most) * ENOUGH) }
}

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
 *     (at most 2 of a lane at a time)   undone: abort all                             └─ answer lost ──▶ ask what became
 *                                                                                        of it: committed, undone or
 *                                                                                        unknown (Unavailable)
 *
 * Units that append to the audit trail have batches of their own. One of these batches looks for what it needs while the
 * other one writes. Clients that were answered together come again together, so
 * each takes half of all units, and the two stay alike; where there are few, one batch takes all.
 *
 * Where the server is silent or gone, the units get `Unavailable` and are not run again; so do those that wait.
 */
export class SharedCommits {
  readonly #connections: Connections
  readonly #storesOf: (unit: SharedUnit) => Stores
  readonly #lanes: Readonly<Record<Lane, LaneState>> = {
    plain: emptyLane(1, 0),
    audited: emptyLane(FEWEST_CHANGES, PATIENCE),
  }

  /** `ownUsers`: whether users are kept in the tables of this project, and not by a host. */
  constructor(connections: Connections, ownUsers: boolean) {
    this.#connections = connections
    this.#storesOf = (unit) => sharedStores(unit, ownUsers)
  }

  /** The outcome of the work, which has ended by then. */
  async run(work: Work): Promise<Outcome> {
    const enqueue = (waiting: SharedUnit, name: Lane): void => {
      this.#lanes[name].waiting.add(waiting)
      this.#wake(name)
    }
    const unit = new SharedUnit({ work, enqueue, storesOf: this.#storesOf })
    const outcome = await unit.answered.promise
    await unit.unwound
    return outcome
  }

  #wake(name: Lane): void {
    const lane = this.#lanes[name]
    if (lane.gathering || lane.batches >= MOST_BATCHES) return
    const isAlone = lane.batches === lane.doubtful
    if (lane.waiting.count < (isAlone ? 1 : lane.fewest)) return
    lane.batches++
    this.#runBatch(name).finally(() => {
      lane.batches--
      this.#wake(name)
    })
  }

  async #runBatch(name: Lane): Promise<void> {
    const lane = this.#lanes[name]
    lane.gathering = true
    const units = await lane.waiting.gather(sizeOf(lane).enough, () => sizeOf(lane).most)
    lane.gathering = false
    lane.running += units.length
    this.#wake(name)
    if (units.length === 0) return
    try {
      const outcomes = await this.#outcomesOf(name, units)
      lane.crowd = lane.running + lane.waiting.count
      for (const [index, unit] of units.entries()) unit.answered.resolve(outcomes[index] ?? ABORTED)
    } catch (error) {
      for (const unit of units) unit.fail(error)
    } finally {
      lane.running -= units.length
    }
  }

  /** @throws what is the answer to each of these units */
  async #outcomesOf(lane: Lane, units: readonly SharedUnit[]): Promise<readonly Outcome[]> {
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
      const settled = unknown ? await this.#settle(lane, witness) : 'undone'
      if (settled === 'committed') return outcomes
      if (settled === 'unknown') throw new Unavailable({ cause: failure, unsure: true })
      if (isSilence(failure)) throw new Unavailable({ cause: failure })
      return units.map(() => ABORTED)
    }
  }

  /** What became of a commit that was not answered. Others do not wait for that. */
  async #settle(name: Lane, witness: Witness | undefined): Promise<CommitOutcome> {
    const lane = this.#lanes[name]
    lane.doubtful++
    this.#wake(name)
    try {
      return await commitOutcome(this.#connections, witness)
    } finally {
      lane.doubtful--
    }
  }

  /** There is no server: a unit that waits for one would wait as long again. */
  #failWaiting(cause: unknown): void {
    const error = asUnavailable(cause)
    for (const { waiting } of Object.values(this.#lanes)) for (const unit of waiting.takeAll()) unit.fail(error)
  }
}

/**
 * The outcome of each unit if the transaction is committed, which several units share. They run side by side, and see
 * nothing of each other. A unit is aborted if it has looked at what a unit before it writes. So the rest act as if they had
 * run one after another.
 */
const workTogether = async (transaction: Transaction, units: readonly SharedUnit[]): Promise<readonly Outcome[]> => {
  const reads = sharedReads(transaction)
  const written = new Set<string>()
  const writes: SharedWrites[] = []
  const judge = (unit: SharedUnit, worked: Outcome): Outcome => {
    const outcome = unit.looked.some((key) => written.has(key)) ? ABORTED : worked
    if (outcome.kind === 'value') {
      for (const key of unit.keysWritten()) written.add(key)
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
