import { spawnSync } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { PgBouncer } from '../../../packages/storage-sql/test/postgres-server/pgbouncer.ts'
import type { PostgresServer } from '../../../packages/storage-sql/test/postgres-server/start-postgres.ts'
import { poolerTroubles, type Trouble } from '../../../proving/fail-over/troubles.ts'
import type { CheckReport } from '../../../proving/shared/report.ts'
import type { Service } from '../../../proving/shared/service.ts'
import { Place } from '../pieces/place.ts'
import { ownPostgresIn } from '../pieces/postgres.ts'
import { programOf, TOOLS } from '../pieces/tools.ts'
import { WorldRun } from '../world-run.ts'
import { replayOf, type WorldContext, type WorldScenario } from '../world-scenario.ts'

/** Milliseconds. */
const READY_WITHIN = 60_000
/** By default it waits 15 seconds before it tries its server again. */
const SOON = { server_login_retry: '1' }
const NOT_USABLE = 4
const REASON = /Set its pool_mode to session/

export const pgbouncer: WorldScenario = {
  name: 'pgbouncer',
  about: 'a PgBouncer that pools sessions and goes away, or loses its server; one that pools transactions is refused',
  tools: [TOOLS.pgbouncer],
  run: async (context) => {
    using place = new Place()
    const server = await ownPostgresIn(place)
    const reports: CheckReport[] = []
    for (const program of programs(context)) reports.push(await behind(program, server, context))
    return reports
  },
}

const programs = ({ log }: WorldContext): readonly string[] => {
  const another = process.env.PGBOUNCER_NEW
  if (another) return [programOf(TOOLS.pgbouncer), another]
  log('pgbouncer: only the installed one. PGBOUNCER_NEW may name the file of another, 1.21 or later.')
  return [programOf(TOOLS.pgbouncer)]
}

const behind = async (program: string, server: PostgresServer, context: WorldContext): Promise<CheckReport> => {
  const version = spawnSync(program, ['--version'], { encoding: 'utf8' }).stdout.split('\n', 1)[0] ?? ''
  context.log(`pgbouncer: ${version}`)
  await using bouncer = await PgBouncer.start(server.url, { program, settings: SOON, mode: 'transaction' })
  await using run = await WorldRun.create(context, {
    server: server.url,
    through: (url) => bouncer.through(url),
  })
  await refusesToStart(run)
  await come(bouncer, 'session')
  const service = await run.start()
  await run.under('sessions are pooled', () => run.calm(context.seconds))
  await goAway(run, service, poolerTroubles(bouncer, server))
  await noticesTransactions(run, service, bouncer)
  await run.end(service)
  return {
    name: `${version}`,
    store: 'postgres',
    replay: replayOf('pgbouncer', context, `--seconds ${context.seconds}`),
    findings: run.findings,
    rows: run.rows,
  }
}

const refusesToStart = async (run: WorldRun): Promise<void> => {
  const refused = run.fixture.launch()
  const ended = await Promise.race([refused.ended, sleep(READY_WITHIN, undefined, { ref: false })])
  if (ended?.code === NOT_USABLE && REASON.test(refused.stderr)) return
  run.report('W2', `behind pooled transactions, serve ended with ${ended?.code}: ${refused.stderr}`)
  if (ended === undefined) await refused.kill()
}

const goAway = async (run: WorldRun, service: Service, troubles: readonly Trouble[]): Promise<void> => {
  const database = new URL(run.fixture.store.url).pathname.slice(1)
  for (const trouble of troubles) {
    if (run.hasEnough || !service.isRunning) return
    await run.under(trouble.name, async (row) => {
      await run.calm(0.5)
      const began = performance.now()
      await trouble.happen(database)
      row.outages.push(performance.now() - began)
      const over = performance.now()
      if (!(await service.comesTo(200, READY_WITHIN)))
        run.report(
          'I7',
          `${trouble.name}: not ready again: ${(await run.fixture.client.get('/readyz'))?.body}. ${service.stderr}`,
        )
      row.again.push(performance.now() - over)
      await run.calm(1)
    })
  }
}

/** It is started again under load with other settings. While it pools transactions, every request must be refused. */
const noticesTransactions = async (run: WorldRun, service: Service, bouncer: PgBouncer): Promise<void> => {
  await run.under('the pooler pools transactions', async (row) => {
    await run.calm(0.5)
    await come(bouncer, 'transaction')
    if (!(await service.comesTo(503, READY_WITHIN))) run.report('W2', 'behind pooled transactions, /readyz is not 503')
    await run.calm(2)
    await come(bouncer, 'session')
    const over = performance.now()
    if (!(await service.comesTo(200, READY_WITHIN))) run.report('I7', 'not ready again, with pooled sessions')
    row.again.push(performance.now() - over)
  })
}

const come = async (bouncer: PgBouncer, mode: 'session' | 'transaction'): Promise<void> => {
  await bouncer.kill()
  bouncer.configure({ ...SOON, pool_mode: mode })
  await bouncer.start()
}
