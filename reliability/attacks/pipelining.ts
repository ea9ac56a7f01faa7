import { setTimeout as sleep } from 'node:timers/promises'
import { isMainThread, Worker, workerData } from 'node:worker_threads'
import { freePort } from '../../packages/app/test/free-port.ts'
import type { Attack, AttackContext, Figure } from './attack.ts'
import { livenessOf, openedMany, request } from './raw.ts'
import { Target } from './target.ts'

const CONNECTIONS = 10
const PIPELINED = 1_600
const MOST_MILLISECONDS = 100
const LASTS = 3_000
/** Other load of the machine only makes waits longer. */
const TRIES = 3
const WARM_UP = 200

const UNREAD_CONNECTIONS = 200
const UNREAD_ANSWERS = 50
/** Four answers in hand for each connection, of 70 KB, and what the service grows by as it warms up. */
const MOST_MEGABYTES = 100

interface Flood {
  readonly port: number
  readonly request: string
}

/** Writes all requests of each connection at once, and again when they are answered. Runs in a thread of its own. */
const flood = async ({ port, request: one }: Flood): Promise<void> => {
  const bytes = Buffer.from(one.repeat(PIPELINED), 'latin1')
  for (const socket of await openedMany(port, CONNECTIONS)) {
    let answers = 0
    let end = ''
    socket.setEncoding('latin1').on('data', (text: string) => {
      // A status line may come in two pieces.
      answers += `${end}${text}`.split('HTTP/1.1 ').length - end.split('HTTP/1.1 ').length
      end = text.slice(-9)
      if (answers < PIPELINED) return
      answers = 0
      socket.write(bytes)
    })
    socket.write(bytes)
  }
}

/** The longest wait of a fresh client while the flood lasts, in the best of some tries. */
const longestWait = async (target: Target, port: number, one: Buffer): Promise<{ most: number; all: string }> => {
  const tries: number[] = []
  for (let n = 0; n < TRIES; n++) {
    const workerData: Flood = { port, request: one.toString('latin1') }
    const worker = new Worker(new URL(import.meta.url), { workerData })
    let most = 0
    for (const end = performance.now() + LASTS; performance.now() < end; await sleep(5))
      most = Math.max(most, await livenessOf(target.url))
    await worker.terminate()
    await target.calm()
    tries.push(most)
  }
  return { most: Math.min(...tries), all: tries.map((most) => most.toFixed(0)).join(', ') }
}

const beside = async (context: AttackContext): Promise<readonly Figure[]> => {
  const metrics = await freePort()
  await using target = await Target.open(context, { METRICS_PORT: `${metrics}` })
  const nobody = `Authorization: Bearer ${await target.token('nobody')}`
  for (let n = 0; n < WARM_UP; n++) await livenessOf(target.url)
  const floods: readonly (readonly [string, number, Buffer])[] = [
    ['GET /openapi.json', target.port, request('GET /openapi.json')],
    ['GET /subscribe', target.port, request('GET /subscribe', ['Accept: text/html'])],
    ['DELETE that is refused (403)', target.port, request('DELETE /users/eve', [nobody])],
    ['GET /metrics', metrics, request('GET /metrics')],
  ]
  const figures: Figure[] = []
  for (const [name, port, one] of floods) {
    const { most, all } = await longestWait(target, port, one)
    figures.push({
      ...{ name: `longest /livez beside ${CONNECTIONS} times ${PIPELINED} ${name}`, figure: most },
      ...{ bound: MOST_MILLISECONDS, unit: 'ms', note: `the best of ${TRIES} tries: ${all}` },
    })
  }
  return figures
}

const unread = async (context: AttackContext): Promise<readonly Figure[]> => {
  const figures: Figure[] = []
  for (const count of [UNREAD_ANSWERS, PIPELINED]) {
    await using target = await Target.open(context)
    const sockets = await openedMany(target.port, UNREAD_CONNECTIONS)
    const bytes = Buffer.from(request('GET /openapi.json').toString('latin1').repeat(count), 'latin1')
    const { megabytes } = await target.growthDuring(async () => {
      for (const socket of sockets) socket.pause().write(bytes)
      await sleep(LASTS)
    })
    for (const socket of sockets) socket.destroy()
    figures.push({
      ...{ name: `memory, ${UNREAD_CONNECTIONS} connections with ${count} unread answers each`, figure: megabytes },
      ...{ bound: MOST_MEGABYTES, unit: 'MB' },
    })
  }
  return figures
}

/** Many requests in one write, and answers that are not read. */
export const pipelining: Attack = {
  name: 'pipelining',
  stores: ['sqlite'],
  run: async (context) => [...(await beside(context)), ...(await unread(context))],
}

if (!isMainThread) await flood(workerData)
