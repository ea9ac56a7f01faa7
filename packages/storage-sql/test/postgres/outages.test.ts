import { setTimeout as sleep } from 'node:timers/promises'
import { Unavailable, type UserId } from '@rollcall/core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openPool } from '../../src/postgres/connection.ts'
import { connectionSettings } from '../../src/postgres/connection-settings.ts'
import { Connections } from '../../src/postgres/connections.ts'
import { migratePostgres, openPostgresStorage } from '../../src/postgres/index.ts'
import { PostgresUnitOfWork } from '../../src/postgres/postgres-unit-of-work.ts'
import { aTombstone } from '../a-tombstone.ts'
import { lookAt } from '../postgres-server/databases.ts'
import { Passage } from '../postgres-server/passage.ts'
import { follow, startStandby } from '../postgres-server/standby.ts'
import { type PostgresServer, startPostgres } from '../postgres-server/start-postgres.ts'
import { Ledger } from './ledger.ts'
import { afterTest, cleanUpAfterEachTest, openStorage } from './temporary-storage.ts'

cleanUpAfterEachTest()

const QUICK = { fsync: 'off', shared_buffers: '32MB', max_connections: '100' }
let server: PostgresServer

beforeAll(async () => {
  server = await startPostgres(QUICK)
  await migratePostgres(server.url)
}, 60_000)
afterAll(() => server.stop())

const terminateAll = (url: string) =>
  lookAt(url, (client) =>
    client.query(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'rollcall' AND pid <> pg_backend_pid()",
    ),
  )

const clear = () => lookAt(server.url, (client) => client.query('TRUNCATE tombstone, spent_challenge'))

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
  afterTest(() => connections.close())
  return { connections, unitOfWork: new PostgresUnitOfWork(connections) }
}

describe('under load', { timeout: 60_000 }, () => {
  it('nobody is told anything that is not so when all connections are terminated, again and again', async () => {
    await clear()
    const ledger = new Ledger((await openStorage(server.url)).unitOfWork)
    for (let n = 0; n < 10; n++) {
      await ledger.progress(30)
      await terminateAll(server.url)
    }
    await ledger.progress(30)
    await ledger.close()
    expect(await ledger.lies(server.url)).toEqual({ lost: [], haunting: [] })
    expect(ledger.unsure.size).toBe(0)
  })

  it('nor when the server crashes and starts again, which is noticed within 5 seconds', async () => {
    await clear()
    const ledger = new Ledger((await openStorage(server.url)).unitOfWork)
    for (let n = 0; n < 2; n++) {
      await ledger.progress(50)
      await server.crash()
      await server.start()
      expect(await ledger.progress(1)).toBeLessThan(5_000)
    }
    await ledger.close()
    expect(await ledger.lies(server.url)).toEqual({ lost: [], haunting: [] })
  })
})

describe('a server that says nothing', { timeout: 60_000 }, () => {
  it('is waited for so long and no longer; when it goes on, so does everything', async () => {
    await clear()
    const { unitOfWork } = openImpatiently(server.url)
    const ledger = new Ledger(unitOfWork)
    await ledger.progress(20)
    const processes = [server.pid, ...(await backends())]
    for (const pid of processes) process.kill(pid, 'SIGSTOP')
    await sleep(3_500)
    const refused = ledger.refused.size + ledger.unsure.size
    for (const pid of processes) process.kill(pid, 'SIGCONT')
    expect(refused).toBeGreaterThan(0)
    expect(await ledger.progress(20)).toBeLessThan(5_000)
    await ledger.close()
    expect(await ledger.lies(server.url)).toEqual({ lost: [], haunting: [] })
  })

  it('on connections that lead nowhere is found out once, and not by everybody who takes one of them', async () => {
    const passage = await Passage.open(server.url)
    afterTest(() => passage.close())
    const { connections, unitOfWork } = openImpatiently(passage.through(server.url))
    const one = { text: 'SELECT pg_sleep(0.05)' }
    await Promise.all(Array.from({ length: 8 }, () => connections.query(one)))
    passage.silence()
    await expect(connections.query(one)).rejects.toBeInstanceOf(Unavailable)
    const begin = performance.now()
    for (let n = 0; n < 8; n++) await connections.query(one)
    await unitOfWork.run(({ tombstones }) => tombstones.put('after' as UserId, aTombstone))
    expect(performance.now() - begin).toBeLessThan(2_000)
  })
})

describe('where all connections are in use', () => {
  it('whoever waits too long for one is told so', { timeout: 30_000 }, async () => {
    const { client, readers } = await openStorage(`${server.url}?pool=3`)
    const busy = [1, 2, 3].map(() => client.query({ text: 'SELECT pg_sleep(5.5)' }))
    await expect(readers.outbox.health()).rejects.toBeInstanceOf(Unavailable)
    await Promise.all(busy)
    expect(await readers.outbox.health()).toMatchObject({ parked: false })
  })

  it('a statement that takes too long is ended, and its connection goes on', async () => {
    const { connections } = openImpatiently(server.url)
    await expect(connections.query({ text: 'SELECT pg_sleep(5)' })).rejects.toBeInstanceOf(Unavailable)
    expect((await connections.query({ text: 'SELECT 1 AS one' })).rows).toEqual([{ one: 1 }])
  })
})

describe('a server that takes no writes', () => {
  it('is not healthy, though it answers; it is again as soon as it takes some', { timeout: 30_000 }, async () => {
    const { readers, unitOfWork } = await openStorage(server.url)
    const put = (id: string) => unitOfWork.run(({ tombstones }) => tombstones.put(id as UserId, aTombstone))
    await put('before')
    const close = (how: string) =>
      lookAt(server.url, async (client) => {
        await client.query(`ALTER SYSTEM SET default_transaction_read_only = ${how}`)
        await client.query('SELECT pg_reload_conf()')
        await sleep(100)
      })
    await close('on')
    await expect(readers.outbox.health()).rejects.toBeInstanceOf(Unavailable)
    await expect(put('meanwhile')).rejects.toBeInstanceOf(Unavailable)
    await close('off')
    expect(await readers.outbox.health()).toMatchObject({ parked: false })
    await put('after')
  })
})

describe('of a primary and its standby', () => {
  it('the one that takes writes is found, and nothing acknowledged is lost when it changes', {
    timeout: 60_000,
  }, async () => {
    const primary = await startPostgres(QUICK)
    afterTest(() => primary.stop())
    await migratePostgres(primary.url)
    const standby = await startStandby(primary, QUICK)
    afterTest(() => standby.stop())
    await lookAt(primary.url, async (client) => {
      await client.query("ALTER SYSTEM SET synchronous_standby_names = '*'")
      await client.query('SELECT pg_reload_conf()')
    })
    const [one, two] = [new URL(primary.url), new URL(standby.url)]
    const url = `postgres://postgres@${two.host},${one.host}/postgres?target_session_attrs=read-write`
    await expect(openPostgresStorage({ url: standby.url })).rejects.toThrow('read-only')
    const ledger = new Ledger((await openStorage(url)).unitOfWork)
    await ledger.progress(100)
    await primary.crash()
    await sleep(200)
    await lookAt(standby.url, (client) => client.query('SELECT pg_promote()'))
    expect(await ledger.progress(1)).toBeLessThan(5_000)
    follow(primary.data, standby.url)
    await primary.start()
    await ledger.progress(50)
    await ledger.close()
    expect(await ledger.lies(standby.url)).toEqual({ lost: [], haunting: [] })
    await expect(openPostgresStorage({ url: primary.url })).rejects.toThrow('read-only')
  })
})
