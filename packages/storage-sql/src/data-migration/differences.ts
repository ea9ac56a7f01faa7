import { columnsOf } from '../tables/table.ts'
import type { MovedTable } from './moved-tables.ts'
import type { Cell, Cells, MovingEnd } from './moving-end.ts'

/** How a row of the target is not as the source has it. */
export interface Difference {
  readonly table: string
  /** The key of the row, as it is in the database. */
  readonly key: Cells
  /** `missing`: only the source has it; `surplus`: only the target; `column`: they are of different values. */
  readonly kind: 'column' | 'missing' | 'surplus'
  readonly column?: string
}

/** Rows of an end in the order of their keys, in batches. */
export async function* rowsOf(end: MovingEnd, table: MovedTable, atOnce: number, after?: Cells): AsyncGenerator<Cells> {
  for (let last = after; ; ) {
    const rows = await end.rows(table, last, atOnce)
    yield* rows
    if (rows.length < atOnce) return
    last = rows.at(-1)?.slice(0, table.key)
  }
}

export interface ComparingOptions {
  /** Rows in hand at a time. */
  readonly atOnce: number
  /** Called for each row of the source. */
  readonly onRow: () => void
  /** Once aborted, it ends where it is. */
  readonly stop: { readonly aborted: boolean }
}

/** Compares every column of every row, in bounded memory. */
export async function* differences(
  table: MovedTable,
  source: MovingEnd,
  target: MovingEnd,
  { atOnce, onRow, stop }: ComparingOptions,
): AsyncGenerator<Difference> {
  const theirs = rowsOf(target, table, atOnce)
  let there = (await theirs.next()).value
  for await (const row of rowsOf(source, table, atOnce)) {
    if (stop.aborted) return
    while (there && inOrder(there, row, table.key) < 0) {
      yield difference(table, there, 'surplus')
      there = (await theirs.next()).value
    }
    if (there && inOrder(there, row, table.key) === 0) {
      const place = row.findIndex((cell, index) => cell !== there?.[index])
      if (place >= 0) yield { ...difference(table, row, 'column'), column: columnsOf(table)[place] ?? '' }
      there = (await theirs.next()).value
    } else yield difference(table, row, 'missing')
    onRow()
  }
  for (; there; there = (await theirs.next()).value) yield difference(table, there, 'surplus')
}

const difference = ({ name, key }: MovedTable, row: Cells, kind: Difference['kind']): Difference => ({
  table: name,
  key: row.slice(0, key),
  kind,
})

const inOrder = (one: Cells, other: Cells, columns: number): number => {
  for (let place = 0; place < columns; place++) {
    const order = cellsInOrder(one[place] ?? null, other[place] ?? null)
    if (order !== 0) return order
  }
  return 0
}

// Texts by the bytes of their UTF-8, as both databases order them.
const cellsInOrder = (one: Cell, other: Cell): number => {
  if (one === other) return 0
  if (typeof one === 'number' && typeof other === 'number') return one - other
  return Buffer.compare(Buffer.from(String(one)), Buffer.from(String(other)))
}
