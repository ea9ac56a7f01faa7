import type { Connection } from '../connection.ts'
import { Transaction } from '../transaction.ts'
import { SharedReads } from './shared-reads.ts'
import { type SharedWrites, writeTogether } from './shared-writes.ts'
import type { Outcome, SharingUnit } from './sharing-unit.ts'

/**
 * One transaction for several units. They run side by side, and see nothing of each other; where one has looked at what
 * another before it writes, it leaves. So the rest act as if they had run one after another.
 */
export class SharedBatch {
  readonly reads: SharedReads
  readonly transaction: Transaction
  readonly #units: readonly SharingUnit[]
  /** How each of them comes out if the transaction is committed. */
  outcomes: readonly Outcome[] = []

  constructor(connection: Connection, units: readonly SharingUnit[]) {
    this.transaction = new Transaction(connection)
    this.reads = new SharedReads(this.transaction)
    this.#units = units
  }

  /** How each of them came out, to be told once this has resolved: then it is on durable storage. */
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
    for (const unit of this.#units) unit.join(this)
    const outcomes = await Promise.all(this.#units.map(({ done }) => done))
    const written = new Set<string>()
    const writes: SharedWrites[] = []
    this.outcomes = this.#units.map((unit, index): Outcome => {
      const outcome = outcomes[index] ?? { kind: 'alone' }
      if (outcome.kind === 'alone' || [...unit.looked].some((key) => written.has(key))) return { kind: 'alone' }
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
