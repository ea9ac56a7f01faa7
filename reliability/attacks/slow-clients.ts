import { readFileSync } from 'node:fs'
import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Attack, Figure } from './attack.ts'
import { askOnce, livenessOf, openedMany, request } from './raw.ts'
import { Target } from './target.ts'

/** Connections of each kind. */
const CONNECTIONS = 100
const DRIP_EVERY = 1_000
const TRIES = 3
const MOST_MILLISECONDS = 100
/** Those that read nothing have four answers in hand, of 70 KB. */
const MOST_MEGABYTES = 100
/** Seconds by which a connection may outlive its timeout: connections are looked at every second. */
const MARGIN = 3

const FORM = 'Content-Type: application/x-www-form-urlencoded'

interface SlowClient {
  readonly name: string
  /** Seconds after which its connection is to be closed. */
  readonly timeout: number
  /** Sent at once. */
  readonly first: Buffer | string
  /** Sent every second after that. */
  readonly drip?: string
  readonly reads?: boolean
}

const HEAD = 'POST /subscribe HTTP/1.1\r\nHost: x\r\n'
const CHUNKED = `${HEAD}${FORM}\r\nTransfer-Encoding: chunked\r\n\r\n`

const SLOW_CLIENTS: readonly SlowClient[] = [
  { name: 'that send nothing', timeout: 15, first: '' },
  { name: 'that send their header byte by byte', timeout: 15, first: `${HEAD}X: `, drip: 'x' },
  { name: 'that send a field a second', timeout: 15, first: HEAD, drip: 'X: x\r\n' },
  {
    name: 'that send their body byte by byte',
    timeout: 30,
    first: `${HEAD}${FORM}\r\nContent-Length: 999\r\n\r\n`,
    drip: 'a',
  },
  { name: 'that send their body in chunks of a byte', timeout: 30, first: CHUNKED, drip: '1\r\na\r\n' },
  { name: 'that send no more after a request', timeout: 65, first: request('GET /livez'), reads: true },
  {
    name: 'that read no answer',
    // Node counts 75 seconds twice where some of an answer was taken.
    timeout: 150,
    first: request('GET /openapi.json').toString().repeat(400),
    reads: false,
  },
]

/** The clients whose connections the service still has, by their ports, as the kernel lists them. */
const portsHeldBy = (port: number): ReadonlySet<number> => {
  const rows = readFileSync('/proc/net/tcp', 'utf8')
    .trim()
    .split('\n')
    .slice(1)
    .map((row) => row.trim().split(/\s+/))
  const portIn = (address = ''): number => Number.parseInt(address.split(':')[1] ?? '', 16)
  // Without an inode it is the kernel's alone: the process has closed it.
  return new Set(rows.filter((row) => portIn(row[1]) === port && row[9] !== '0').map((row) => portIn(row[2])))
}

interface Kind extends SlowClient {
  readonly sockets: readonly Socket[]
  /** By connection. */
  readonly ports: readonly number[]
  /** Seconds until the service had closed the last of them. */
  lasted: number
}

const begin = async (port: number, kind: SlowClient): Promise<Kind> => {
  const sockets = await openedMany(port, CONNECTIONS)
  const ports = sockets.map(({ localPort = 0 }) => localPort)
  for (const socket of sockets) {
    if (kind.reads === false) socket.pause()
    else socket.resume()
    if (kind.first.length > 0) socket.write(kind.first)
  }
  return { ...kind, sockets, ports, lasted: Number.POSITIVE_INFINITY }
}

/** Of a few in a row: other load of the machine only makes waits longer, and no slow client is ever done. */
const shortestWait = async (url: string): Promise<number> => {
  const waits: number[] = []
  for (let n = 0; n < TRIES; n++) waits.push(await livenessOf(url))
  return Math.min(...waits)
}

/** Goes on until the service has closed all connections, or is late. */
const attack = async (target: Target, kinds: readonly Kind[]) => {
  const latest = Math.max(...kinds.map(({ timeout }) => timeout)) + 2 * MARGIN
  const began = performance.now()
  let waited = 0
  let refused = 0
  for (let seconds = 0, n = 0; seconds < latest && kinds.some(({ lasted }) => lasted > seconds); n++) {
    for (const { sockets, drip } of kinds)
      for (const socket of sockets) if (drip !== undefined && socket.writable) socket.write(drip)
    waited = Math.max(waited, await shortestWait(target.url))
    const status = await askOnce(target.port, 'POST /subscribe', [FORM], `email=fresh-${n}%40example.com`)
    if (status !== 200) refused++
    await sleep(DRIP_EVERY)
    seconds = (performance.now() - began) / 1_000
    const held = portsHeldBy(target.port)
    for (const kind of kinds)
      if (kind.lasted > seconds && !kind.ports.some((port) => held.has(port))) kind.lasted = seconds
  }
  return { waited, refused }
}

/** Clients that take their time, so that the connections of others run out. */
export const slowClients: Attack = {
  name: 'slow-clients',
  stores: ['sqlite'],
  run: async (context) => {
    await using target = await Target.open(context)
    for (let n = 0; n < CONNECTIONS; n++) await livenessOf(target.url)
    const kinds: Kind[] = []
    const { result, megabytes } = await target.growthDuring(async () => {
      for (const kind of SLOW_CLIENTS) kinds.push(await begin(target.port, kind))
      return await attack(target, kinds)
    })
    for (const { sockets } of kinds) for (const socket of sockets) socket.destroy()
    const all = `${CONNECTIONS * kinds.length} slow clients`
    return [
      {
        name: `longest /livez of a fresh client beside ${all}`,
        figure: result.waited,
        bound: MOST_MILLISECONDS,
        unit: 'ms',
      },
      { name: 'sign-ups of fresh clients that fail', figure: result.refused, bound: 0, unit: '' },
      { name: `memory, ${all}`, figure: megabytes, bound: MOST_MEGABYTES, unit: 'MB' },
      ...kinds.map(
        ({ name, timeout, lasted }): Figure => ({
          ...{ name: `connections of clients ${name} last`, figure: lasted, bound: timeout + MARGIN, unit: 's' },
        }),
      ),
    ]
  },
}
