import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../../packages/app/test/free-port.ts'
import { startStandby } from '../../packages/storage-sql/test/postgres-server/standby.ts'
import { startPostgres } from '../../packages/storage-sql/test/postgres-server/start-postgres.ts'
import { killTree, signalTree } from '../../reliability/service/process-tree.ts'
import type { Row } from '../target/rows.ts'
import { onServer, waitUntil } from '../target/target.ts'
import { firstWrite, prepareWrites } from './first-write.ts'
import { leadToPrimary } from './fronts.ts'
import { PatroniCluster, type PatroniNode } from './patroni-cluster.ts'
import { Place } from './place.ts'
import type { WorldScenario } from './scenarios.ts'
import { TOOLS } from './tools.ts'
import { type WorldContext, WorldRun } from './world-run.ts'

const PATIENCE = 60_000

type Change = readonly [name: string, happen: (cluster: PatroniCluster, leader: PatroniNode) => Promise<void> | void]

const SWITCHOVER: Change = ['switchover', (cluster, leader) => cluster.switchOver(leader)]
const KILLS: readonly Change[] = [
  ['kill -9 of the leader', (cluster, leader) => cluster.killServer(leader)],
  ['kill -9 of the leader and its Patroni', (cluster, leader) => cluster.killNode(leader)],
]

/** How the service finds the primary: its URL, and addresses of the servers as it sees them. */
interface Way {
  readonly through: (url: string) => string
  readonly addresses: readonly string[]
}

const changeLeaders = async (context: WorldContext, cluster: PatroniCluster, { through, addresses }: Way) => {
  let leader = await cluster.healthy()
  await prepareWrites(cluster.urlOf(leader))
  await using run = await WorldRun.make(context, { server: () => cluster.urlOf(leader), through })
  await run.start()
  const changes = [
    ...Array.from({ length: context.switchovers }, () => SWITCHOVER),
    ...Array.from({ length: context.kills }, (_, n) => KILLS[n % KILLS.length] ?? SWITCHOVER),
  ]
  for (const [name, happen] of changes)
    await run.under(name, async (tally) => {
      await sleep(500 + Math.random() * 1_000)
      // If it takes writes there, it is where the service has to go on.
      const writing = firstWrite(addresses, leader.port, AbortSignal.timeout(PATIENCE))
      await Promise.all([happen(cluster, leader), writing.then((since) => run.again(tally, since))])
      cluster.restart()
      leader = await cluster.healthy()
    })
  return await run.end()
}

export const patroni: WorldScenario = {
  name: 'patroni',
  about: 'three PostgreSQL servers under Patroni with etcd, one of them a synchronous standby; the leader changes',
  tools: [TOOLS.patroni, TOOLS.etcd, TOOLS.postgres],
  run: async (context): Promise<readonly Row[]> => {
    using place = new Place()
    const cluster = await PatroniCluster.start(place)
    const addresses = cluster.nodes.map((node) => cluster.urlOf(node))
    return await changeLeaders(context, cluster, { through: (url) => cluster.through(url), addresses })
  },
}

export const patroniBehindHaproxy: WorldScenario = {
  name: 'patroni-haproxy',
  about: 'the same, if the service knows only an HAProxy that leads to the primary',
  tools: [...patroni.tools, TOOLS.haproxy],
  run: async (context): Promise<readonly Row[]> => {
    using place = new Place()
    const cluster = await PatroniCluster.start(place)
    const port = await freePort()
    await leadToPrimary(place, port, cluster.nodes)
    const through = (url: string) => Object.assign(new URL(url), { port: `${port}` }).href
    const addresses = [`postgres://postgres@127.0.0.1:${port}/postgres`]
    return await changeLeaders(context, cluster, { through, addresses })
  },
}

/** Seconds; longer than the service has the server work at one statement, which ends the wait for the standby. */
const STALL = 13

const loseMachine = async (context: WorldContext, name: string, isStalled: boolean): Promise<readonly Row[]> => {
  using place = new Place()
  const primary = await startPostgres({}, place.folder)
  await prepareWrites(primary.url)
  const follower = await startStandby(primary)
  await onServer(primary.url, async (client) => {
    await client.query("ALTER SYSTEM SET synchronous_standby_names = '*'")
    await client.query('SELECT pg_reload_conf()')
    const follows = "SELECT 1 FROM pg_stat_replication WHERE sync_state = 'sync'"
    await waitUntil(async () => (await client.query(follows)).rows.length > 0, 'the standby')
  })
  const [mine, others] = [new URL(primary.url).host, new URL(follower.url).host]
  let leading = primary
  const through = (url: string): string => url.replace(mine, `${mine},${others}`)
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
    const writing = firstWrite([follower.url], Number(new URL(primary.url).port), AbortSignal.timeout(PATIENCE))
    await onServer(follower.url, (client) => client.query('SELECT pg_promote(wait => false)'))
    const since = await writing
    leading = follower
    await run.again(tally, since)
    await run.calm(context.seconds / 2)
  })
  return await run.end()
}

export const standby: WorldScenario = {
  name: 'standby',
  about: 'a synchronous standby takes over from a primary whose machine is lost',
  tools: [],
  run: async (context) => [
    ...(await loseMachine(context, "the primary's machine is lost", false)),
    ...(await loseMachine(context, 'it is lost while the standby does not answer', true)),
  ],
}
