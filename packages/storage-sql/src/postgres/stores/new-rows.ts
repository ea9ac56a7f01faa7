import { CONSENT_COLUMNS } from '../../rows/consent-row.ts'
import { SUBSCRIPTION_COLUMNS } from '../../rows/subscription-row.ts'
import { type Statement, statement, type Value } from '../statement.ts'
import type { Transaction } from '../transaction.ts'

type Cells = readonly (string | number | null)[]

interface Table {
  readonly insert: Statement
  readonly width: number
}

const table = (name: string, columns: string, types: readonly string[]): Table => ({
  insert: statement(
    `INSERT INTO ${name} (${columns}) SELECT * FROM unnest(${types.map((type, n) => `$${n + 1}::${type}[]`).join(', ')})`,
  ),
  width: types.length,
})

const [TEXT, WHOLE] = ['text', 'bigint']
const texts = (count: number) => Array.from({ length: count }, () => TEXT)
const wholes = (count: number) => Array.from({ length: count }, () => WHOLE)

// In the order in which one hangs on the other.
const TABLES = {
  subscriptions: table('subscription', `seq, ${SUBSCRIPTION_COLUMNS}`, [...wholes(2), ...texts(7), ...wholes(5)]),
  consents: table('consent', `subscription, n, ${CONSENT_COLUMNS}`, [...wholes(3), ...texts(6), WHOLE]),
  mails: table('outbox', 'id, kind, subscription_id, address, message_id, created_at, not_before, expires_at', [
    ...[WHOLE, TEXT, WHOLE, TEXT, TEXT],
    ...wholes(3),
  ]),
} as const satisfies Record<string, Table>

type Name = keyof typeof TABLES

/** Rows that a unit adds: gathered until it asks for something, or ends, and written with one statement a table. */
export class NewRows {
  readonly #unit: Transaction
  #rows: Record<Name, Cells[]> = { subscriptions: [], consents: [], mails: [] }

  constructor(unit: Transaction) {
    this.#unit = unit
  }

  add(name: Name, cells: Cells): void {
    this.#unit.gather(this.#write)
    this.#rows[name].push(cells)
  }

  readonly #write = (): void => {
    const rows = this.#rows
    this.#rows = { subscriptions: [], consents: [], mails: [] }
    for (const name of ['subscriptions', 'consents', 'mails'] as const)
      if (rows[name].length > 0) this.#unit.write(TABLES[name].insert, ...columns(TABLES[name].width, rows[name]))
  }
}

const columns = (width: number, rows: readonly Cells[]): Value[] =>
  Array.from({ length: width }, (_, column) => rows.map((row) => row[column] ?? null))
