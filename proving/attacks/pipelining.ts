import { setTimeout as sleep } from 'node:timers/promises'
import { BackgroundLoad } from '../shared/background-load.ts'
import type { Row } from '../shared/report.ts'
import { allListeners, Target } from '../shared/target.ts'
import { ask, livenessOf, openedMany, request } from '../shared/wire.ts'
import type { Attack, AttackContext } from './attacks.ts'

const CONNECTIONS = 100
const PIPELINED = 2_000
const MOST_MILLISECONDS = 300
/** Beside clients that come again at once; kept for them all, their answers would take gigabytes. */
const MOST_MEGABYTES = 200
/** An answer in hand for each connection, of 70 KB, and what the service grows by as it warms up. */
const MOST_UNREAD = 100
const LASTS = 3_000
const PAUSE = 5
const WARM_UP = 200
/** Other load of the machine only makes waits longer. */
const TRIES = 3
const UNREAD_CONNECTIONS = 200

type Listener = keyof Target['ports']

interface Flood {
  readonly listener: Listener
  readonly line: string
  readonly headers: Readonly<Record<string, string>>
  readonly status: number
}

const floodsOf = (target: Target, nobody: string): readonly Flood[] => [
  { listener: 'public', line: 'GET /openapi.json', headers: {}, status: 200 },
  { listener: 'public', line: 'GET /subscribe', headers: { Accept: 'text/html' }, status: 200 },
  { listener: 'public', line: 'DELETE /users/eve', headers: { Authorization: `Bearer ${nobody}` }, status: 403 },
  { listener: 'console', line: 'GET /login', headers: { Host: `localhost:${target.ports.console}` }, status: 200 },
  { listener: 'metrics', line: 'GET /metrics', headers: {}, status: 200 },
]

/** The longest wait of a fresh client beside connections that send so many requests at once, again and again. */
const longestWait = async (target: Target, { listener, line, headers }: Flood): Promise<number> => {
  const [method = '', path = ''] = line.split(' ')
  const url = `http://127.0.0.1:${target.ports[listener]}${path}`
  const load = new BackgroundLoad({
    url,
    method: method as 'GET',
    headers,
    connections: CONNECTIONS,
    pipelining: PIPELINED,
  })
  // It has to start.
  await sleep(1_000)
  let most = 0
  for (const end = performance.now() + LASTS; performance.now() < end; await sleep(PAUSE))
    most = Math.max(most, await livenessOf(target.port))
  await load.stop()
  return most
}

const beside = async (context: AttackContext): Promise<readonly Row[]> => {
  await using target = await Target.open(context, await allListeners())
  const rows: Row[] = []
  for (const flood of floodsOf(target, await target.token('nobody'))) {
    for (let n = 0; n < WARM_UP; n++) {
      await livenessOf(target.port)
      const { status } = await ask(target.ports[flood.listener], flood.line, { headers: flood.headers })
      if (status !== flood.status) throw new Error(`${flood.line} was answered ${status} instead of ${flood.status}`)
    }
    // What the first leaves in the heap is taken again by the next.
    const waits = [await longestWait(target, flood)]
    const { megabytes } = await target.growthDuring(async () => {
      while (waits.length < TRIES) waits.push(await longestWait(target, flood))
    })
    const name = `${CONNECTIONS} connections with ${PIPELINED} times ${flood.line}`
    rows.push(
      {
        ...{ figure: `longest /livez beside ${name}`, found: Math.min(...waits), bound: MOST_MILLISECONDS, unit: 'ms' },
        note: `the best of ${TRIES} tries: ${waits.map((wait) => wait.toFixed(0)).join(', ')}`,
      },
      { figure: `memory, ${name}`, found: megabytes, bound: MOST_MEGABYTES, unit: 'MB' },
    )
  }
  return rows
}

const PAGES: Readonly<Record<Listener, string>> = {
  public: 'GET /openapi.json',
  console: 'GET /login',
  metrics: 'GET /metrics',
}

const unread = async (context: AttackContext): Promise<readonly Row[]> => {
  const rows: Row[] = []
  for (const [listener, page] of Object.entries(PAGES) as [Listener, string][]) {
    await using target = await Target.open(context, await allListeners())
    const port = target.ports[listener]
    const sockets = await openedMany(port, UNREAD_CONNECTIONS)
    const bytes = Buffer.from(
      request(page, [`Host: localhost:${port}`])
        .toString('latin1')
        .repeat(PIPELINED),
      'latin1',
    )
    const { megabytes } = await target.growthDuring(async () => {
      for (const socket of sockets) socket.pause().write(bytes)
      await sleep(LASTS)
    })
    for (const socket of sockets) socket.destroy()
    const figure = `memory, ${UNREAD_CONNECTIONS} connections with ${PIPELINED} times ${page} unread`
    rows.push({ figure, found: megabytes, bound: MOST_UNREAD, unit: 'MB' })
  }
  return rows
}

/** Many requests in one write, and answers that are not read. */
export const pipelining: Attack = {
  name: 'pipelining',
  about: 'many requests in one write, and answers that are not read',
  stores: ['sqlite'],
  run: async (context) => [...(await beside(context)), ...(await unread(context))],
}
