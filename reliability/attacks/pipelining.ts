import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { isMainThread, Worker, workerData } from 'node:worker_threads'
import type { Attack, AttackContext, Figure } from './attack.ts'
import { livenessOf, openedMany, request, requireStatus } from './raw.ts'
import { Target } from './target.ts'

const CONNECTIONS = 100
const PIPELINED = 2_000
const MOST_MILLISECONDS = 300
/** For each listener: what its clients send at once, and what the service grows by as it warms up. */
const MOST_GROWTH = 60
const LASTS = 3_000
const PAUSE = 5
/** Other load of the machine only makes waits longer. */
const TRIES = 3
const WARM_UP = 200

const UNREAD_CONNECTIONS = 200
const UNREAD_ANSWERS = 50
/** An answer in hand for each connection, of 70 KB, and what the service grows by as it warms up. */
const MOST_MEGABYTES = 100

interface Flood {
  readonly port: number
  readonly request: string
  /** Whether each connection is opened again once the service has closed it. */
  readonly again: boolean
}

/** Writes all requests of each connection at once. Runs in a thread of its own. */
const flood = ({ port, request: one, again }: Flood): void => {
  const bytes = Buffer.from(one.repeat(PIPELINED), 'latin1')
  const send = (): void => {
    const socket = connect({ port, host: '127.0.0.1' }, () => socket.write(bytes)).resume()
    socket.on('error', () => socket.destroy())
    if (again) socket.once('close', () => setTimeout(send, PAUSE))
  }
  for (let n = 0; n < CONNECTIONS; n++) send()
}

/** The longest wait of a fresh client beside a flood. */
const longestWait = async (target: Target, workerData: Flood): Promise<number> => {
  const worker = new Worker(new URL(import.meta.url), { workerData })
  let most = 0
  for (const end = performance.now() + LASTS; performance.now() < end; await sleep(PAUSE))
    most = Math.max(most, await livenessOf(target.url))
  await worker.terminate()
  await target.calm()
  return most
}

const beside = async (context: AttackContext): Promise<readonly Figure[]> => {
  await using target = await Target.withEveryListener(context)
  const { console, metrics } = target.ports
  const nobody = `Authorization: Bearer ${await target.token('nobody')}`
  const html = 'Accept: text/html'
  const floods: readonly (readonly [line: string, port: number, status: number, ...fields: string[]])[] = [
    ['GET /openapi.json', target.port, 200],
    ['GET /subscribe', target.port, 200, html],
    ['DELETE /users/eve', target.port, 403, nobody],
    ['GET /login', console, 200, html, `Host: localhost:${console}`],
    ['GET /metrics', metrics, 200],
  ]
  const figures: Figure[] = []
  for (const [line, port, expected, ...fields] of floods) {
    const one = request(line, fields).toString('latin1')
    for (let n = 0; n < WARM_UP; n++) {
      await livenessOf(target.url)
      await requireStatus(expected, port, line, fields)
    }
    const name = `${CONNECTIONS} connections with ${PIPELINED} times ${line}`
    const once = await target.growthDuring(() => longestWait(target, { port, request: one, again: false }))
    figures.push(
      { name: `longest /livez beside ${name}`, figure: once.result, bound: MOST_MILLISECONDS, unit: 'ms' },
      { name: `memory, ${name}`, figure: once.megabytes, bound: MOST_GROWTH, unit: 'MB' },
    )
    const tries: number[] = []
    for (let n = 0; n < TRIES; n++) tries.push(await longestWait(target, { port, request: one, again: true }))
    figures.push({
      ...{ name: `longest /livez beside the same, again and again`, figure: Math.min(...tries) },
      ...{ bound: MOST_MILLISECONDS, unit: 'ms' },
      note: `the best of ${TRIES} tries: ${tries.map((most) => most.toFixed(0)).join(', ')}`,
    })
  }
  return figures
}

const PAGES = { public: 'GET /openapi.json', console: 'GET /login', metrics: 'GET /metrics' } as const

const unread = async (context: AttackContext): Promise<readonly Figure[]> => {
  const figures: Figure[] = []
  for (const listener of ['public', 'console', 'metrics'] as const)
    for (const count of [UNREAD_ANSWERS, PIPELINED]) {
      await using target = await Target.withEveryListener(context)
      const { [listener]: port } = target.ports
      const fields = [`Host: localhost:${port}`]
      await requireStatus(200, port, PAGES[listener], fields)
      const sockets = await openedMany(port, UNREAD_CONNECTIONS)
      const bytes = Buffer.from(request(PAGES[listener], fields).toString('latin1').repeat(count), 'latin1')
      const { megabytes } = await target.growthDuring(async () => {
        for (const socket of sockets) socket.pause().write(bytes)
        await sleep(LASTS)
      })
      for (const socket of sockets) socket.destroy()
      const name = `memory, ${UNREAD_CONNECTIONS} connections with ${count} times ${PAGES[listener]} unread`
      figures.push({ name, figure: megabytes, bound: MOST_MEGABYTES, unit: 'MB' })
    }
  return figures
}

/** Many requests in one write, and answers that are not read. */
export const pipelining: Attack = {
  name: 'pipelining',
  stores: ['sqlite'],
  run: async (context) => [...(await beside(context)), ...(await unread(context))],
}

if (!isMainThread) flood(workerData)
