import { CONSENT } from '../../tables/consents.ts'
import { NEW_MAIL, OUTBOX } from '../../tables/mails.ts'
import { SIGN_UP_GROUP } from '../../tables/sign-up-groups.ts'
import { SUBSCRIPTION } from '../../tables/subscriptions.ts'
import { type Cell, columnsOf, type Table } from '../../tables/table.ts'
import { arraysOf, columnArrays, type ListStatement, statement } from '../statement.ts'
import type { Transaction } from '../transaction.ts'

const insertion = (table: Table, columns = columnsOf(table)) => ({
  columns,
  insert: statement(
    `INSERT INTO ${table.name} (${columns.join(', ')}) SELECT * FROM unnest(${arraysOf(table, columns)})`,
  ),
})

// In the order in which one hangs on the other.
const INSERTIONS = {
  subscriptions: insertion(SUBSCRIPTION),
  consents: insertion(CONSENT),
  mails: insertion(OUTBOX, ['id', ...NEW_MAIL]),
  groupMembers: insertion(SIGN_UP_GROUP),
}

type Name = keyof typeof INSERTIONS
const NAMES = Object.keys(INSERTIONS) as Name[]
type NewRow = Readonly<Record<string, Cell>>

/** Rows that a unit adds: gathered until it asks for something, or ends, and written with one statement a table. */
export class NewRows {
  readonly #unit: Transaction
  #rows: Partial<Record<Name, NewRow[]>> = {}

  constructor(unit: Transaction) {
    this.#unit = unit
  }

  add(name: Name, row: NewRow): void {
    this.#unit.gather(this.#write)
    const rows = this.#rows[name]
    if (rows === undefined) this.#rows[name] = [row]
    else rows.push(row)
  }

  readonly #write = (): void => {
    const rows = this.#rows
    this.#rows = {}
    for (const name of NAMES) {
      const { insert, columns } = INSERTIONS[name]
      const added = rows[name]
      if (added !== undefined) this.#unit.write(insert, ...columnArrays(columns, added))
    }
  }
}

const MOST = 512

/**
 * Numbers of a sequence, reserved for one unit: one at first, then ever more at a time, so that a unit that writes many
 * rows does not wait for each.
 */
export class Reserve {
  readonly #unit: Transaction
  readonly #draw: ListStatement
  #numbers: number[] = []
  #next = 1

  /** `draw` gives so many as its parameter says. */
  constructor(unit: Transaction, draw: ListStatement) {
    this.#unit = unit
    this.#draw = draw
  }

  /** So many at once, each larger than the one before. */
  async take(count: number): Promise<number[]> {
    if (this.#numbers.length < count) {
      const drawn = await this.#unit.ask<[number: number]>(this.#draw, Math.max(count, this.#next))
      this.#next = Math.min(MOST, this.#next * 2)
      // In place of what is left: a later number is never smaller than one before it.
      this.#numbers = drawn.map(([number]) => number)
    }
    return this.#numbers.splice(0, count)
  }
}
