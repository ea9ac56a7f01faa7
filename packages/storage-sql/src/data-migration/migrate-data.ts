import { StorageNotUsable } from '../storage-not-usable.ts'
import { type Cell, columnsOf } from '../tables/table.ts'
import type { MigrationNote } from './database-state.ts'
import { MIGRATED_TABLES, type MigratedTable } from './migrated-tables.ts'
import type { Cells, MigrationEnd, MigrationTarget } from './migration-end.ts'

export { type MigrationEnd, type MigrationTarget, valueIn } from './migration-end.ts'

export interface DataMigrationProgress {
  readonly doing: 'copying' | 'comparing'
  readonly rows: number
  readonly total: number
}

export interface DataMigrationOptions {
  readonly onProgress?: ((progress: DataMigrationProgress) => void) | undefined
  /** Once aborted, what is in hand is finished; to be run again for the rest. */
  readonly stop?: { readonly aborted: boolean } | undefined
}

export interface DataMigrationReport {
  readonly from: string
  readonly to: string
  /** It went on where another run had stopped. */
  readonly resumed: boolean
  /** It was stopped before the end. */
  readonly interrupted: boolean
  /** Rows that this run copied; fewer than there are if another run copied some before. */
  readonly copied: number
  readonly tables: readonly { readonly table: string; readonly rows: number }[]
  /** The first of them; empty if every row was found to be the same. The target is of no use if there are any. */
  readonly differences: readonly Difference[]
}

/** Rows in hand at a time. */
const AT_ONCE = 4_000
const MOST_DIFFERENCES = 20

type State = MigrationNote['tables']

/**
 * Makes the target the same as the source, row by row, and then compares every column of every row. What was copied
 * before, by a run that was stopped or killed, is not copied again. The target stays closed to everybody else until
 * `finish` is called on it, which is for who has found no difference.
 * @throws {StorageNotUsable} the target has something else in it, or the source has changed since the move began
 */
export const migrateData = async (
  source: MigrationEnd,
  target: MigrationTarget,
  { onProgress = () => undefined, stop = { aborted: false } }: DataMigrationOptions = {},
): Promise<DataMigrationReport> => {
  const state = await stateOf(source)
  const total = Object.values(state).reduce((sum, [rows]) => sum + rows, 0)
  const resumed = await begin(target, { from: source.name, tables: state })
  const report = { from: source.name, to: target.name, resumed, tables: tablesOf(state) }
  let copied = 0
  let rows = 0
  for (const table of MIGRATED_TABLES) {
    let after = resumed ? await target.last(table) : undefined
    rows += after === undefined ? 0 : await target.count(table)
    for (let more = true; more && !stop.aborted; ) {
      const batch = await source.rows(table, after, AT_ONCE)
      if (batch.length > 0) await copy(target, table, batch)
      after = batch.at(-1)?.slice(0, table.key)
      copied += batch.length
      rows += batch.length
      more = batch.length === AT_ONCE
      onProgress({ doing: 'copying', rows, total })
    }
    if (stop.aborted) return { ...report, copied, interrupted: true, differences: [] }
    if (table.counted) await target.setCounter(table, state[table.name]?.[1] ?? 0)
  }
  const found = await compare(source, target, stop, (compared) =>
    onProgress({ doing: 'comparing', rows: compared, total }),
  )
  return { ...report, copied, interrupted: stop.aborted, differences: found }
}

const stateOf = async (end: MigrationEnd): Promise<State> => {
  const state: Record<string, [rows: number, counter: number]> = {}
  for (const table of MIGRATED_TABLES)
    state[table.name] = [await end.count(table), table.counted ? await end.counter(table) : 0]
  return state
}

const tablesOf = (state: State) => Object.entries(state).map(([table, [rows]]) => ({ table, rows }))

/** Whether there was a begin before. */
const begin = async (target: MigrationTarget, note: MigrationNote): Promise<boolean> => {
  const noted = await target.noted()
  if (noted === undefined) {
    await requireEmpty(target)
    await target.begin(JSON.stringify(note))
    return false
  }
  const before = JSON.parse(noted) as MigrationNote
  if (before.from !== note.from)
    throw unfit(
      'not-empty',
      `Into ${target.name} a move from ${before.from} was begun. Go on with that one, or ${START_OVER}`,
    )
  if (JSON.stringify(before.tables) !== JSON.stringify(note.tables))
    throw unfit(
      'half-moved',
      `${note.from} has changed since the move into ${target.name} was begun. To begin again, ${START_OVER}`,
    )
  return true
}

const START_OVER = 'use an empty database.'

const unfit = (problem: 'half-moved' | 'not-empty', message: string) => new StorageNotUsable(problem, message)

const requireEmpty = async (target: MigrationTarget): Promise<void> => {
  for (const table of MIGRATED_TABLES) {
    // A feed is in every database from the first.
    if ((await target.count(table)) > (table.name === 'feed' ? 1 : 0))
      throw unfit(
        'not-empty',
        `The database ${target.name} is not empty (${table.name}). Give one that is new: nothing is overwritten.`,
      )
  }
}

const copy = async (target: MigrationTarget, table: MigratedTable, batch: readonly Cells[]): Promise<void> => {
  const row = batch.find((cells) => cells.some((cell) => typeof cell === 'string' && cell.includes('\0')))
  if (row === undefined) return await target.insert(table, batch)
  const key = row.slice(0, table.key).join(', ')
  throw new StorageNotUsable('damaged', `A text in ${table.name} ${key} has a NUL in it, which PostgreSQL cannot keep.`)
}

/** The first differences. */
const compare = async (
  source: MigrationEnd,
  target: MigrationEnd,
  stop: { readonly aborted: boolean },
  onCompared: (rows: number) => void,
): Promise<Difference[]> => {
  const found: Difference[] = []
  let rows = 0
  const onRow = () => {
    if (++rows % AT_ONCE === 0) onCompared(rows)
  }
  for (const table of MIGRATED_TABLES)
    for await (const difference of differences(table, source, target, stop, onRow)) {
      found.push(difference)
      if (found.length >= MOST_DIFFERENCES) return found
    }
  onCompared(rows)
  return found
}

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
async function* everyRow(end: MigrationEnd, table: MigratedTable): AsyncGenerator<Cells> {
  for (let last: Cells | undefined; ; ) {
    const rows = await end.rows(table, last, AT_ONCE)
    yield* rows
    if (rows.length < AT_ONCE) return
    last = rows.at(-1)?.slice(0, table.key)
  }
}

/** Compares every column of every row, in bounded memory; ends where it is once `stop` is aborted. */
async function* differences(
  table: MigratedTable,
  source: MigrationEnd,
  target: MigrationEnd,
  stop: { readonly aborted: boolean },
  onRow: () => void,
): AsyncGenerator<Difference> {
  const theirs = everyRow(target, table)
  let there = (await theirs.next()).value
  for await (const row of everyRow(source, table)) {
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

const difference = ({ name, key }: MigratedTable, row: Cells, kind: Difference['kind']): Difference => ({
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
