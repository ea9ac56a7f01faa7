import { rm } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { PgBouncer } from '../../packages/storage-sql/test/postgres-server/pgbouncer.ts'
import { startStandby } from '../../packages/storage-sql/test/postgres-server/standby.ts'
import {
  lookAt,
  type PostgresServer,
  startPostgres,
} from '../../packages/storage-sql/test/postgres-server/start-postgres.ts'
import { killTree, signalTree } from '../shared/process-tree.ts'

/** What stands between the service and its data. */
export interface Setting extends AsyncDisposable {
  /** Of the server that takes writes now. */
  url(): string
  /** The same database, as the service reaches it. */
  through(url: string): string
  readonly troubles: readonly Trouble[]
}

/** An outage; when it resolves, writes are taken again. */
export interface Trouble {
  readonly name: string
  readonly happen: (database: string) => Promise<void>
}

type Settings = Readonly<Record<string, string>>

/** A PgBouncer that pools sessions, in front of a server: one of the two goes away. */
export const behindPooler = async (postgres: Settings = {}, pgbouncer: Settings = {}): Promise<Setting> => {
  const server = await startPostgres(postgres)
  const bouncer = await PgBouncer.start(server.url, { settings: pgbouncer })
  return {
    url: () => server.url,
    through: (url) => bouncer.through(url),
    troubles: poolerTroubles(bouncer, server),
    [Symbol.asyncDispose]: async () => {
      await bouncer[Symbol.asyncDispose]()
      await server.stop()
    },
  }
}

/** What a pooler and the server behind it may do; the database takes writes afterwards. */
export const poolerTroubles = (bouncer: PgBouncer, server: PostgresServer): readonly Trouble[] => [
  {
    name: 'the pooler is killed',
    happen: async () => {
      await bouncer.kill()
      await bouncer.start()
    },
  },
  {
    name: 'the pooler is shut down at once',
    happen: async () => {
      await bouncer.shutDown()
      await bouncer.start()
    },
  },
  {
    name: 'the pooler cuts off every client',
    happen: async (database) => {
      await bouncer.command(`KILL ${database}`)
      await bouncer.command(`RESUME ${database}`)
    },
  },
  { name: 'the pooler reconnects', happen: () => bouncer.command('RECONNECT') },
  {
    name: 'the server is shut down at once',
    happen: async () => {
      await server.crash()
      await server.start()
    },
  },
]

/** A leader and a standby that each commit waits for; the leader goes away, once, and the standby takes over. */
export const leaderAndStandby = async (settings: Settings = {}): Promise<Setting> => {
  const leader = await startPostgres(settings)
  const standby = await startStandby(leader, settings)
  await waitForStandby(leader)
  let leading = leader
  const changeOver = async (end: (former: PostgresServer) => Promise<void>): Promise<void> => {
    await end(leader)
    await lookAt(standby.url, (client) => client.query('SELECT pg_promote(wait => true)'))
    leading = standby
  }
  return {
    url: () => leading.url,
    through: (url) => url.replace(hostOf(leader), `${hostOf(leader)},${hostOf(standby)}`),
    troubles: [
      { name: 'switchover', happen: () => changeOver(switchedOff) },
      { name: 'kill -9 of the leader', happen: () => changeOver(async ({ pid }) => killTree(pid)) },
      {
        name: 'the leader says nothing any more',
        happen: () => changeOver(async ({ pid }) => signalTree(pid, 'SIGSTOP')),
      },
    ],
    [Symbol.asyncDispose]: async () => {
      signalTree(leader.pid, 'SIGCONT')
      killTree(leader.pid)
      await standby.stop()
      await rm(leader.folder, { recursive: true, force: true })
    },
  }
}

/** It ends its sessions, and hands over all that it has. */
const switchedOff = async ({ pid }: PostgresServer): Promise<void> => {
  process.kill(pid, 'SIGINT')
  while (isRunning(pid)) await sleep(10)
}

const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

const waitForStandby = (leader: PostgresServer): Promise<void> =>
  lookAt(leader.url, async (client) => {
    await client.query("ALTER SYSTEM SET synchronous_standby_names = '*'")
    await client.query('SELECT pg_reload_conf()')
    const isFollowed = async () =>
      (await client.query("SELECT 1 FROM pg_stat_replication WHERE sync_state = 'sync'")).rows.length > 0
    while (!(await isFollowed())) await sleep(50)
  })

const hostOf = ({ url }: PostgresServer): string => new URL(url).host
