import { MIGRATED_TABLES, type MigratedTable } from '../../src/data-migration/migrated-tables.ts'
import { type Connection, pluck } from '../../src/sqlite/connection.ts'
import { columnsOf } from '../../src/tables/table.ts'
import { lookAt, newDatabase } from '../temporary-storage.ts'

type Cell = string | number | null

const STATES = ['p', 'c', 'e']
const TEXTS = ['', 'Zoë "quoted" {a,b} \\N', "O'Neil\n\t", '𝒳 e\u0301 \u202e', 'NULL', 'z'.repeat(3_000)]

/** What tells rows apart, if it is a text. */
const keyText = (n: number): string => `${String.fromCodePoint(0x61 + (n % 20), 0x1f600 - n)}${n}`

/** What columns of this name must hold; `n` counts rows from 1. */
const FIXED: Readonly<Record<string, (n: number) => Cell>> = {
  'subscription.status': (n) => STATES[n % 3] ?? 'p',
  'subscription.id': (n) => Number.MAX_SAFE_INTEGER - n,
  'feed.open': (n) => n % 2,
  'event.position': (n) => n,
  'audit_record.sequence': (n) => n,
  'audit_seal.first': (n) => n,
  'consent.n': () => 1,
  'sign_up_group.subscription': (n) => n,
  'reminder.subscription': (n) => n,
  'subscription.fields': (n) => (n % 3 === 0 ? null : JSON.stringify({ company: TEXTS[n % TEXTS.length] })),
  'sign_up_request.asked': (n) => JSON.stringify({ addressKey: TEXTS[n % TEXTS.length] }),
  // The role that `user_role` says, too.
  'user_account.roles': (n) => JSON.stringify([keyText(n)]),
  'subscription.terms': (n) => JSON.stringify([keyText(n), `o'neil ${n}`]),
  'user_account.provisioned': (n) => (n % 3 === 0 ? null : JSON.stringify({ userName: TEXTS[n % TEXTS.length] })),
  'user_account.terms': (n) => JSON.stringify([keyText(n)]),
  'webhook.name': (n) => `hook-${n}`,
  'webhook_delivery.webhook': (n) => `hook-${n}`,
}

const cellOf = (table: MigratedTable, column: string, place: number, n: number, nullable: boolean): Cell => {
  const fixed = FIXED[`${table.name}.${column}`]
  if (fixed !== undefined) return fixed(n)
  const isText = table.columns[column] === 'text' || table.columns[column] === 'json'
  if (place < table.key) return isText ? keyText(n) : n
  if (nullable && (n + place) % 3 === 0) return null
  if (!isText) return column === 'created_at' ? 1_700_000_000_000 + n : n * 7
  // Unique wherever that is asked for.
  return `${TEXTS[(n + place) % TEXTS.length]}${n}`
}

const fill = (database: Connection, table: MigratedTable, rows: number): void => {
  const nullable = new Set(pluck(database, 'SELECT name FROM pragma_table_info(?) WHERE NOT "notnull"', table.name))
  const columns = columnsOf(table)
  const sql = `INSERT INTO ${table.name} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`
  const insert = database.prepare<Cell[]>(sql)
  for (let n = 1; n <= rows; n++)
    insert.run(...columns.map((column, place) => cellOf(table, column, place, n, nullable.has(column))))
}

/** A database file with so many rows of everything; the highest numbers that it gave out are of rows that are gone. */
export const filledDatabase = async (rows: number): Promise<string> => {
  const file = await newDatabase()
  lookAt(file, (database) => {
    database.exec('BEGIN; DELETE FROM feed')
    for (const table of MIGRATED_TABLES) {
      // What the subscriptions have added by themselves.
      if (table.name === 'number_delta') database.exec('DELETE FROM number_delta')
      fill(database, table, rows)
    }
    database.exec(`UPDATE sqlite_sequence SET seq = seq + 1000; COMMIT`)
  })
  return file
}
