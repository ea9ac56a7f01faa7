import { expect, it } from 'vitest'
import { POSTGRES_TABLES, SQLITE_TABLES } from '../../src/data-migration/migrated-tables.ts'
import { MIGRATION_TABLE } from '../../src/schema-version.ts'
import { type ColumnKind, columnsOf, type Table as Described, keyOf } from '../../src/tables/table.ts'
import { temporaryDatabase } from '../postgres/temporary-storage.ts'
import { lookAt as lookAtServer } from '../postgres-server/databases.ts'
import { lookAt, newDatabase } from '../temporary-storage.ts'

interface Table {
  readonly name: string
  /** Each with its type. */
  readonly columns: readonly string[]
  readonly key: readonly string[]
  readonly counted: boolean
}

const inOrder = (tables: Table[]): Table[] =>
  tables.filter(({ name }) => name !== MIGRATION_TABLE).sort((a, b) => (a.name < b.name ? -1 : 1))

const declared = (tables: readonly Described[], types: Readonly<Record<ColumnKind, string>>): Table[] =>
  inOrder(
    tables.map((table) => ({
      name: table.name,
      columns: columnsOf(table)
        .map((column) => `${column} ${types[table.columns[column] ?? 'text']}`)
        .sort(),
      key: keyOf(table).sort(),
      counted: table.counted === true,
    })),
  )

it('describes every table and column that SQLite has after all migrations, by its primary key', async () => {
  const tables = lookAt(await newDatabase(), (database) => {
    const found = database
      .prepare<[], { name: string; sql: string }>(
        "SELECT name, sql FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'",
      )
      .all()
    return found.map(({ name, sql }) => {
      const columns = database
        .prepare<[string], { name: string; type: string; pk: number }>('SELECT * FROM pragma_table_info(?)')
        .all(name)
      const key = columns.filter(({ pk }) => pk > 0)
      return {
        name,
        columns: columns.map((column) => `${column.name} ${column.type}`).sort(),
        key: key.map((column) => column.name).sort(),
        counted: sql.includes('AUTOINCREMENT'),
      }
    })
  })
  expect(inOrder(tables)).toEqual(
    declared(SQLITE_TABLES, { text: 'TEXT', whole: 'INTEGER', flag: 'INTEGER', json: 'TEXT' }),
  )
})

it('describes every table and column that PostgreSQL has after all migrations, by its primary key', async () => {
  const tables = await lookAtServer(await temporaryDatabase(), async (client) => {
    const { rows } = await client.query<Table>(
      `SELECT table_name AS name, array_agg(column_name || ' ' || replace(data_type, 'integer', 'bigint')) AS columns,
        bool_or(is_identity = 'YES') AS counted,
        (SELECT array_agg(attname::text ORDER BY attname::text COLLATE "C") FROM pg_constraint
          JOIN pg_attribute ON attrelid = conrelid AND attnum = ANY (conkey)
          WHERE conrelid = table_name::regclass AND contype = 'p') AS key
        FROM information_schema.columns WHERE table_schema = 'public' GROUP BY table_name`,
    )
    return rows.map((table) => ({ ...table, columns: table.columns.toSorted() }))
  })
  expect(inOrder(tables)).toEqual(
    declared(POSTGRES_TABLES, { text: 'text', whole: 'bigint', flag: 'boolean', json: 'text' }),
  )
})
