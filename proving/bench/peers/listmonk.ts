import { mkdtemp, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Peer } from '../cases/bench-case.ts'
import type { DatabaseServer } from '../database-server.ts'
import { distinct, type Traffic } from '../load.ts'
import { openReceiver } from '../receivers.ts'
import { Server } from '../server.ts'
import { CONNECTIONS, type Setting } from '../setting.ts'
import { underLoad } from '../under-load.ts'
import { freePort, runPeer, turnsOnCopies } from './run-peer.ts'

const DATABASE = 'listmonk'

const configured = (server: DatabaseServer, database: string, port: number): string => {
  const { hostname, port: databasePort } = new URL(server.urlOf(database))
  return `[app]
address = "127.0.0.1:${port}"
[db]
host = "${hostname}"
port = ${databasePort}
user = "postgres"
password = "-"
database = "${database}"
ssl_mode = "disable"
max_open = 25
max_idle = 25
`
}

/** Its public sign-up with double opt-in, as it is installed. It sends the mail in the request, over ten connections. */
export const listmonk: Peer = {
  name: 'listmonk',
  figure: 'mailed/s',
  atLeast: { sqlite: 2.3, postgres: 1.7 },
  prepare: async (setting: Setting) => {
    const server = await setting.database()
    const folder = await mkdtemp(path.join(setting.scratch, 'listmonk-'))
    const config = path.join(folder, 'config.toml')
    const env = { PATH: process.env.PATH, LISTMONK_ADMIN_USER: 'bench', LISTMONK_ADMIN_PASSWORD: 'bench-bench' }
    await server.create(DATABASE)
    await writeFile(config, configured(server, DATABASE, 0))
    await runPeer('listmonk', ['--config', config, '--install', '--yes'], { cwd: folder, env })
    return turnsOnCopies(server, DATABASE, async (database) => {
      await using relay = await openReceiver({ kind: 'relay', readsLinks: false })
      const [host, smtpPort] = relay.address.split(':')
      const smtp = {
        ...{ enabled: true, host, port: Number(smtpPort), auth_protocol: 'none', tls_type: 'none', max_conns: 10 },
        ...{ idle_timeout: '15s', wait_timeout: '5s', max_msg_retries: 2, email_headers: [] },
      }
      await server.run("UPDATE settings SET value = $1 WHERE key = 'smtp'", database, JSON.stringify([smtp]))
      const port = await freePort()
      await writeFile(config, configured(server, database, port))
      await using running = await Server.start({
        ...{ command: ['listmonk', '--config', config], env: { ...env, ...setting.environment }, cwd: folder },
        ...{ core: 'server', port, readiness: '/health' },
      })
      // The only public list that it installs wants a confirmation.
      const lists = (await (await fetch(`${running.url}/api/public/lists`)).json()) as { uuid: string }[]
      const traffic: Traffic = {
        ...{ method: 'POST', headers: { 'Content-Type': 'application/json' }, path: () => '/api/public/subscription' },
        body: (email) => JSON.stringify({ email, name: 'Brian Smith', list_uuids: [lists[0]?.uuid] }),
        ...{ status: 200, names: (number) => `brian.smith.${distinct(number)}@example.com` },
      }
      const load = { servers: [running], traffic, connections: CONNECTIONS, relay, database: server } as const
      return (await underLoad(setting, load)).figures
    })
  },
}
