import { expect, it } from 'vitest'
import { MOVED_TABLES, UNMOVED_TABLES } from '../../src/data-migration/moved-tables.ts'
import { columnsOf, keyOf } from '../../src/tables/table.ts'
import { temporaryDatabase } from '../postgres/temporary-storage.ts'
import { lookAt as lookAtServer } from '../postgres-server/databases.ts'
import { lookAt, newDatabase } from '../temporary-storage.ts'

interface Table {
  readonly name: string
  readonly columns: readonly string[]
  readonly key: readonly string[]
  readonly counted: boolean
}

const inOrder = (tables: Table[]): Table[] =>
  tables.filter(({ name }) => !UNMOVED_TABLES.includes(name)).sort((a, b) => (a.name < b.name ? -1 : 1))

const DECLARED = inOrder(
  MOVED_TABLES.map((table) => ({
    name: table.name,
    columns: columnsOf(table).sort(),
    key: keyOf(table).sort(),
    counted: table.counted === true,
  })),
)

it('moves every table and column that SQLite has after all migrations, by its primary key', async () => {
  const tables = lookAt(await newDatabase(), (database) => {
    const found = database
      .prepare<[], { name: string; sql: string }>(
        "SELECT name, sql FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'",
      )
      .all()
    return found.map(({ name, sql }) => {
      const columns = database.pragma(`table_info(${name})`) as { name: string; pk: number }[]
      const key = columns.filter(({ pk }) => pk > 0)
      return {
        name,
        columns: columns.map((column) => column.name).sort(),
        key: key.map((column) => column.name).sort(),
        counted: sql.includes('AUTOINCREMENT'),
      }
    })
  })
  expect(inOrder(tables)).toEqual(DECLARED)
})

it('moves every table and column that PostgreSQL has after all migrations, by its primary key', async () => {
  const tables = await lookAtServer(await temporaryDatabase(), async (client) => {
    const { rows } = await client.query<Table>(
      `SELECT table_name AS name, array_agg(column_name::text ORDER BY column_name::text COLLATE "C") AS columns,
        bool_or(is_identity = 'YES') AS counted,
        (SELECT array_agg(attname::text ORDER BY attname::text COLLATE "C") FROM pg_constraint
          JOIN pg_attribute ON attrelid = conrelid AND attnum = ANY (conkey)
          WHERE conrelid = table_name::regclass AND contype = 'p') AS key
        FROM information_schema.columns WHERE table_schema = 'public' GROUP BY table_name`,
    )
    return rows
  })
  expect(inOrder(tables)).toEqual(DECLARED)
})
