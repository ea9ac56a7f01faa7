import pg from 'pg'
import { inject } from 'vitest'
import { lookAt } from './start-postgres.ts'

export { lookAt }

export interface Database {
  readonly url: string
  /** Open connections are terminated. */
  drop(): Promise<void>
}

/** The same database, for a role that may do no more to its tables than an instance needs. */
export const withLeastRights = (url: string): string => {
  const { template } = inject('postgres')
  return Object.assign(new URL(url), { username: template, password: template }).href
}

let count = 0

const command = async (text: string): Promise<void> => {
  await lookAt(inject('postgres').url, (client) => client.query(text))
}

const create = async (template: string): Promise<Database> => {
  const name = `${inject('postgres').template}_${process.pid}_${++count}`
  await command(`CREATE DATABASE ${name} ENCODING 'UTF8' TEMPLATE ${template}`)
  const url = new URL(inject('postgres').url)
  url.pathname = name
  return { url: url.href, drop: () => command(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`) }
}

/** With its tables. */
export const newDatabase = (): Promise<Database> => create(inject('postgres').template)

export const emptyDatabase = (): Promise<Database> => create('template0')

/** With its tables as they are when it is new, and used again by the tests that come after: a new one costs far more. */
export const cleanDatabase = async (): Promise<Database> => {
  const database = free.pop() ?? (await reusedDatabase())
  return {
    url: database.url,
    drop: async () => {
      if (await database.empty()) free.push(database)
      else await database.drop()
    },
  }
}

const reusedDatabase = async () => {
  const { url, drop } = await newDatabase()
  let client: Promise<pg.Client> | undefined
  const connect = (): Promise<pg.Client> => {
    client ??= (async () => {
      const made = new pg.Client(url)
      made.on('error', () => {
        client = undefined
      })
      await made.connect()
      return made
    })()
    return client
  }
  const emptying = await emptyingOf(await connect())
  /** False if it has to be thrown away, because only a superuser may empty what never loses a row. */
  const empty = async (): Promise<boolean> => {
    try {
      await (await connect()).query(emptying)
      return true
    } catch {
      return false
    }
  }
  return { url, drop, empty }
}

const free: Awaited<ReturnType<typeof reusedDatabase>>[] = []

/** What makes it again as it is now, but for what was made since that is no row. */
const emptyingOf = async (client: pg.Client): Promise<string> => {
  const textsOf = async (query: string) => (await client.query<{ text: string }>(query)).rows.map(({ text }) => text)
  const tables = await textsOf(
    `SELECT quote_ident(relname) AS text FROM pg_class
      WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace AND relname <> 'rollcall_migration'`,
  )
  const counters = await textsOf(
    `SELECT format('SELECT setval(%L, %s, %L)', quote_ident(sequencename), coalesce(last_value, start_value),
      last_value IS NOT NULL) AS text FROM pg_sequences WHERE schemaname = 'public'`,
  )
  const rows: string[] = []
  for (const table of tables)
    rows.push(
      ...(await textsOf(
        `SELECT format('INSERT INTO ${table} OVERRIDING SYSTEM VALUE
          SELECT * FROM json_populate_recordset(NULL::${table}, %L)', json_agg(t)) AS text
          FROM ${table} t HAVING count(*) > 0`,
      )),
    )
  return [
    'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
    'BEGIN',
    // The triggers that keep the audit trail do not run for a replica.
    "SET LOCAL session_replication_role = 'replica'",
    ...tables.map((table) => `DELETE FROM ${table}`),
    ...counters,
    ...rows,
    'COMMIT',
  ].join(';\n')
}
