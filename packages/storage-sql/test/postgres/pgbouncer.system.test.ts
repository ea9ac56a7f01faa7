import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { migratePostgres } from '../../src/postgres/index.ts'
import { lookAt } from '../postgres-server/databases.ts'
import { PgBouncer } from '../postgres-server/pgbouncer.ts'
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
    await lookAt(server.url, (client) => client.query('TRUNCATE tombstone, spent_challenge'))
    const bouncer = await PgBouncer.start(server.url, { settings: SOON })
    onTestFinished(() => bouncer[Symbol.asyncDispose]())
    const { unitOfWork } = await openStorage(bouncer.through(server.url))
    const ledger = new Ledger(unitOfWork)
    for (let n = 0; n < 3; n++) {
      await ledger.progress(50)
      await happen(bouncer)
    }
    await ledger.progress(50)
    await ledger.close()
    expect(await ledger.lies(server.url)).toEqual({ lost: [], haunting: [] })
  })
})
