import { writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Place } from './place.ts'
import { programOf, TOOLS } from './tools.ts'

const DEFAULTS = `defaults
  timeout connect 2s
  timeout client 60s
  timeout server 60s
  timeout check 2s
  default-server inter 100ms fall 2 rise 1
`

interface Front {
  /** Where it listens. */
  readonly port: number
  /** The ports of what is behind. */
  readonly behind: readonly number[]
}

/** Balances requests between instances, as long as their `/readyz` says 200. */
export const balanceRequests = async (place: Place, { port, behind }: Front): Promise<void> =>
  await start(place, 'haproxy', port, [
    'listen rollcall',
    '  mode http',
    `  bind 127.0.0.1:${port}`,
    '  option forwardfor',
    '  option httpchk GET /readyz',
    '  http-check expect status 200',
    '  balance roundrobin',
    ...behind.map((one, n) => `  server instance${n + 1} 127.0.0.1:${one} check`),
  ])

/** Leads to the one PostgreSQL server of which its Patroni says that it is the primary. */
export const leadToPrimary = async (
  place: Place,
  port: number,
  nodes: readonly { readonly name: string; readonly port: number; readonly api: number }[],
): Promise<void> =>
  await start(place, 'haproxy-postgres', port, [
    'listen postgres',
    '  mode tcp',
    `  bind 127.0.0.1:${port}`,
    '  option httpchk OPTIONS /primary',
    '  http-check expect status 200',
    '  default-server on-marked-down shutdown-sessions',
    ...nodes.map((node) => `  server ${node.name} 127.0.0.1:${node.port} check port ${node.api}`),
  ])

const start = async (place: Place, name: string, port: number, lines: readonly string[]): Promise<void> => {
  const cwd = place.make(name)
  const file = path.join(cwd, 'haproxy.cfg')
  writeFileSync(file, `global\n  maxconn 4000\n  nbthread 1\n${DEFAULTS}${lines.join('\n')}\n`, { mode: 0o644 })
  const daemon = place.run({ name: 'HAProxy', command: [programOf(TOOLS.haproxy), '-db', '-f', file], cwd })
  await daemon.listens(port)
}
