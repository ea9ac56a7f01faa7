import { spawn } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { findCores, pinned } from '../command.ts'
import { DatabaseServer } from '../compare/database-server.ts'
import { type Product, Site } from '../compare/site.ts'
import { generate } from '../load.ts'
import { product } from '../rollcall/rollcall.ts'
import { makeScratch } from '../scratch.ts'
import { spread } from '../statistics.ts'
import { distinct, signUps } from '../traffic.ts'

// How many events a second reach a target that takes each one after a time, and what one target costs sign-ups at full
// load: with and without it in turns, each on a database of its own.
// Usage: node scripts/pinned-node.cjs bench/webhooks/measure-webhooks.ts [sqlite|postgres] [milliseconds] [turns] [seconds]

const [store = 'sqlite', delay = '100', turns = '3', seconds = '6'] = process.argv.slice(2)
const SECONDS = Number(seconds)
const WARM_UP = 2
const CONNECTIONS = 50
const POLL = 50

const scratch = makeScratch('bench-webhooks')
const cores = findCores()
await using database = store === 'postgres' ? await DatabaseServer.start(scratch, cores.server) : undefined
const measured: Product = { name: 'after', program: product(), scratch, postgres: database?.url }

interface Seen {
  readonly taken: number
  readonly again: number
  readonly most: number
}

/** A target in a process of its own. */
const openTarget = async () => {
  const program = path.join(import.meta.dirname, 'target-process.ts')
  const child = spawn(...pinned(cores.load, process.execPath, [program, delay]), { stdio: ['pipe', 'pipe', 'inherit'] })
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]()
  const url = `http://127.0.0.1:${(await lines.next()).value}/`
  return {
    url,
    look: async (): Promise<Seen> => {
      child.stdin.write('\n')
      return JSON.parse(String((await lines.next()).value))
    },
    [Symbol.asyncDispose]: async () => {
      child.stdin.end()
    },
  }
}

/** A site that sends its events there. */
const makeSite = async (url: string | undefined): Promise<Site> => {
  const site = await Site.make(measured)
  if (url === undefined) return site
  await writeFile(path.join(site.folder, '.env'), 'ROLLCALL_WEBHOOK_ALLOW=127.0.0.1\n', { mode: 0o600 })
  await site.command('webhook', 'put', 'shop', '--url', url)
  return site
}

/** Of a service that does nothing else. */
const rateAlone = async (): Promise<void> => {
  await using target = await openTarget()
  await using site = await makeSite(target.url)
  const rows = Array.from({ length: 100_000 }, (_, n) => ({ email: `a.${distinct(n)}@example.com` }))
  await site.take('subscription', rows)
  await using server = await site.start({}, cores.server)
  await sleep(WARM_UP * 1_000)
  const [before, began, { busy }] = [await target.look(), performance.now(), server.processorTime]
  await sleep(SECONDS * 1_000)
  const after = await target.look()
  const count = after.taken - before.taken
  const rate = count / ((performance.now() - began) / 1_000)
  const cost = ((server.processorTime.busy - busy) * 1e6) / count
  await server.stop('SIGTERM')
  console.log(
    `${store}: ${rate.toFixed(0)} events/s to a target that takes ${delay} ms, ${after.most} at once at most, ${cost.toFixed(0)} µs of processor for each; ${(await target.look()).again} came again`,
  )
}

/** Sign-ups a second, from the first to the last decision, microseconds of a processor for each; and events meanwhile. */
const signUpsBeside = async (hasTarget: boolean) => {
  await using target = await openTarget()
  await using site = await makeSite(hasTarget ? target.url : undefined)
  await using server = await site.start({}, cores.server)
  const load = { url: server.url, traffic: signUps, connections: CONNECTIONS, core: cores.load }
  const { next } = await generate('wrk', { ...load, seconds: WARM_UP, first: 0 })
  while (await site.hasUndecided()) await sleep(POLL)
  const [began, { taken }, { busy }] = [performance.now(), await target.look(), server.processorTime]
  const { next: end } = await generate('wrk', { ...load, seconds: SECONDS, first: next })
  const events = (await target.look()).taken - taken
  while (await site.hasUndecided()) await sleep(POLL)
  const rate = (end - next) / ((performance.now() - began) / 1_000)
  const cost = ((server.processorTime.busy - busy) * 1e6) / (end - next)
  await server.stop('SIGKILL')
  return { rate, cost, events: events / SECONDS }
}

await rateAlone()
type Figures = Awaited<ReturnType<typeof signUpsBeside>>

const told = ({ rate, cost }: Figures): string => `${rate.toFixed(0)}/s at ${cost.toFixed(0)} µs`

const ratios: { readonly rate: number; readonly cost: number }[] = []
for (let turn = 0; turn < Number(turns); turn++) {
  const first = await signUpsBeside(turn % 2 > 0)
  const second = await signUpsBeside(turn % 2 === 0)
  const [beside, without] = turn % 2 > 0 ? [first, second] : [second, first]
  ratios.push({ rate: beside.rate / without.rate, cost: without.cost / beside.cost })
  console.log(
    `sign-ups: ${told(beside)} beside ${beside.events.toFixed(0)} events/s, ${told(without)} without a target`,
  )
}
for (const figure of ['rate', 'cost'] as const) {
  const { median, least, most } = spread(ratios.map((ratio) => ratio[figure]))
  const limits = `${least.toFixed(2)} to ${most.toFixed(2)}`
  console.log(`${store}: sign-ups beside a target / without one, by ${figure}: ${median.toFixed(2)} (${limits})`)
}
