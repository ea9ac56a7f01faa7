import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../../packages/app/test/free-port.ts'
import { lookAt } from '../../packages/storage-sql/test/postgres-server/start-postgres.ts'
import { killTree, signalTree } from '../shared/process-tree.ts'
import type { Row } from '../target/rows.ts'
import { waitUntil } from '../target/target.ts'
import { firstWrite, prepareWrites } from './first-write.ts'
import { leadToPrimary } from './fronts.ts'
import { Place } from './place.ts'
import type { WorldScenario } from './scenarios.ts'
import { TOOLS } from './tools.ts'
import { type WorldContext, WorldRun } from './world-run.ts'

const PATIENCE = 60_000
/** Seconds; longer than the service has the server work at one statement, which ends the wait for the standby. */
const STALL = 13

/** How the machine of the primary is lost, and how the service finds the server that takes writes. */
interface Loss {
  readonly name: string
  readonly isStalled?: boolean
  readonly isBehindHaproxy?: boolean
}

const LOSSES: readonly Loss[] = [
  { name: 'the machine of the primary is lost' },
  { name: 'it is lost while the standby does not answer', isStalled: true },
  { name: 'it is lost behind an HAProxy that leads to the primary', isBehindHaproxy: true },
]

const takeOver = async (context: WorldContext, { name, isStalled, isBehindHaproxy }: Loss): Promise<readonly Row[]> => {
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
  const [mine, others] = [primary.url, follower.url].map((url) => new URL(url))
  const ports = [mine, others].map((url) => Number(url?.port))
  const front = isBehindHaproxy ? await freePort() : undefined
  if (front !== undefined) await leadToPrimary(place, front, ports)
  const hosts = front === undefined ? `${mine?.host},${others?.host}` : `127.0.0.1:${front}`
  let leading = primary
  const through = (url: string): string => url.replace(mine?.host ?? '', hosts)
  await using run = await WorldRun.make(context, { server: () => leading.url, through })
  await run.start()
  await run.under('commits wait for the standby', () => run.calm(context.seconds / 2))
  await run.under(name, async (tally) => {
    await sleep(1_000)
    if (isStalled) {
      signalTree(follower.pid, 'SIGSTOP')
      await sleep(STALL * 1_000)
    }
    killTree(primary.pid)
    signalTree(follower.pid, 'SIGCONT')
    // If it takes writes there, it is where the service has to go on.
    const address = front === undefined ? follower.url : through(primary.url)
    const writing = firstWrite(address, ports[0] ?? 0, AbortSignal.timeout(PATIENCE))
    await lookAt(follower.url, (client) => client.query('SELECT pg_promote(wait => false)'))
    const since = await writing
    leading = follower
    await run.again(tally, since)
    await run.calm(context.seconds / 2)
  })
  return await run.end()
}

export const failOver: WorldScenario = {
  name: 'fail-over',
  about: 'a synchronous standby takes over from a primary whose machine is lost, also behind an HAProxy',
  tools: [TOOLS.haproxy],
  run: async (context) => {
    const rows: Row[] = []
    for (const loss of LOSSES) rows.push(...(await takeOver(context, loss)))
    return rows
  },
}
