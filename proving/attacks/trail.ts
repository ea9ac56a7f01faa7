import { copyFile, rm } from 'node:fs/promises'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { lookAt } from '../../packages/storage-sql/test/postgres-server/start-postgres.ts'
import { Mails } from '../shared/mails.ts'
import { counted, type Row } from '../shared/report.ts'
import { Target } from '../shared/target.ts'
import type { Attack } from './attacks.ts'

type Cells = Readonly<Record<string, unknown>>

/** Somebody who may do anything to the database of a service that is stopped, and knows no secret of it. */
interface Tamperer extends AsyncDisposable {
  /** What tells rows of a table apart, whatever is in them. */
  readonly rowId: string
  /** Past whatever guards the tables. */
  run(...statements: readonly string[]): Promise<void>
  rows(query: string): Promise<readonly Cells[]>
  /** Keeps the state of all tables under this name, and puts them back to it. */
  keep(name: string): Promise<void>
  putBack(name: string): Promise<void>
}

const onSqlite = (file: string): Tamperer => {
  const on = <Result>(work: (database: DatabaseSync) => Result): Result => {
    const database = new DatabaseSync(file)
    try {
      return work(database)
    } finally {
      database.close()
    }
  }
  return {
    rowId: 'rowid',
    run: async (...statements) =>
      on((database) => {
        database.exec('PRAGMA foreign_keys = OFF')
        // Triggers guard the trail; afterwards they are back as if nothing had happened.
        const guards = database.prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'").all()
        for (const { name } of guards) database.exec(`DROP TRIGGER ${name}`)
        try {
          for (const statement of statements) database.exec(statement)
        } finally {
          for (const { sql } of guards) database.exec(`${sql}`)
        }
      }),
    rows: async (query) => on((database) => database.prepare(query).all()),
    keep: async (name) => {
      // So that the file alone has everything.
      on((database) => database.exec('PRAGMA wal_checkpoint(TRUNCATE)'))
      await copyFile(file, `${file}-${name}.kept`)
    },
    putBack: async (name) => {
      for (const ending of ['-wal', '-shm']) await rm(`${file}${ending}`, { force: true })
      await copyFile(`${file}-${name}.kept`, file)
    },
    [Symbol.asyncDispose]: async () => undefined,
  }
}

const onPostgres = (url: string, server: string): Tamperer => {
  const name = new URL(url).pathname.slice(1)
  const kept: string[] = []
  return {
    rowId: 'ctid',
    // A superuser passes triggers so.
    run: (...statements) =>
      lookAt(url, async (client) => {
        for (const statement of ['SET session_replication_role = replica', ...statements]) await client.query(statement)
      }),
    rows: async (query) => (await lookAt(url, (client) => client.query<Record<string, unknown>>(query))).rows,
    keep: async (state) => {
      await lookAt(server, (client) => client.query(`CREATE DATABASE ${name}_${state} TEMPLATE ${name}`))
      kept.push(`${name}_${state}`)
    },
    putBack: (state) =>
      lookAt(server, async (client) => {
        await client.query(`DROP DATABASE ${name} WITH (FORCE)`)
        await client.query(`CREATE DATABASE ${name} TEMPLATE ${name}_${state}`)
      }),
    [Symbol.asyncDispose]: () =>
      lookAt(server, async (client) => {
        for (const one of kept) await client.query(`DROP DATABASE IF EXISTS ${one} WITH (FORCE)`)
      }),
  }
}

interface Tampering {
  readonly name: string
  /** Of which state of the database. */
  readonly state: 'now' | 'older'
  readonly statements: readonly string[]
}

const changed = (value: unknown): string | undefined => {
  if (typeof value === 'number' || (typeof value === 'string' && /^-?\d+$/.test(value))) return '+ 100000'
  return typeof value === 'string' ? "|| 'x'" : undefined
}

interface Stored {
  readonly table: string
  readonly id: string
  readonly cells: Cells
}

const SQLITE_TABLES = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name LIKE 'audit%'"
const POSTGRES_TABLES =
  "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' AND tablename LIKE 'audit%'"

const rowsOf = async ({ rows, rowId }: Tamperer, tables: readonly string[]): Promise<Stored[]> => {
  const found: Stored[] = []
  for (const table of tables)
    for (const { row_id: id, ...cells } of await rows(`SELECT CAST(${rowId} AS TEXT) AS row_id, t.* FROM ${table} t`))
      found.push({ table, id: `${id}`, cells })
  return found
}

const removal = ({ rowId }: Tamperer, { table, id }: Stored): string =>
  `DELETE FROM ${table} WHERE CAST(${rowId} AS TEXT) = '${id}'`

/** Every value of the first, the middle and the last row of a table of the trail, each of these rows, and all of them. */
const ofTable = (tamperer: Tamperer, table: string, all: readonly Stored[]): Tampering[] => {
  const some = new Set([all[0], all[all.length >> 1], all.at(-1)].filter((row) => row !== undefined))
  const changes = [...some].flatMap((row) => [
    [`no row ${row.id} of ${table}`, removal(tamperer, row)] as const,
    ...Object.entries(row.cells).flatMap(([column, value]) => {
      const change = changed(value)
      const sql = `UPDATE ${table} SET ${column} = ${column} ${change} WHERE CAST(${tamperer.rowId} AS TEXT) = '${row.id}'`
      return change === undefined ? [] : [[`${column} of row ${row.id} of ${table}`, sql] as const]
    }),
  ])
  return [...changes, [`no ${table}`, `DELETE FROM ${table}`] as const].map(([name, sql]) => {
    return { name, state: 'now', statements: [sql] }
  })
}

/** What the interface cannot do to users: to be found if the trail says how it must be. */
const COLUMNS = 'name, roles, terms, created_at, updated_at'
const OF_USERS: readonly Tampering[] = Object.entries({
  'a role given': "UPDATE user_account SET roles = (SELECT roles FROM user_account WHERE id = 'ada') WHERE id = 'eve'",
  'a role taken': "UPDATE user_account SET roles = (SELECT roles FROM user_account WHERE id = 'eve') WHERE id = 'ada'",
  'a user made': `INSERT INTO user_account (id, email, email_key, ${COLUMNS})
    SELECT 'mallory', 'm@example.com', 'm@example.com', ${COLUMNS} FROM user_account WHERE id = 'ada'`,
  'a suspension made': "UPDATE user_account SET suspended_at = updated_at WHERE id = 'eve'",
  'a suspension lifted': "UPDATE user_account SET suspended_at = NULL WHERE id = 'sue'",
  'a user removed': "DELETE FROM user_account WHERE id = 'eve'",
  'a tombstone removed': "DELETE FROM identity WHERE id = 'gone'",
  'a tombstone lifted': "UPDATE identity SET deleted_at = NULL WHERE id = 'gone'",
  'a tombstone of another time': "UPDATE identity SET deleted_at = deleted_at - 1000 WHERE id = 'gone'",
}).map(([name, sql]) => ({ name, state: 'now', statements: [sql] }))

const SEEN = 3

const put = (target: Target, token: string, id: string, ...roles: readonly string[]) =>
  target.ask(`PUT /users/${id}`, { token, json: { email: `${id}@example.com`, name: id, roles } })

/** Does a bit of everything over HTTP. */
const use = async (target: Target, mails: Mails, token: string): Promise<void> => {
  for (const [id, ...roles] of [['ada', 'admin'], ['eve'], ['gone', 'auditor'], ['sue', 'auditor']] as const)
    await put(target, token, id, ...roles)
  await target.ask('POST /users/sue/suspend', { token })
  await target.ask('DELETE /users/gone', { token })
  for (const link of ['confirm', 'refuse'] as const) {
    await target.signUp(`${link}@example.com`)
    await target.ask(`POST /${link}/${await mails.comingToken(`${link}@example.com`, link)}`, { form: {} })
  }
}

/** Changes by SQL that are to be hidden from `rollcall audit verify`. */
export const trail: Attack = {
  name: 'trail',
  about: 'changes by SQL that are to be hidden from `rollcall audit verify`',
  stores: ['sqlite', 'postgres'],
  run: async (context): Promise<readonly Row[]> => {
    const { server, isQuick = false } = context
    await using mails = await Mails.open()
    await using target = await Target.open(context, { SMTP_URL: mails.url })
    const { store, home } = target
    await using tamperer =
      server === undefined ? onSqlite(path.join(home.data, 'rollcall.db')) : onPostgres(store.url, `${server}`)
    const token = await target.token('root', 'admin')
    await use(target, mails, token)
    await target.stop()
    await tamperer.keep('older')
    const tables = (await tamperer.rows(server === undefined ? SQLITE_TABLES : POSTGRES_TABLES)).map(
      ({ name }) => `${name}`,
    )
    const older = await rowsOf(tamperer, tables)
    await target.start()
    await put(target, token, 'later', 'auditor')
    await target.stop()
    await tamperer.keep('now')
    await target.succeed('audit', 'verify')
    const now = await rowsOf(tamperer, tables)
    const all = tables.flatMap((table) =>
      ofTable(
        tamperer,
        table,
        now.filter((row) => row.table === table),
      ),
    )
    const known = new Set(older.map(({ cells }) => JSON.stringify(cells)))
    const cut = now.filter(({ cells }) => !known.has(JSON.stringify(cells)))
    if (cut.length === 0) throw new Error('nothing was recorded after the first look')
    const ofTheTrail: readonly Tampering[] = [
      ...(isQuick ? all.filter((_, n) => n % 5 === 0) : all),
      { name: 'the end cut', state: 'now', statements: cut.map((row) => removal(tamperer, row)) },
      { name: 'all of it wiped', state: 'now', statements: tables.map((table) => `DELETE FROM ${table}`) },
      { name: 'the whole database put back to an earlier state', state: 'older', statements: [] },
    ]
    const unseen = async (tamperings: readonly Tampering[]): Promise<string[]> => {
      const found: string[] = []
      for (const { name, state, statements } of tamperings) {
        await tamperer.putBack(state)
        await tamperer.run(...statements)
        const { code } = await target.run('audit', 'verify')
        if (code !== SEEN) found.push(`${name} (${code})`)
      }
      return found
    }
    return [
      counted('changes of the trail that are not seen', ofTheTrail.length, await unseen(ofTheTrail)),
      counted('changes of users that are not seen', OF_USERS.length, await unseen(OF_USERS)),
    ]
  },
}
