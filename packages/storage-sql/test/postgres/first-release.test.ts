import pg from 'pg'
import { describe, expect, it, onTestFinished } from 'vitest'
import { POSTGRES_FAILPOINTS } from '../../src/failpoints.ts'
import { POSTGRES_MIGRATIONS } from '../../src/migrations/postgres/index.ts'
import { migratePostgres } from '../../src/postgres/index.ts'
import { dumpOf, EVERYTHING, everythingIn, statementsOf } from '../first-release/first-release.ts'
import { LEFT_OF_THEM, MOVES_OF_BEFORE } from '../moves-of-before.ts'
import { lookAt } from '../postgres-server/databases.ts'
import { openStorage, temporaryDatabase } from './temporary-storage.ts'

const [, ...LATER] = Object.keys(POSTGRES_MIGRATIONS)

const made = async (...statements: readonly string[]): Promise<string> => {
  const url = await temporaryDatabase({ empty: true })
  await lookAt(url, (client) => client.query(statements.join('\n')))
  return url
}

interface Column {
  readonly table_name: string
  readonly column_name: string
  readonly may_be_left_out: boolean
}

const columnsIn = async (client: pg.Client): Promise<Column[]> =>
  (
    await client.query<Column>(
      `SELECT table_name, column_name, data_type,
          (is_nullable = 'YES' OR column_default IS NOT NULL OR is_identity = 'YES') AS may_be_left_out
        FROM information_schema.columns WHERE table_schema = 'public' ORDER BY table_name, ordinal_position`,
    )
  ).rows

/** Triggers, unique indexes, checks and references, by their tables. */
const rulesIn = async (client: pg.Client): Promise<{ table: string; rule: string }[]> =>
  (
    await client.query<{ table: string; rule: string }>(
      `WITH rules (owner, rule) AS (
          SELECT tgrelid, tgname::text FROM pg_trigger WHERE NOT tgisinternal
          UNION SELECT conrelid, conname::text FROM pg_constraint WHERE contype <> 'n'
          UNION SELECT indrelid, indexrelid::regclass::text FROM pg_index WHERE indisunique)
        SELECT relname::text AS table, rule FROM rules JOIN pg_class ON pg_class.oid = owner
        WHERE relnamespace = 'public'::regnamespace ORDER BY 1, 2`,
    )
  ).rows

describe('a database of the first release, on PostgreSQL', () => {
  const { whole, schema, ofMigrations, rows } = dumpOf('postgres')

  it('is brought up to date beside an open instance, and everything in it is readable', async () => {
    const url = await made(whole)
    const instance = new pg.Client(url)
    await instance.connect()
    try {
      // As a connection of the first release, in the middle of its work.
      await instance.query('SELECT pg_try_advisory_lock_shared(7309453671250918)')
      expect(await migratePostgres(url)).toEqual(LATER)
      const storage = await openStorage(url)
      expect(await everythingIn(storage)).toMatchObject(EVERYTHING)
      expect(await storage.olderInstances.present()).toBe(true)
    } finally {
      await instance.end()
    }
  })

  it('is brought up to date also where PostgreSQL ends the migration for a deadlock with an instance', async () => {
    const url = await made(whole)
    const instance = new pg.Client(url)
    await instance.connect()
    let waiting: Promise<unknown> | undefined
    const { afterMigrationStatement } = POSTGRES_FAILPOINTS
    // The migration has the table of feeds by then, and comes to the outbox later.
    const meet = (text: unknown) => {
      if (String(text).includes('home_url'))
        waiting ??= instance.query('LOCK TABLE feed IN ROW SHARE MODE').then(() => instance.query('COMMIT'))
    }
    afterMigrationStatement.subscribe(meet)
    onTestFinished(() => {
      afterMigrationStatement.unsubscribe(meet)
      return instance.end()
    })
    await instance.query("BEGIN; SET LOCAL deadlock_timeout = '1min'; LOCK TABLE outbox IN ROW EXCLUSIVE MODE")
    expect(await migratePostgres(url)).toEqual(LATER)
    await waiting
    expect(await everythingIn(await openStorage(url))).toMatchObject(EVERYTHING)
  })

  it('takes what the first release writes after that, and it is readable, too', async () => {
    const url = await made(schema, ...ofMigrations)
    await migratePostgres(url)
    expect(rows.length).toBeGreaterThan(100)
    // The rows come table by table, so that what refers to others comes too soon.
    await lookAt(url, (client) => client.query(`SET session_replication_role = replica;\n${rows.join('\n')}`))
    expect(await everythingIn(await openStorage(url))).toMatchObject(EVERYTHING)
  })

  it('still takes every statement that the first release has', async () => {
    const url = await made(whole)
    await migratePostgres(url)
    const statements = statementsOf('postgres')
    expect(statements.length).toBeGreaterThan(100)
    await lookAt(url, async (client) => {
      for (const [n, text] of statements.entries()) await client.query({ text: `PREPARE statement_${n} AS ${text}` })
    })
  })

  it('has every column as before, new ones that may be left out, and no new rule on a table', async () => {
    const url = await made(whole)
    const [before, rules] = await lookAt(
      url,
      async (client) => [await columnsIn(client), await rulesIn(client)] as const,
    )
    await migratePostgres(url)
    const [after, rulesAfter] = await lookAt(
      url,
      async (client) => [await columnsIn(client), await rulesIn(client)] as const,
    )
    const tables = new Set(before.map(({ table_name }) => table_name))
    const known = new Set(before.map(({ table_name, column_name }) => `${table_name}.${column_name}`))
    const ofOldTables = after.filter(({ table_name }) => tables.has(table_name))
    const isKnown = ({ table_name, column_name }: Column) => known.has(`${table_name}.${column_name}`)
    expect(ofOldTables.filter(isKnown)).toEqual(before)
    expect(ofOldTables.filter((column) => !isKnown(column) && !column.may_be_left_out)).toEqual([])
    expect(rulesAfter.filter(({ table }) => tables.has(table))).toEqual(rules)
  })
})

it('forgets moves to what the new address had before, on PostgreSQL, too', async () => {
  const url = await temporaryDatabase()
  await lookAt(url, (client) => client.query(MOVES_OF_BEFORE))
  expect(await migratePostgres(url)).toEqual(['0019-before-a-move'])
  const { rows } = await lookAt(url, (client) => client.query('SELECT old_id FROM moved_subscription ORDER BY old_id'))
  expect(rows.map(({ old_id: id }) => String(id))).toEqual(LEFT_OF_THEM)
})
