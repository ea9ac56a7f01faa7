import { mkdtemp, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Peer } from '../cases/bench-case.ts'
import { distinct, type Traffic } from '../load.ts'
import { Server } from '../server.ts'
import { CONNECTIONS, type Setting } from '../setting.ts'
import { underLoad } from '../under-load.ts'
import { freePort, runPeer, turnsOnCopies } from './run-peer.ts'

const DATABASE = 'kratos'
/** For each second of load. */
const STOCK = 3_000
const BATCH = 200

const SCHEMA = {
  ...{ $id: 'default', $schema: 'http://json-schema.org/draft-07/schema#', type: 'object' },
  properties: {
    traits: {
      type: 'object',
      properties: {
        email: {
          type: 'string',
          format: 'email',
          'ory.sh/kratos': { credentials: { password: { identifier: true } } },
        },
      },
    },
  },
}

const configured = (dsn: string, admin: number, open: number): string =>
  JSON.stringify({
    dsn: `${dsn}?sslmode=disable&max_conns=20`,
    serve: { admin: { host: '127.0.0.1', port: admin }, public: { host: '127.0.0.1', port: open } },
    selfservice: { default_browser_return_url: 'http://127.0.0.1/' },
    identity: {
      default_schema_id: 'default',
      schemas: [{ id: 'default', url: `base64://${Buffer.from(JSON.stringify(SCHEMA)).toString('base64')}` }],
    },
    courier: { smtp: { connection_uri: 'smtp://127.0.0.1:1/' } },
    log: { level: 'error' },
  })

/** Identities, many at a time. */
const seed = async (url: string, count: number): Promise<string[]> => {
  const ids: string[] = []
  for (let first = 0; first < count; first += BATCH) {
    const identities = Array.from({ length: BATCH }, (_, place) => ({
      create: { schema_id: 'default', traits: { email: `user.${distinct(first + place)}@example.com` } },
    }))
    const options = { method: 'PATCH', headers: { 'Content-Type': 'application/json' } }
    const answer = await fetch(`${url}/admin/identities`, { ...options, body: JSON.stringify({ identities }) })
    if (!answer.ok) throw new Error(`Kratos answered ${answer.status}: ${await answer.text()}`)
    const made = (await answer.json()) as { identities: { identity: string }[] }
    ids.push(...made.identities.map(({ identity }) => identity))
  }
  return ids
}

/** Deletion by its admin API, which writes no audit record, leaves no tombstone and looks at no token. */
export const kratos: Peer = {
  name: 'kratos',
  figure: 'answers/s',
  atLeast: { sqlite: 2.8, postgres: 2.2 },
  prepare: async (setting: Setting) => {
    const server = await setting.database()
    const folder = await mkdtemp(path.join(setting.scratch, 'kratos-'))
    const config = path.join(folder, 'kratos.yml')
    const env = { PATH: process.env.PATH, HOME: folder, SQA_OPT_OUT: 'true' }
    const [admin, open] = [await freePort(), await freePort()]
    const url = `http://127.0.0.1:${admin}`
    const start = async (database: string) => {
      await writeFile(config, configured(server.urlOf(database), admin, open))
      return await Server.start({
        ...{ command: ['kratos', 'serve', '--config', config], env: { ...env, ...setting.environment }, cwd: folder },
        ...{ core: 'server', port: admin, readiness: '/admin/health/ready' },
      })
    }
    await server.create(DATABASE)
    await writeFile(config, configured(server.urlOf(DATABASE), admin, open))
    await runPeer('kratos', ['migrate', 'sql', '-e', '--yes', '--config', config], { cwd: folder, env })
    const filling = await start(DATABASE)
    const names = await seed(url, STOCK * (setting.seconds + setting.warmup))
    await filling.stop('SIGTERM')
    const traffic: Traffic = {
      ...{ method: 'DELETE', headers: {}, path: (id) => `/admin/identities/${id}`, status: 204, names },
    }
    return turnsOnCopies(server, DATABASE, async (database) => {
      await using running = await start(database)
      const load = { servers: [running], traffic, connections: CONNECTIONS, database: server } as const
      return (await underLoad(setting, load)).figures
    })
  },
}
