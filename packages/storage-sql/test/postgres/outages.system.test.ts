import { Unavailable } from '@rollcall/core'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { openPool } from '../../src/postgres/connection.ts'
import { connectionSettings } from '../../src/postgres/connection-settings.ts'
import { Connections } from '../../src/postgres/connections.ts'
import { migratePostgres, openPostgresStorage } from '../../src/postgres/index.ts'
import { PostgresInbox } from '../../src/postgres/postgres-inbox.ts'
import { PostgresUnitOfWork } from '../../src/postgres/postgres-unit-of-work.ts'
import { PostgresUserChanges } from '../../src/postgres/postgres-user-changes.ts'
import { putTombstone } from '../a-tombstone.ts'
import { lookAt } from '../postgres-server/databases.ts'
import { Passage } from '../postgres-server/passage.ts'
import { follow, startStandby } from '../postgres-server/standby.ts'
import { type PostgresServer, startPostgres } from '../postgres-server/start-postgres.ts'
import { Ledger } from './ledger.ts'
import { openStorage } from './temporary-storage.ts'

const QUICK = { fsync: 'off', shared_buffers: '32MB', max_connections: '100' }
let server: PostgresServer

beforeAll(async () => {
  server = await startPostgres(QUICK)
  await migratePostgres(server.url)
})
afterAll(() => server.stop())

const terminateAll = (url: string) =>
  lookAt(url, (client) =>
    client.query(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'rollcall' AND pid <> pg_backend_pid()",
    ),
  )

const clear = () => lookAt(server.url, (client) => client.query('TRUNCATE identity, spent_challenge'))

const backends = () =>
  lookAt(server.url, async (client) => {
    const { rows } = await client.query<{ pid: number }>(
      "SELECT pid FROM pg_stat_activity WHERE application_name = 'rollcall'",
    )
    return rows.map(({ pid }) => pid)
  })

/** With a server that has little time to say a word. */
const openImpatiently = (url: string) => {
  const pool = openPool(connectionSettings(url), () => undefined, 200)
  const connections = new Connections(pool)
  onTestFinished(() => connections.close())
  const inbox = new PostgresInbox(connections, { find: async () => undefined })
  const userChanges = new PostgresUserChanges(connections)
  return { connections, inbox, userChanges, unitOfWork: new PostgresUnitOfWork(connections) }
}

describe('under load', () => {
  it('no client gets a false answer when all connections are terminated, again and again', async () => {
    await clear()
    const ledger = new Ledger(await openStorage(server.url))
    for (let n = 0; n < 10; n++) {
      await ledger.progress(30)
      await terminateAll(server.url)
    }
    await ledger.progress(30)
    await ledger.close()
    expect(await ledger.lies(server.url)).toEqual({ lost: [], haunting: [] })
    expect(ledger.unsureUnits).toEqual([])
  })

  it('nor when the server crashes and starts again, after which everything goes on', async () => {
    await clear()
    const ledger = new Ledger(await openStorage(server.url))
    for (let n = 0; n < 2; n++) {
      await ledger.progress(50)
      await server.crash()
      await server.start()
      await ledger.progress(1)
    }
    await ledger.close()
    expect(await ledger.lies(server.url)).toEqual({ lost: [], haunting: [] })
  })
})

describe('a server that says nothing', () => {
  it('is waited for so long and no longer; when it goes on, so does everything', async () => {
    await clear()
    const ledger = new Ledger(openImpatiently(server.url))
    await ledger.progress(20)
    const processes = [server.pid, ...(await backends())]
    for (const pid of processes) process.kill(pid, 'SIGSTOP')
    await expect.poll(() => ledger.refused.size + ledger.unsure.size).toBeGreaterThan(0)
    for (const pid of processes) process.kill(pid, 'SIGCONT')
    await ledger.progress(20)
    await ledger.close()
    expect(await ledger.lies(server.url)).toEqual({ lost: [], haunting: [] })
  })

  it('on connections that lead nowhere is found out once, and not by everybody who takes one of them', async () => {
    const passage = await Passage.open(server.url)
    onTestFinished(() => passage.close())
    const { connections, unitOfWork } = openImpatiently(passage.through(server.url))
    const one = { text: 'SELECT pg_sleep(0.05)' }
    await Promise.all(Array.from({ length: 8 }, () => connections.query(one)))
    passage.silence()
    await expect(connections.query(one)).rejects.toBeInstanceOf(Unavailable)
    // Each of these would be refused in its turn.
    for (let n = 0; n < 8; n++) await connections.query(one)
    await unitOfWork.run(putTombstone('after'))
  })
})

describe('where all connections are in use', () => {
  it('a caller that waits too long for one gets an error', async () => {
    const { client, readers } = await openStorage(`${server.url}?pool=3`)
    const busy = Promise.allSettled([1, 2, 3].map(() => client.query({ text: 'SELECT pg_sleep(9)' })))
    await expect(readers.outbox.health()).rejects.toBeInstanceOf(Unavailable)
    await lookAt(server.url, (other) =>
      other.query("SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE query LIKE '%pg_sleep(9)'"),
    )
    await busy
    expect(await readers.outbox.health()).toMatchObject({ parked: false })
  })

  it('a statement that takes too long is ended, and its connection goes on', async () => {
    const { connections } = openImpatiently(server.url)
    await expect(connections.query({ text: 'SELECT pg_sleep(5)' })).rejects.toBeInstanceOf(Unavailable)
    expect((await connections.query({ text: 'SELECT 1 AS one' })).rows).toEqual([{ one: 1 }])
  })
})

describe('a server that takes no writes', () => {
  it('is not healthy, though it answers; it is again as soon as it takes some', async () => {
    const { readers, unitOfWork } = await openStorage(server.url)
    const put = (id: string) => unitOfWork.run(putTombstone(id))
    await put('before')
    const close = (how: string) =>
      lookAt(server.url, async (client) => {
        await client.query(`ALTER SYSTEM SET default_transaction_read_only = ${how}`)
        await client.query('SELECT pg_reload_conf()')
      })
    const outcomeOf = (work: Promise<unknown>) =>
      work.then(
        () => 'done',
        ({ name }: Error) => name,
      )
    const becomes = async (outcome: string) => {
      await expect.poll(() => outcomeOf(readers.outbox.health())).toBe(outcome)
      await expect.poll(() => outcomeOf(put('meanwhile'))).toBe(outcome)
    }
    await close('on')
    await becomes('Unavailable')
    await close('off')
    await becomes('done')
  })
})

describe('of a primary and its standby', () => {
  it('the one that takes writes is found, and nothing acknowledged is lost when it changes', async () => {
    const primary = await startPostgres(QUICK)
    onTestFinished(() => primary.stop())
    await migratePostgres(primary.url)
    const standby = await startStandby(primary, QUICK)
    onTestFinished(() => standby.stop())
    await lookAt(primary.url, async (client) => {
      await client.query("ALTER SYSTEM SET synchronous_standby_names = '*'")
      await client.query('SELECT pg_reload_conf()')
    })
    const [one, two] = [new URL(primary.url), new URL(standby.url)]
    const url = `postgres://postgres@${two.host},${one.host}/postgres?target_session_attrs=read-write`
    await expect(openPostgresStorage({ url: standby.url })).rejects.toThrow('read-only')
    const ledger = new Ledger(await openStorage(url))
    await ledger.progress(100)
    await primary.crash()
    await lookAt(standby.url, (client) => client.query('SELECT pg_promote()'))
    await ledger.progress(1)
    follow(primary.data, standby.url)
    await primary.start()
    await ledger.progress(50)
    await ledger.close()
    expect(await ledger.lies(standby.url)).toEqual({ lost: [], haunting: [] })
    await expect(openPostgresStorage({ url: primary.url })).rejects.toThrow('read-only')
  })
})
