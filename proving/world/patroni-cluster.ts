import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../../packages/app/test/free-port.ts'
import { killTree } from '../../reliability/service/process-tree.ts'
import type { Daemon } from './daemon.ts'
import type { Place } from './place.ts'
import { postgresBinaries, programOf, TOOLS } from './tools.ts'

const NODES = 3
const PATIENCE = 90_000
/** Seconds: as short as Patroni and etcd take them, so that a run is not mostly waiting. */
const TIMES = { ttl: 8, loop_wait: 1, retry_timeout: 3, primary_start_timeout: 0, maximum_lag_on_failover: 1_048_576 }

const PARAMETERS = {
  max_connections: 100,
  shared_buffers: '64MB',
  wal_log_hints: 'on',
  wal_keep_size: '256MB',
  max_wal_senders: 10,
  // Beside the data, and gone with them, even where the server is killed.
  dynamic_shared_memory_type: 'mmap',
  unix_socket_directories: '',
}

/** A PostgreSQL server and the Patroni that looks after it. */
export interface PatroniNode {
  readonly name: string
  readonly port: number
  /** Where Patroni answers. */
  readonly api: number
}

interface Member {
  readonly name: string
  readonly role: string
  readonly state: string
  readonly lag?: number | string
}

interface Running extends PatroniNode {
  readonly folder: string
  daemon: Daemon
}

/** Three PostgreSQL servers under Patroni, with one synchronous standby at any time. */
export class PatroniCluster {
  readonly #place: Place
  readonly #nodes: readonly Running[]

  private constructor(place: Place, nodes: readonly Running[]) {
    this.#place = place
    this.#nodes = nodes
  }

  static async start(place: Place): Promise<PatroniCluster> {
    const etcd = await startEtcd(place)
    const nodes: Running[] = []
    for (let n = 1; n <= NODES; n++) {
      const node = { name: `node${n}`, port: await freePort(), api: await freePort(), folder: place.make(`node${n}`) }
      writeFileSync(path.join(node.folder, 'patroni.json'), JSON.stringify(settings(node, etcd)), { mode: 0o644 })
      nodes.push({ ...node, daemon: run(place, node) })
    }
    const cluster = new PatroniCluster(place, nodes)
    await cluster.healthy()
    return cluster
  }

  get nodes(): readonly PatroniNode[] {
    return this.#nodes
  }

  /** Of one node, as a superuser. */
  urlOf({ port }: PatroniNode, database = 'postgres'): string {
    return `postgres://postgres@127.0.0.1:${port}/${database}`
  }

  /** The same database on whichever node leads. */
  through(url: string): string {
    const { pathname } = new URL(url)
    return `postgres://postgres@${this.#nodes.map(({ port }) => `127.0.0.1:${port}`).join()}${pathname}`
  }

  /** Undefined while no server leads. */
  async leader(): Promise<PatroniNode | undefined> {
    const leads = (await this.#members()).find(({ role, state }) => role === 'leader' && state === 'running')
    return this.#nodes.find(({ name }) => name === leads?.name)
  }

  /**
   * Waits until one leads and both others follow, one of them synchronously.
   * @throws {Error} that took too long
   */
  async healthy(): Promise<PatroniNode> {
    let members: readonly Member[] = []
    for (const end = performance.now() + PATIENCE; performance.now() < end; await sleep(100)) {
      members = await this.#members()
      const follows = members.filter(({ role, state, lag }) => role !== 'leader' && isUp(state) && lag === 0)
      const leader = await this.leader()
      if (leader && follows.length === NODES - 1 && follows.some(({ role }) => role === 'sync_standby')) return leader
    }
    const logs = this.#nodes.map(({ name, daemon }) => `${name}: ${daemon.log.slice(-1_500)}`).join('\n')
    throw new Error(`Patroni's cluster did not become whole: ${JSON.stringify(members)}\n${logs}`)
  }

  /** The synchronous standby leads next. */
  async switchOver(leader: PatroniNode): Promise<void> {
    const body = JSON.stringify({ leader: leader.name })
    for (const end = performance.now() + PATIENCE; performance.now() < end; await sleep(200)) {
      const answer = await fetch(`http://127.0.0.1:${leader.api}/switchover`, { method: 'POST', body })
      await answer.text()
      // 412 and 503: not just now.
      if (answer.status < 300) return
    }
    throw new Error(`Patroni did not switch over.\n${this.#of(leader).daemon.log}`)
  }

  /** The server alone: Patroni sees at once that it is gone. */
  killServer(node: PatroniNode): void {
    const pid = Number(readFileSync(path.join(this.#of(node).folder, 'data/postmaster.pid'), 'utf8').split('\n')[0])
    killTree(pid)
  }

  /** The server and its Patroni, as a machine that is gone: the others find out when its lease ends. */
  async killNode(node: PatroniNode): Promise<void> {
    const { daemon } = this.#of(node)
    daemon.killAll()
    this.killServer(node)
    await daemon.ended()
  }

  /** Starts the Patronis that were killed again. */
  restart(): void {
    for (const node of this.#nodes) if (!node.daemon.isRunning) node.daemon = run(this.#place, node)
  }

  #of(node: PatroniNode): Running {
    const found = this.#nodes.find(({ name }) => name === node.name)
    if (found === undefined) throw new RangeError(`there is no ${node.name}`)
    return found
  }

  async #members(): Promise<readonly Member[]> {
    for (const { api, daemon } of this.#nodes) {
      if (!daemon.isRunning) continue
      try {
        const answer = await fetch(`http://127.0.0.1:${api}/cluster`, { signal: AbortSignal.timeout(2_000) })
        const { members } = (await answer.json()) as { members?: readonly Member[] }
        if (members) return members
      } catch {
        // Another one may know.
      }
    }
    return []
  }
}

const isUp = (state: string): boolean => state === 'running' || state === 'streaming'

const run = (place: Place, { folder }: { readonly folder: string }): Daemon =>
  place.run([programOf(TOOLS.patroni), path.join(folder, 'patroni.json')], folder)

/** An etcd of one member; its port. */
const startEtcd = async (place: Place): Promise<number> => {
  const [port, peers] = [await freePort(), await freePort()]
  const cwd = place.make('etcd')
  const [clientUrl, peerUrl] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${peers}`]
  const options = {
    name: 'one',
    'data-dir': `${cwd}/data`,
    'listen-client-urls': clientUrl,
    'advertise-client-urls': clientUrl,
    'listen-peer-urls': peerUrl,
    'initial-advertise-peer-urls': peerUrl,
    'initial-cluster': `one=${peerUrl}`,
    'log-level': 'warn',
  }
  const args = Object.entries(options).map(([name, value]) => `--${name}=${value}`)
  await place.run([programOf(TOOLS.etcd), ...args], cwd).until(async () => {
    const answer = await fetch(`${clientUrl}/health`).catch(() => undefined)
    return answer?.ok === true && (await answer.text()).includes('"true"')
  })
  return port
}

const settings = (node: PatroniNode & { readonly folder: string }, etcd: number) => ({
  scope: 'world',
  name: node.name,
  restapi: { listen: `127.0.0.1:${node.api}`, connect_address: `127.0.0.1:${node.api}` },
  etcd3: { host: `127.0.0.1:${etcd}` },
  bootstrap: {
    dcs: {
      ...TIMES,
      synchronous_mode: true,
      postgresql: { use_pg_rewind: true, use_slots: true, parameters: PARAMETERS },
    },
    initdb: [{ encoding: 'UTF8' }, { locale: 'C' }, { auth: 'trust' }],
  },
  postgresql: {
    listen: `127.0.0.1:${node.port}`,
    connect_address: `127.0.0.1:${node.port}`,
    data_dir: path.join(node.folder, 'data'),
    bin_dir: postgresBinaries(),
    pgpass: path.join(node.folder, 'pgpass'),
    authentication: {
      superuser: { username: 'postgres', password: 'world' },
      replication: { username: 'replicator', password: 'world' },
    },
    pg_hba: ['host all all 127.0.0.1/32 trust', 'host replication all 127.0.0.1/32 trust'],
    remove_data_directory_on_rewind_failure: true,
    remove_data_directory_on_diverged_timelines: true,
    basebackup: [{ checkpoint: 'fast' }],
  },
})
