import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../../../packages/app/test/free-port.ts'
import type { CheckReport } from '../../../proving/shared/report.ts'
import { firstWrite, prepareWrites } from '../first-write.ts'
import { leadToPrimary } from '../pieces/haproxy.ts'
import { PatroniCluster, type PatroniNode } from '../pieces/patroni.ts'
import { Place } from '../pieces/place.ts'
import { TOOLS } from '../pieces/tools.ts'
import { type Row, WorldRun } from '../world-run.ts'
import { replayOf, type WorldContext, type WorldScenario } from '../world-scenario.ts'

/** Milliseconds under load before the leader changes. */
const LOAD_FOR = [500, 1_500] as const
const PATIENCE = 60_000

interface Change {
  readonly name: string
  readonly happen: (cluster: PatroniCluster, leader: PatroniNode) => Promise<void>
}

const SWITCHOVER: Change = { name: 'switchover', happen: (cluster, leader) => cluster.switchOver(leader) }
const KILLS: readonly Change[] = [
  { name: 'kill -9 of the leader', happen: async (cluster, leader) => cluster.killServer(leader) },
  { name: 'kill -9 of the leader and its Patroni', happen: (cluster, leader) => cluster.killNode(leader) },
]

export const patroni: WorldScenario = {
  name: 'patroni',
  about: 'three PostgreSQL servers under Patroni with etcd, one of them a synchronous standby; the leader changes',
  tools: [TOOLS.patroni, TOOLS.etcd, TOOLS.postgres],
  run: async (context) => {
    using place = new Place()
    const cluster = await started(place, context)
    return [
      await changeLeaders(context, cluster, {
        name: 'patroni',
        through: (url) => cluster.through(url),
        addresses: cluster.nodes.map((node) => cluster.urlOf(node)),
      }),
    ]
  },
}

export const patroniBehindHaproxy: WorldScenario = {
  name: 'patroni-haproxy',
  about: 'the same, where the service knows only an HAProxy that leads to the primary',
  tools: [...patroni.tools, TOOLS.haproxy],
  run: async (context) => {
    using place = new Place()
    const cluster = await started(place, context)
    const port = await freePort()
    await leadToPrimary(place, port, cluster.nodes)
    const through = (url: string) => Object.assign(new URL(url), { port: `${port}` }).href
    const addresses = [`postgres://postgres@127.0.0.1:${port}/postgres`]
    return [await changeLeaders(context, cluster, { name: 'patroni-haproxy', through, addresses })]
  },
}

const started = (place: Place, { log }: WorldContext): Promise<PatroniCluster> => {
  log('patroni: starting etcd and three servers')
  return PatroniCluster.start(place)
}

/** How the service finds the primary. */
interface Way {
  readonly name: string
  readonly through: (url: string) => string
  /** Of the servers, as the service sees them: where they take writes is where it has to go on. */
  readonly addresses: readonly string[]
}

const changeLeaders = async (
  context: WorldContext,
  cluster: PatroniCluster,
  { name, through, addresses }: Way,
): Promise<CheckReport> => {
  const { switchovers, kills, log } = context
  let leader = await cluster.healthy()
  await prepareWrites(cluster.urlOf(leader))
  await using run = await WorldRun.create(context, {
    server: () => cluster.urlOf(leader),
    through,
  })
  const service = await run.start()
  const changes = run.random.shuffled([
    ...Array.from({ length: switchovers }, () => SWITCHOVER),
    ...Array.from({ length: kills }, (_, n) => KILLS[n % KILLS.length] ?? SWITCHOVER),
  ])
  for (const [done, change] of changes.entries()) {
    if (run.hasEnough || !service.isRunning) break
    await run.under(change.name, async (row) => {
      await sleep(run.random.between(...LOAD_FOR))
      await changeLeader({ run, row, change, cluster, leader, addresses })
      cluster.restart()
      leader = await cluster.healthy()
    })
    log(
      `patroni: ${done + 1} of ${changes.length}, ${change.name}: ${leader.name} leads, ${run.findings.length} findings`,
    )
  }
  await run.end(service)
  return {
    name: `${name}: the leader changes`,
    store: 'postgres',
    replay: replayOf(name, context, `--switchovers ${switchovers} --kills ${kills}`),
    findings: run.findings,
    rows: run.rows,
  }
}

interface LeaderChange {
  readonly run: WorldRun
  readonly row: Row
  readonly change: Change
  readonly cluster: PatroniCluster
  readonly leader: PatroniNode
  readonly addresses: readonly string[]
}

const changeLeader = async ({ run, row, change, cluster, leader, addresses }: LeaderChange): Promise<void> => {
  const began = performance.now()
  const writing = firstWrite(addresses, leader.port, AbortSignal.timeout(PATIENCE))
  await Promise.all([change.happen(cluster, leader), writing.then((since) => run.again(row, began, since))])
}
