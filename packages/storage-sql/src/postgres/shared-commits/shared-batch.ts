import type { Connection } from '../connection.ts'
import { Transaction } from '../transaction.ts'
import { SharedReads } from './shared-reads.ts'
import { ABORTED, type Outcome, type SharedUnit } from './shared-unit.ts'
import { type SharedWrites, writeTogether } from './shared-writes.ts'

/**
 * One transaction for several units. They run side by side, and see nothing of each other. A unit is aborted where it
 * has looked at what a unit before it writes. So the rest act as if they had run one after another.
 */
export class SharedBatch {
  readonly transaction: Transaction
  readonly #units: readonly SharedUnit[]
  /** The outcome of each unit if the transaction is committed. */
  outcomes: readonly Outcome[] = []

  constructor(connection: Connection, units: readonly SharedUnit[]) {
    this.transaction = new Transaction(connection)
    this.#units = units
  }

  /** The outcome of each unit. Everything is on durable storage once this resolves. */
  async run(): Promise<readonly Outcome[]> {
    try {
      await this.#work()
    } catch (error) {
      await this.transaction.abandon()
      throw error
    }
    await this.transaction.commit()
    return this.outcomes
  }

  async #work(): Promise<void> {
    const reads = new SharedReads(this.transaction)
    for (const unit of this.#units) unit.join(reads)
    const outcomes = await Promise.all(this.#units.map(({ worked }) => worked))
    const written = new Set<string>()
    const writes: SharedWrites[] = []
    this.outcomes = this.#units.map((unit, index): Outcome => {
      const outcome = outcomes[index] ?? ABORTED
      if (outcome.kind === 'aborted' || [...unit.looked].some((key) => written.has(key))) return ABORTED
      if (outcome.kind === 'error') return outcome
      for (const id of unit.writes.subscriptions.keys()) written.add(`subscription ${id}`)
      for (const { id } of unit.writes.challenges) written.add(`challenge ${id}`)
      for (const id of unit.writes.settled) written.add(`outbox ${id}`)
      writes.push(unit.writes)
      return outcome
    })
    writeTogether(this.transaction, writes)
  }
}
