import { readFileSync } from 'node:fs'
import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Row } from '../shared/report.ts'
import { allListeners, Target } from '../shared/target.ts'
import { ask, livenessOf, openedMany, request } from '../shared/wire.ts'
import type { Attack } from './attacks.ts'

/** Connections of each kind, to each listener. */
const CONNECTIONS = 100
const EVERY = 1_000
const TRIES = 3
const MOST_MILLISECONDS = 300
/** For each listener: those that read nothing have four answers in hand, of 70 KB. */
const MOST_GROWTH = 100
/**
 * Seconds by which a connection may outlive its timeout: the service looks every second, and leaves its client two more to
 * close its side, too, which these do not; and the look here comes a second later.
 */
const MARGIN = 5
/** Seconds until a busy service has accepted a connection: before that, it looks as if it was closed. */
const ACCEPTED = 3
/** Node counts 75 seconds twice if some of an answer was taken. */
const UNREAD = 150
/** What the kernel takes of answers that are not read is full by then, or the client has been told to close. */
const FILLING = 30
/** An answer that closes its connection leaves its client this long to close it, too. */
const LINGERING = 2

/** Where slow clients come, and what ends their connections there. */
interface Listener {
  readonly name: keyof Target['ports']
  /** Seconds for the header fields, for all of a request, and between two requests. */
  readonly head: number
  readonly body: number
  readonly idle: number
  /** A request whose body is waited for, and one whose answer is to be read. */
  readonly form: string
  readonly page: string
}

const LISTENERS: readonly Listener[] = [
  { name: 'public', head: 15, body: 30, idle: 65, form: 'POST /subscribe', page: 'GET /openapi.json' },
  { name: 'console', head: 10, body: 60, idle: 5, form: 'POST /login', page: 'GET /login' },
  { name: 'metrics', head: 5, body: 5, idle: 30, form: 'GET /metrics', page: 'GET /metrics' },
]

interface SlowClient {
  /** What they do. */
  readonly name: string
  /** Seconds after which their connections are to be closed. */
  readonly timeout: number
  /** Sent at once. */
  readonly first: Buffer | string
  /** Sent every second after that. */
  readonly drip?: string
  /** Whether they read no answer. */
  readonly deaf?: boolean
  /** Whether they end their side after `first`. */
  readonly ends?: boolean
}

const slowClientsOf = ({ name, head, body, idle, form, page }: Listener, port: number): readonly SlowClient[] => {
  const host = `Host: localhost:${port}`
  const begun = `${form} HTTP/1.1\r\n${host}\r\n`
  const fields = `${begun}Content-Type: application/x-www-form-urlencoded\r\nSec-Fetch-Site: same-origin\r\n`
  const long = `${fields}Content-Length: 999\r\n\r\n`
  const one = request(page, [host]).toString()
  const closing = request(page, [host, 'Connection: close'])
  const upgrade = request(page, [host, 'Connection: Upgrade', 'Upgrade: h2c'])
  const asking = { name: 'read no answer and go on asking', timeout: UNREAD + FILLING, first: one, drip: one.repeat(4) }
  return [
    // The system takes small answers for hours.
    ...(name === 'public' ? [{ ...asking, deaf: true }] : []),
    { name: 'send nothing', timeout: head, first: '' },
    { name: 'send empty lines', timeout: head, first: '', drip: '\r\n' },
    { name: 'send a header byte by byte', timeout: head, first: `${begun}X: `, drip: 'x' },
    { name: 'send a field a second', timeout: head, first: begun, drip: 'X: x\r\n' },
    { name: 'send a body byte by byte', timeout: body, first: long, drip: 'a' },
    {
      name: 'send short chunks',
      timeout: body,
      first: `${fields}Transfer-Encoding: chunked\r\n\r\n`,
      drip: '1\r\na\r\n',
    },
    { name: 'stop within a body', timeout: body, first: `${long}a` },
    { name: 'wait for 100', timeout: body, first: `${fields}Expect: 100-continue\r\nContent-Length: 999\r\n\r\n` },
    { name: 'stop after a request', timeout: idle, first: one },
    { name: 'send empty lines after a request', timeout: idle + head, first: one, drip: '\r\n' },
    { name: 'do not close as the service does', timeout: LINGERING, first: closing },
    { name: 'ask for a tunnel', timeout: LINGERING, first: request('CONNECT x:80', [host]), drip: 'x' },
    { name: 'ask for another protocol', timeout: LINGERING, first: upgrade, drip: 'x' },
    { name: 'send what is no request', timeout: LINGERING, first: 'x\r\n\r\n', drip: 'x' },
    { name: 'end within a header', timeout: LINGERING, first: begun, ends: true },
    { name: 'end within a body', timeout: LINGERING, first: long, ends: true },
    { name: 'end after a request', timeout: idle, first: one, ends: true },
    { name: 'read no answer', timeout: UNREAD, first: one.repeat(400), deaf: true },
    { name: 'end, and read no answer', timeout: UNREAD, first: one.repeat(8), deaf: true, ends: true },
  ]
}

interface Kind extends SlowClient {
  readonly listener: Listener
  readonly sockets: readonly Socket[]
  /** Of these, by which the kernel knows them. */
  readonly ports: readonly number[]
  readonly began: number
  /** Seconds until the service had closed the last of them. */
  lasted: number
}

const begin = async (listener: Listener, port: number, client: SlowClient): Promise<Kind> => {
  // They never end their side because the service does.
  const sockets = await openedMany(port, CONNECTIONS, { allowHalfOpen: true })
  const ports = sockets.map(({ localPort = 0 }) => localPort)
  for (const socket of sockets) {
    if (client.deaf) socket.pause()
    else socket.resume()
    if (client.first.length > 0) socket.write(client.first)
    if (client.ends) socket.end()
  }
  return { ...client, listener, sockets, ports, began: performance.now(), lasted: Number.POSITIVE_INFINITY }
}

/** The clients whose connections the process on this port still has, by their ports, as the kernel lists them. */
const portsHeldBy = (port: number): ReadonlySet<number> => {
  const rows = readFileSync('/proc/net/tcp', 'utf8').trim().split('\n').slice(1)
  const portIn = (address = ''): number => Number.parseInt(address.split(':')[1] ?? '', 16)
  // Without an inode it is the kernel's alone: the process has closed it.
  const held = rows.map((row) => row.trim().split(/\s+/)).filter((row) => portIn(row[1]) === port && row[9] !== '0')
  return new Set(held.map((row) => portIn(row[2])))
}

const isOpen = ({ lasted }: Kind): boolean => lasted === Number.POSITIVE_INFINITY

/** Notes which connections the service has closed, and sends what comes every second. */
const look = ({ ports }: Target, kinds: readonly Kind[]): void => {
  for (const { name } of LISTENERS) {
    const held = portsHeldBy(ports[name])
    for (const kind of kinds) {
      const seconds = (performance.now() - kind.began) / 1_000
      const isOurs = kind.listener.name === name && isOpen(kind) && seconds > ACCEPTED
      if (isOurs && !kind.ports.some((mine) => held.has(mine))) kind.lasted = seconds
    }
  }
  for (const { drip = '', sockets } of kinds)
    for (const socket of sockets) if (drip !== '' && socket.writable) socket.write(drip)
}

/** Of a few in a row: other load of the machine only makes waits longer, and no slow client is ever done. */
const shortestWait = async (port: number): Promise<number> => {
  const waits: number[] = []
  for (let n = 0; n < TRIES; n++) waits.push(await livenessOf(port).catch(() => Number.POSITIVE_INFINITY))
  return Math.min(...waits)
}

/** Goes on until the service has closed all connections, or is late. */
const fresh = async (target: Target, kinds: readonly Kind[]) => {
  const latest = performance.now() + (Math.max(...kinds.map(({ timeout }) => timeout)) + 2 * MARGIN) * 1_000
  let [waited, refused] = [0, 0]
  for (let n = 0; performance.now() < latest && kinds.some(isOpen); n++) {
    waited = Math.max(waited, await shortestWait(target.port))
    const answer = await target.signUp(`fresh-${n}@example.com`).catch(() => undefined)
    if (answer?.status !== 200) refused++
    await sleep(EVERY)
  }
  return { waited, refused }
}

/** Clients that take their time, so that the connections of others run out. */
export const slowClients: Attack = {
  name: 'slow-clients',
  about: 'clients that take their time, so that the connections of others run out',
  stores: ['sqlite'],
  run: async (context) => {
    await using target = await Target.open(context, await allListeners())
    for (let n = 0; n < CONNECTIONS; n++) await livenessOf(target.port)
    for (const { name, page } of LISTENERS) {
      const { status } = await ask(target.ports[name], page, { headers: { Host: `localhost:${target.ports[name]}` } })
      if (status !== 200) throw new Error(`${page} was answered ${status}`)
    }
    const kinds: Kind[] = []
    const looking = setInterval(() => look(target, kinds), EVERY)
    const { result, megabytes } = await target.growthDuring(async () => {
      for (const listener of LISTENERS) {
        const port = target.ports[listener.name]
        for (const client of slowClientsOf(listener, port)) kinds.push(await begin(listener, port, client))
      }
      return await fresh(target, kinds)
    })
    clearInterval(looking)
    for (const socket of kinds.flatMap(({ sockets }) => sockets)) socket.destroy()
    const all = `${CONNECTIONS * kinds.length} slow clients`
    const { waited, refused } = result
    return [
      { figure: `longest /livez of a fresh client beside ${all}`, found: waited, bound: MOST_MILLISECONDS, unit: 'ms' },
      { figure: 'sign-ups of fresh clients that fail', found: refused, bound: 0 },
      { figure: `memory, ${all}`, found: megabytes, bound: LISTENERS.length * MOST_GROWTH, unit: 'MB' },
      ...kinds.map(({ listener, name, timeout, lasted }): Row => {
        const figure = `${listener.name}: connections of clients that ${name} last`
        return { figure, found: lasted, bound: timeout + MARGIN, unit: 's' }
      }),
    ]
  },
}
