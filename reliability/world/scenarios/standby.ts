import { setTimeout as sleep } from 'node:timers/promises'
import { startStandby } from '../../../packages/storage-sql/test/postgres-server/standby.ts'
import { lookAt, type PostgresServer } from '../../../packages/storage-sql/test/postgres-server/start-postgres.ts'
import { killTree, signalTree } from '../../../proving/shared/process-tree.ts'
import type { CheckReport } from '../../../proving/shared/report.ts'
import { firstWrite, prepareWrites } from '../first-write.ts'
import { Place } from '../pieces/place.ts'
import { ownPostgresIn } from '../pieces/postgres.ts'
import { WorldRun } from '../world-run.ts'
import { replayOf, type WorldContext, type WorldScenario } from '../world-scenario.ts'

/** Seconds; longer than the service has the server work at one statement, which ends the wait for the standby. */
const STALL = 13
const PATIENCE = 60_000

interface Pair {
  readonly primary: PostgresServer
  readonly standby: PostgresServer
}

interface Loss {
  readonly name: string
  /** Under load, before the machine is lost. */
  readonly before: (pair: Pair) => Promise<void>
}

const LOSSES: readonly Loss[] = [
  { name: "the primary's machine is lost", before: async () => undefined },
  {
    name: 'it is lost while the standby does not answer',
    before: async ({ standby }) => {
      signalTree(standby.pid, 'SIGSTOP')
      await sleep(STALL * 1_000)
    },
  },
]

export const standby: WorldScenario = {
  name: 'standby',
  about: 'a synchronous standby takes over from a primary whose machine is lost',
  tools: [],
  run: async (context) => {
    const reports: CheckReport[] = []
    for (const loss of LOSSES) reports.push(await loseMachine(context, loss))
    return reports
  },
}

const loseMachine = async (context: WorldContext, loss: Loss): Promise<CheckReport> => {
  using place = new Place()
  const primary = await ownPostgresIn(place)
  await prepareWrites(primary.url)
  const follower = await startStandby(primary)
  await waitForStandby(primary)
  return await takeOver(context, loss, { primary, standby: follower })
}

const waitForStandby = (primary: PostgresServer): Promise<void> =>
  lookAt(primary.url, async (client) => {
    await client.query("ALTER SYSTEM SET synchronous_standby_names = '*'")
    await client.query('SELECT pg_reload_conf()')
    const isFollowed = async () =>
      (await client.query("SELECT 1 FROM pg_stat_replication WHERE sync_state = 'sync'")).rows.length > 0
    while (!(await isFollowed())) await sleep(50)
  })

const takeOver = async (context: WorldContext, { name, before }: Loss, pair: Pair): Promise<CheckReport> => {
  const { primary, standby: follower } = pair
  let leading = primary
  await using run = await WorldRun.create(context, {
    server: () => leading.url,
    through: (url) => url.replace(hostOf(primary), `${hostOf(primary)},${hostOf(follower)}`),
  })
  const service = await run.start()
  await run.under('commits wait for the standby', () => run.calm(context.seconds / 2))
  await run.under(name, async (row) => {
    await run.calm(1)
    await before(pair)
    const began = performance.now()
    killTree(primary.pid)
    signalTree(follower.pid, 'SIGCONT')
    const writing = firstWrite([follower.url], Number(new URL(primary.url).port), AbortSignal.timeout(PATIENCE))
    await lookAt(follower.url, (client) => client.query('SELECT pg_promote(wait => false)'))
    const since = await writing
    leading = follower
    await run.again(row, began, since)
    await run.calm(context.seconds / 2)
  })
  await run.end(service)
  return {
    name: `synchronous standby: ${name}`,
    store: 'postgres',
    replay: replayOf('standby', context, `--seconds ${context.seconds}`),
    findings: run.findings,
    rows: run.rows,
  }
}

const hostOf = ({ url }: PostgresServer): string => new URL(url).host
