import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Attack, Figure } from './attack.ts'
import { askOnce, livenessOf, openedMany, requireStatus } from './raw.ts'
import { type Listener, type SlowClient, slowClientsOf } from './slow-client.ts'
import { portsHeldBy, Target } from './target.ts'

/** Connections of each kind, to each listener. */
const CONNECTIONS = 100
const DRIP_EVERY = 1_000
const LOOK_EVERY = 1_000
const TRIES = 3
const MOST_MILLISECONDS = 300
/** For each listener: those that read nothing have four answers in hand, of 70 KB. */
const MOST_GROWTH = 100
/**
 * Seconds by which a connection may outlive its timeout: the service looks every second, and leaves its client two more to
 * close its side, too, which these do not; and the look here comes a second later.
 */
const MARGIN = 5

interface Kind extends SlowClient {
  readonly listener: Listener
  readonly sockets: readonly Socket[]
  /** By connection. */
  readonly ports: readonly number[]
  readonly dripping: NodeJS.Timeout
  readonly began: number
  /** Seconds until the service had closed the last of them. */
  lasted: number
}

const begin = async (listener: Listener, client: SlowClient): Promise<Kind> => {
  // They never end their side because the service does.
  const sockets = await openedMany(listener.port, CONNECTIONS, { allowHalfOpen: true })
  const ports = sockets.map(({ localPort = 0 }) => localPort)
  const began = performance.now()
  for (const socket of sockets) {
    if (client.reads === false) socket.pause()
    else socket.resume()
    if (client.first.length > 0) socket.write(client.first)
    if (client.ends) socket.end()
  }
  const { drip = '' } = client
  const dripping = setInterval(() => {
    for (const socket of sockets) if (drip !== '' && socket.writable) socket.write(drip)
  }, DRIP_EVERY)
  return { ...client, listener, sockets, ports, dripping, began, lasted: Number.POSITIVE_INFINITY }
}

/** Of a few in a row: other load of the machine only makes waits longer, and no slow client is ever done. */
const shortestWait = async (url: string): Promise<number> => {
  const waits: number[] = []
  for (let n = 0; n < TRIES; n++) waits.push(await livenessOf(url))
  return Math.min(...waits)
}

const isOpen = ({ lasted }: Kind): boolean => lasted === Number.POSITIVE_INFINITY

/** Notes which connections the service has closed. */
const look = (listeners: readonly Listener[], kinds: readonly Kind[]): void => {
  for (const { port } of listeners) {
    const held = portsHeldBy(port)
    for (const kind of kinds)
      if (kind.listener.port === port && isOpen(kind) && !kind.ports.some((mine) => held.has(mine)))
        kind.lasted = (performance.now() - kind.began) / 1_000
  }
}

/** Goes on until the service has closed all connections, or is late. */
const attack = async (target: Target, kinds: readonly Kind[]) => {
  const latest = performance.now() + (Math.max(...kinds.map(({ timeout }) => timeout)) + 2 * MARGIN) * 1_000
  let waited = 0
  let refused = 0
  for (let n = 0; performance.now() < latest && kinds.some(isOpen); n++) {
    waited = Math.max(waited, await shortestWait(target.url))
    const form = 'Content-Type: application/x-www-form-urlencoded'
    const status = await askOnce(target.port, 'POST /subscribe', [form], `email=fresh-${n}%40example.com`)
    if (status !== 200) refused++
    await sleep(LOOK_EVERY)
  }
  return { waited, refused }
}

/** Clients that take their time, so that the connections of others run out. */
export const slowClients: Attack = {
  name: 'slow-clients',
  stores: ['sqlite'],
  run: async (context) => {
    await using target = await Target.withEveryListener(context)
    const { console, metrics } = target.ports
    const listeners: readonly Listener[] = [
      {
        name: 'public',
        port: target.port,
        head: 15,
        body: 30,
        idle: 65,
        form: 'POST /subscribe',
        page: 'GET /openapi.json',
        isLarge: true,
      },
      {
        name: 'console',
        port: console,
        head: 10,
        body: 60,
        idle: 5,
        form: 'POST /login',
        page: 'GET /login',
        isLarge: false,
      },
      {
        name: 'metrics',
        port: metrics,
        head: 5,
        body: 5,
        idle: 30,
        form: 'GET /metrics',
        page: 'GET /metrics',
        isLarge: false,
      },
    ]
    for (let n = 0; n < CONNECTIONS; n++) await livenessOf(target.url)
    for (const { port, page } of listeners) await requireStatus(200, port, page, [`Host: localhost:${port}`])
    const kinds: Kind[] = []
    const looking = setInterval(() => look(listeners, kinds), LOOK_EVERY)
    const { result, megabytes } = await target.growthDuring(async () => {
      for (const listener of listeners)
        for (const client of slowClientsOf(listener)) kinds.push(await begin(listener, client))
      return await attack(target, kinds)
    })
    clearInterval(looking)
    for (const { sockets, dripping } of kinds) {
      clearInterval(dripping)
      for (const socket of sockets) socket.destroy()
    }
    const all = `${CONNECTIONS * kinds.length} slow clients`
    return [
      {
        name: `longest /livez of a fresh client beside ${all}`,
        figure: result.waited,
        bound: MOST_MILLISECONDS,
        unit: 'ms',
      },
      { name: 'sign-ups of fresh clients that fail', figure: result.refused, bound: 0, unit: '' },
      { name: `memory, ${all}`, figure: megabytes, bound: listeners.length * MOST_GROWTH, unit: 'MB' },
      ...kinds.map(
        ({ listener, name, timeout, lasted }): Figure => ({
          ...{ name: `${listener.name}: connections of clients ${name} last`, figure: lasted },
          ...{ bound: timeout + MARGIN, unit: 's' },
        }),
      ),
    ]
  },
}
