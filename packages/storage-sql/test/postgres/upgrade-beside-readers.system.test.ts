import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { describe, expect, it, onTestFinished } from 'vitest'
import { POSTGRES_MIGRATIONS } from '../../src/migrations/postgres/index.ts'
import { migratePostgres, type Patience } from '../../src/postgres/index.ts'
import { temporaryDatabase } from './temporary-storage.ts'

/** As the next version will: it needs strong locks on several tables. */
const NEXT = {
  ...POSTGRES_MIGRATIONS,
  '0002-next': {
    statements: ['feed', 'subscription', 'outbox', 'event'].map(
      (table) => `ALTER TABLE ${table} ADD COLUMN next integer`,
    ),
  },
}
const LATER = ['0002-next']

const upgrade = (url: string, patience: Patience = {}) => migratePostgres(url, { ...patience, migrations: NEXT })

const connected = async (url: string, options: pg.ClientConfig = {}): Promise<pg.Client> => {
  const client = new pg.Client({ connectionString: url, ...options })
  await client.connect()
  onTestFinished(() => client.end())
  return client
}

/** In the middle of a dump: every table is locked as `pg_dump` does it, until the end of its transaction. */
const dumping = async (url: string, ...tables: readonly string[]): Promise<pg.Client> => {
  const client = await connected(url, { application_name: 'pg_dump' })
  await client.query('BEGIN TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY')
  await client.query(`LOCK TABLE ${tables.join(', ')} IN ACCESS SHARE MODE`)
  return client
}

const EVERY = ['feed', 'subscription', 'event', 'outbox', 'suppression', 'user_account', 'identity', 'audit_record']

const WORK = [
  'SELECT title FROM feed',
  'SELECT count(*) FROM subscription',
  'SELECT max(position) FROM event',
  "UPDATE feed SET open = open WHERE name = 'default'",
]

/** Reads and writes as an instance does, until it is stopped; how long each statement took, in milliseconds. */
const working = async (url: string) => {
  const taken: number[] = []
  let isOver = false
  const clients = await Promise.all(WORK.map(() => connected(url)))
  const loops = WORK.map(async (text, n) => {
    while (!isOver) {
      const began = performance.now()
      await clients[n]?.query(text)
      taken.push(performance.now() - began)
      await sleep(2)
    }
  })
  return {
    taken,
    stop: async () => {
      isOver = true
      await Promise.all(loops)
    },
  }
}

/** Milliseconds: longer than a statement of an instance ever waits for a lock. */
const A_WHILE = 6_500

describe('an upgrade beside a transaction that only reads, on PostgreSQL', () => {
  it('leaves the instance that is open its work, and is done soon after the end of the transaction', async () => {
    const url = await temporaryDatabase()
    const instance = await working(url)
    await sleep(1_500)
    instance.taken.splice(0)
    const dump = await dumping(url, ...EVERY)
    const said: string[] = []
    let isDone = false
    const migrated = upgrade(url, { onWait: (text) => said.push(text) }).finally(() => {
      isDone = true
    })
    await Promise.race([sleep(A_WHILE), migrated])
    expect(isDone).toBe(false)
    const { rows } = await dump.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
    await dump.query('COMMIT')
    expect(await migrated).toEqual(LATER)
    await instance.stop()
    // What waits for a lock of the upgrade waits for far longer.
    expect(Math.max(...instance.taken)).toBeLessThan(A_WHILE)
    expect(said).toHaveLength(1)
    expect(said[0]).toContain(`the process ${rows[0]?.pid} (pg_dump)`)
  })

  it('waits for one transaction after another, each of them of one table', async () => {
    const url = await temporaryDatabase()
    const [first, second] = [await dumping(url, 'feed'), await dumping(url, 'outbox')]
    const said: string[] = []
    const migrated = upgrade(url, { onWait: (text) => said.push(text) })
    await sleep(1_000)
    await first.query('COMMIT')
    await sleep(2_500)
    await second.query('ROLLBACK')
    expect(await migrated).toEqual(LATER)
    expect(said.map((text) => /table (\w+)/.exec(text)?.[1])).toEqual(['feed', 'outbox'])
  })

  it('is done by one of several that begin at once, also where that one has to wait', async () => {
    const url = await temporaryDatabase()
    const dump = await dumping(url, 'feed')
    const all = [1, 2, 3].map(() => upgrade(url))
    await sleep(A_WHILE)
    await dump.query('COMMIT')
    expect((await Promise.all(all)).flat()).toEqual(LATER)
  })

  it('can be stopped while it waits, and has changed nothing then', async () => {
    const url = await temporaryDatabase()
    const dump = await dumping(url, 'event')
    const controller = new AbortController()
    const migrated = upgrade(url, { onWait: () => controller.abort(), signal: controller.signal })
    await expect(migrated).rejects.toMatchObject({ name: 'AbortError' })
    const waiting = upgrade(url, { signal: AbortSignal.timeout(500) })
    await expect(waiting).rejects.toMatchObject({ name: 'AbortError' })
    await dump.query('COMMIT')
    expect(await upgrade(url)).toEqual(LATER)
  })
})
