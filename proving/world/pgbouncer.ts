import { PgBouncer } from '../../packages/storage-sql/test/postgres-server/pgbouncer.ts'
import type { Row } from '../shared/report.ts'
import type { Service } from '../shared/service.ts'
import { Place } from './place.ts'
import type { WorldScenario } from './scenarios.ts'
import { TOOLS } from './tools.ts'
import { WorldRun } from './world-run.ts'

/** By default it waits 15 seconds before it tries its server again. */
const SOON = { server_login_retry: '1' }
const NOT_USABLE = 4
const REASON = /Set its pool_mode to session/

const come = async (bouncer: PgBouncer, mode: 'session' | 'transaction'): Promise<void> => {
  await bouncer.kill()
  bouncer.configure({ ...SOON, pool_mode: mode })
  await bouncer.start()
}

export const pgbouncer: WorldScenario = {
  name: 'pgbouncer',
  about: 'a PgBouncer that pools sessions and goes away, or loses its server; one that pools transactions is refused',
  tools: [TOOLS.pgbouncer],
  run: async (context): Promise<readonly Row[]> => {
    using place = new Place()
    const server = await place.postgres()
    // Debian 12 has 1.18, and prepared statements came with 1.21: another may be named.
    const program = process.env.PGBOUNCER_NEW
    await using bouncer = await PgBouncer.start(server.url, { program, settings: SOON, mode: 'transaction' })
    await using run = await WorldRun.make(context, { server: server.url, through: (url) => bouncer.through(url) })
    const { target } = run.fixture
    const { code, stderr } = await refused(target.launch())
    await come(bouncer, 'session')
    await run.start()
    await run.under('sessions are pooled', () => run.calm())
    const database = new URL(target.store.url).pathname.slice(1)
    /** The database takes writes afterwards. */
    const troubles: Readonly<Record<string, () => Promise<void>>> = {
      'the pooler is killed': () => come(bouncer, 'session'),
      'the pooler is shut down at once': async () => {
        await bouncer.shutDown()
        await bouncer.start()
      },
      'the pooler cuts off every client': async () => {
        await bouncer.command(`KILL ${database}`)
        await bouncer.command(`RESUME ${database}`)
      },
      'the pooler reconnects': () => bouncer.command('RECONNECT'),
      'the server is shut down at once': async () => {
        await server.crash()
        await server.start()
      },
      'the pooler pools transactions for a while': async () => {
        await come(bouncer, 'transaction')
        await run.becomes(503)
        await run.calm(2)
        await come(bouncer, 'session')
      },
    }
    for (let time = 0; time < context.times; time++)
      for (const [name, happen] of Object.entries(troubles))
        await run.under(name, async () => {
          await run.calm(0.5)
          await happen()
          await run.becomes(200)
          await run.calm(1)
        })
    const isRefused = code === NOT_USABLE && REASON.test(stderr)
    return [
      {
        figure: 'starts behind pooled transactions',
        found: isRefused ? 0 : 1,
        bound: 0,
        note: isRefused ? undefined : stderr,
      },
      ...(await run.end()),
    ]
  },
}

/** How a service ends that does not become ready. */
const refused = async (service: Service) => {
  if (await service.ready()) service.signal('SIGTERM')
  const { code } = await service.ended
  return { code, stderr: service.stderr }
}
