import { setTimeout as sleep } from 'node:timers/promises'
import { PgBouncer } from '../../packages/storage-sql/test/postgres-server/pgbouncer.ts'
import { poolerTroubles } from '../fail-over/troubles.ts'
import type { Row } from '../target/rows.ts'
import { Place } from './place.ts'
import type { WorldScenario } from './scenarios.ts'
import { TOOLS } from './tools.ts'
import { WorldRun } from './world-run.ts'

/** Milliseconds. */
const READY_WITHIN = 60_000
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
    let database = ''
    await using run = await WorldRun.make(context, {
      server: () => server.url,
      through: (url) => {
        database = new URL(url).pathname.slice(1)
        return bouncer.through(url)
      },
    })
    const { target } = run
    const isStarted = await target.start().then(
      () => true,
      () => false,
    )
    if (isStarted) await target.stop()
    const { code } = await target.service.ended
    const { stderr } = target.service
    const isRefused = !isStarted && code === NOT_USABLE && REASON.test(stderr)
    await come(bouncer, 'session')
    await run.start()
    let late = 0
    const becomes = async (status: number): Promise<void> => {
      if (!(await target.service.comesTo(status, READY_WITHIN))) late++
    }
    await run.under('sessions are pooled', () => run.calm(context.seconds))
    for (const { name, happen } of poolerTroubles(bouncer, server))
      await run.under(name, async () => {
        await sleep(500)
        await happen(database)
        await becomes(200)
        await sleep(1_000)
      })
    await run.under('the pooler pools transactions for a while', async () => {
      await sleep(500)
      await come(bouncer, 'transaction')
      await becomes(503)
      await sleep(2_000)
      await come(bouncer, 'session')
      await becomes(200)
      await sleep(1_000)
    })
    return [
      {
        figure: 'starts behind pooled transactions',
        found: isRefused ? 0 : 1,
        bound: 0,
        note: isRefused ? undefined : stderr,
      },
      { figure: 'times that /readyz did not say it within a minute', found: late, bound: 0 },
      ...(await run.end()),
    ]
  },
}
