import { Unavailable } from '@rollcall/core'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import {
  examinePostgres,
  migratePostgres,
  openPostgresSource,
  openPostgresStorage,
  openPostgresTarget,
  pendingMigrations,
} from '../../src/postgres/index.ts'
import { lookAt } from '../postgres-server/databases.ts'
import { PgBouncer, type PgBouncerOptions } from '../postgres-server/pgbouncer.ts'
import { type PostgresServer, startPostgres } from '../postgres-server/start-postgres.ts'
import { Ledger } from './ledger.ts'
import { openStorage } from './temporary-storage.ts'

const QUICK = { fsync: 'off', shared_buffers: '32MB', max_connections: '100' }
// By default it waits for a quarter of a minute before it tries a server again that was not there.
const SOON = { server_login_retry: '1' }
let server: PostgresServer

beforeAll(async () => {
  server = await startPostgres(QUICK)
  await migratePostgres(server.url)
})
afterAll(() => server.stop())

const startBouncer = async (options: PgBouncerOptions = {}): Promise<PgBouncer> => {
  const bouncer = await PgBouncer.start(server.url, options)
  onTestFinished(() => bouncer[Symbol.asyncDispose]())
  return bouncer
}

const TROUBLES: [string, (bouncer: PgBouncer) => Promise<unknown>][] = [
  [
    'is killed and started again',
    async (bouncer) => {
      await bouncer.kill()
      await bouncer.start()
    },
  ],
  [
    'is shut down at once and started again',
    async (bouncer) => {
      await bouncer.shutDown()
      await bouncer.start()
    },
  ],
  [
    'cuts everybody off',
    async (bouncer) => {
      await bouncer.command('KILL postgres')
      await bouncer.command('RESUME postgres')
    },
  ],
  ['reconnects', (bouncer) => bouncer.command('RECONNECT')],
  [
    'loses its server, which starts again',
    async () => {
      await server.crash()
      await server.start()
    },
  ],
]

describe('behind a PgBouncer that pools sessions', () => {
  it.each(TROUBLES)('no answer is wrong when it %s under load', async (_, happen) => {
    await lookAt(server.url, (client) => client.query('TRUNCATE identity, spent_challenge'))
    const bouncer = await startBouncer({ settings: SOON })
    const ledger = new Ledger(await openStorage(bouncer.through(server.url)))
    for (let n = 0; n < 3; n++) {
      await ledger.progress(50)
      await happen(bouncer)
    }
    await ledger.progress(50)
    await ledger.close()
    expect(await ledger.lies(server.url)).toEqual({ lost: [], haunting: [] })
  })
})

const REFUSED = /pools transactions, so that locks and settings of a session are lost\. Set its pool_mode to session/

const TRANSACTIONS: [string, Readonly<Record<string, string>>][] = [
  ['the server that was given back last', {}],
  ['the server that has rested longest', { server_round_robin: '1' }],
  ['one of two in turn', { server_round_robin: '1', default_pool_size: '2' }],
  ['the only one', { default_pool_size: '1' }],
  ['one for a statement', { pool_mode: 'statement' }],
]

const locksAndLimits = (url: string) =>
  lookAt(url, async (client) => {
    const { rows } = await client.query(
      `SELECT (SELECT count(*) FROM pg_locks WHERE locktype = 'advisory')::int AS locks,
        current_setting('statement_timeout') AS timeout`,
    )
    return rows[0]
  })

describe('behind a PgBouncer that pools transactions', () => {
  it.each(TRANSACTIONS)(
    'nothing opens the database, and nothing stays in sessions, where it lends %s',
    async (_, settings) => {
      const bouncer = await startBouncer({ mode: 'transaction', settings })
      const url = bouncer.through(server.url)
      // So that it has servers to choose from.
      await Promise.all([1, 2, 3].map(() => lookAt(url, (client) => client.query('SELECT pg_sleep(0.01)'))))
      for (const open of [openPostgresStorage, ({ url }: { url: string }) => examinePostgres(url)])
        await expect(open({ url })).rejects.toThrow(REFUSED)
      for (const open of [pendingMigrations, migratePostgres, openPostgresSource, openPostgresTarget])
        await expect(open(url)).rejects.toThrow(REFUSED)
      expect(await locksAndLimits(url)).toEqual({ locks: 0, timeout: '0' })
    },
  )

  it('nothing opens the database beside others who use it', async () => {
    const bouncer = await startBouncer({ mode: 'transaction' })
    const url = bouncer.through(server.url)
    let busy = true
    const others = Array.from({ length: 8 }, () =>
      lookAt(url, async (client) => {
        while (busy) await client.query('SELECT 1')
      }),
    )
    for (let n = 0; n < 20; n++) await expect(openPostgresStorage({ url })).rejects.toThrow(REFUSED)
    busy = false
    await Promise.all(others)
  })

  it('that pooled sessions before is noticed, and when it does so again', async () => {
    const bouncer = await startBouncer()
    const { readers } = await openStorage(bouncer.through(server.url))
    let later = 0
    const now = performance.now.bind(performance)
    vi.spyOn(performance, 'now').mockImplementation(() => now() + later)
    onTestFinished(() => void vi.restoreAllMocks())
    const asked = async (mode: string) => {
      await bouncer.command(`SET pool_mode = '${mode}'`)
      later += 60_000
      return await readers.outbox.health().catch((error: unknown) => error)
    }
    expect(await asked('session')).toMatchObject({ parked: false })
    const refused = await asked('transaction')
    expect(refused).toEqual(expect.any(Unavailable))
    expect((refused as Unavailable).cause).toMatchObject({ message: expect.stringMatching(REFUSED) })
    expect(await asked('session')).toMatchObject({ parked: false })
  })
})

describe('behind a PgBouncer that pools sessions', () => {
  it('every instance opens the database as before, also where there are no more sessions than it needs', async () => {
    const bouncer = await startBouncer({ settings: { default_pool_size: '1' } })
    const url = new URL(bouncer.through(server.url))
    url.searchParams.set('pool', '3')
    const { readers } = await openStorage(url.href)
    expect(await readers.outbox.health()).toMatchObject({ parked: false })
  })

  it('a session is taken over with whatever its last client has left in it', async () => {
    const bouncer = await startBouncer({ settings: { server_reset_query: '', default_pool_size: '3' } })
    const url = bouncer.through(server.url)
    for (let n = 0; n < 4; n++) {
      const storage = await openPostgresStorage({ url })
      expect(await storage.readers.outbox.health()).toMatchObject({ parked: false })
      expect(await storage.readers.feeds.list({ after: 0, limit: 2 })).toMatchObject({ next: undefined })
      await storage.close()
    }
  })
})
