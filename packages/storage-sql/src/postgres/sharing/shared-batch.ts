import type { Connection } from '../connection.ts'
import { statement } from '../statement.ts'
import { Transaction } from '../transaction.ts'
import { SharedReads } from './shared-reads.ts'
import { type SharedWrites, writeTogether } from './shared-writes.ts'
import type { Outcome, SharingUnit } from './sharing-unit.ts'

/** What is given out before it is known who needs it; what nobody takes is left out for good. */
export interface Numbers {
  readonly mail: number
  readonly seq: number
}

const NUMBERS = statement(
  `SELECT nextval(pg_get_serial_sequence('outbox', 'id')), nextval(pg_get_serial_sequence('subscription', 'seq'))
    FROM generate_series(1, $1::integer)`,
)

/**
 * One transaction for several units. They run side by side, and see nothing of each other; where one has looked at what
 * another before it writes, it leaves. So the rest act as if they had run one after another.
 */
export class SharedBatch {
  readonly reads: SharedReads
  readonly transaction: Transaction
  readonly #units: readonly SharingUnit[]
  readonly #numbers = new Map<SharingUnit, Numbers>()

  constructor(connection: Connection, units: readonly SharingUnit[]) {
    this.transaction = new Transaction(connection)
    this.reads = new SharedReads(this.transaction)
    this.#units = units
  }

  numbersOf(unit: SharingUnit): Numbers {
    const numbers = this.#numbers.get(unit)
    if (numbers === undefined) throw new RangeError('This unit has no part in the transaction.')
    return numbers
  }

  /** How each of them came out, to be told once this has resolved: then it is on durable storage. */
  async run(): Promise<Outcome[]> {
    const numbers = await this.transaction.ask<[mail: number, seq: number]>(NUMBERS, this.#units.length)
    for (const [index, unit] of this.#units.entries()) {
      const [mail = 0, seq = 0] = numbers[index] ?? []
      this.#numbers.set(unit, { mail, seq })
      unit.join(this)
    }
    const outcomes = await Promise.all(this.#units.map(({ done }) => done))
    const written = new Set<string>()
    const writes: SharedWrites[] = []
    const told = this.#units.map((unit, index): Outcome => {
      const outcome = outcomes[index] ?? { kind: 'alone' }
      if (outcome.kind === 'alone' || [...unit.looked].some((key) => written.has(key))) return { kind: 'alone' }
      if (outcome.kind === 'error') return outcome
      for (const id of unit.writes.subscriptions.keys()) written.add(`subscription ${id}`)
      for (const { id } of unit.writes.challenges) written.add(`challenge ${id}`)
      writes.push(unit.writes)
      return outcome
    })
    writeTogether(this.transaction, writes)
    await this.transaction.commit()
    return told
  }
}
