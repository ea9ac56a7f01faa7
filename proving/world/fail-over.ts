import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../../packages/app/test/free-port.ts'
import { lookAt, type PostgresServer } from '../../packages/storage-sql/test/postgres-server/start-postgres.ts'
import { killTree, signalTree } from '../shared/processes.ts'
import type { Row } from '../shared/report.ts'
import { waitUntil } from '../shared/wait-until.ts'
import { firstWrite, prepareWrites } from './first-write.ts'
import { leadToPrimary } from './fronts.ts'
import { Place } from './place.ts'
import type { WorldScenario } from './scenarios.ts'
import { TOOLS } from './tools.ts'
import { type WorldContext, WorldRun } from './world-run.ts'

const PATIENCE = 60_000
/** Seconds; longer than the service has the server work at one statement, which ends the wait for the standby. */
const STALL = 13

/** How the primary goes away, and how the service finds the server that takes writes. */
interface Loss {
  readonly name: string
  /** As its machine is lost, unless it is switched off, or says nothing any more. */
  readonly how?: 'switched off' | 'silent'
  /** The standby does not answer meanwhile. */
  readonly isStalled?: boolean
  readonly isBehindHaproxy?: boolean
}

export const LOSSES: readonly Loss[] = [
  { name: 'the primary is switched off', how: 'switched off' },
  { name: 'the machine of the primary is lost' },
  { name: 'it is lost while the standby does not answer', isStalled: true },
  { name: 'it is lost behind an HAProxy that leads to the primary', isBehindHaproxy: true },
  { name: 'the primary says nothing any more', how: 'silent' },
]

const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

const goesAway = async ({ pid }: PostgresServer, how: Loss['how']): Promise<void> => {
  if (how === 'silent') signalTree(pid, 'SIGSTOP')
  else if (how === undefined) killTree(pid)
  else {
    // It ends its sessions, and hands over all that it has.
    process.kill(pid, 'SIGINT')
    await waitUntil(() => !isRunning(pid), 'the end of the primary')
  }
}

/** A standby that each commit waits for takes over from the primary. */
export const takeOver = async (context: WorldContext, loss: Loss): Promise<readonly Row[]> => {
  using place = new Place()
  const primary = await place.postgres()
  await prepareWrites(primary.url)
  const follower = await place.standbyOf(primary)
  await lookAt(primary.url, async (client) => {
    await client.query("ALTER SYSTEM SET synchronous_standby_names = '*'")
    await client.query('SELECT pg_reload_conf()')
    const follows = "SELECT 1 FROM pg_stat_replication WHERE sync_state = 'sync'"
    await waitUntil(async () => (await client.query(follows)).rows.length > 0, 'the standby')
  })
  const [mine, others] = [new URL(primary.url), new URL(follower.url)]
  const front = loss.isBehindHaproxy ? await freePort() : undefined
  if (front !== undefined) await leadToPrimary(place, front, [Number(mine.port), Number(others.port)])
  const hosts = front === undefined ? `${mine.host},${others.host}` : `127.0.0.1:${front}`
  const through = (url: string): string => url.replace(mine.host, hosts)
  let leading = primary
  await using run = await WorldRun.make(context, { server: () => leading.url, through })
  await run.start()
  await run.under('commits wait for the standby', () => run.calm())
  await run.under(loss.name, async (tally) => {
    await run.calm(1)
    if (loss.isStalled) {
      signalTree(follower.pid, 'SIGSTOP')
      await sleep(STALL * 1_000)
    }
    await goesAway(primary, loss.how)
    signalTree(follower.pid, 'SIGCONT')
    // If it takes writes there, it is where the service has to go on.
    const address = front === undefined ? follower.url : through(primary.url)
    const writing = firstWrite(address, Number(mine.port), AbortSignal.timeout(PATIENCE))
    await lookAt(follower.url, (client) => client.query('SELECT pg_promote(wait => false)'))
    const since = await writing
    leading = follower
    // Silence is only known by its length.
    if (loss.how !== 'silent') await run.again(tally, since)
    await run.becomes(200)
    await run.calm()
  })
  return await run.end()
}

export const failOver: WorldScenario = {
  name: 'fail-over',
  about: 'a synchronous standby takes over from a primary that is switched off, lost or silent, also behind an HAProxy',
  tools: [TOOLS.haproxy],
  run: async (context) => {
    const rows: Row[] = []
    for (let time = 0; time < context.times; time++)
      for (const loss of LOSSES) rows.push(...(await takeOver(context, loss)))
    return rows
  },
}
