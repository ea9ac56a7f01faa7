import { setTimeout as sleep } from 'node:timers/promises'
import { load, nameOf, type Traffic } from './load.ts'
import { mailsTo, openReceiver } from './receivers.ts'
import type { Server } from './server.ts'
import { CONNECTIONS, type Figures, type Turn } from './setting.ts'
import type { Site } from './site.ts'
import { type Measured, underLoad } from './under-load.ts'

/** Milliseconds under load before the kill. */
const BEFORE_KILL = 1_000
const A_MINUTE = 60_000
const POLL = 1_000

export interface SiteOrder {
  readonly traffic: Traffic
  readonly connections?: number
  /** Whether a mail follows each answer. */
  readonly mailed?: boolean
  /** On all cores if there are several. */
  readonly instances?: number
  /** Whether every event is sent to a webhook. */
  readonly webhook?: boolean
  readonly environment?: NodeJS.ProcessEnv
  /** The names of all requests that took effect, as the product shows it. Without it nothing is killed and counted. */
  readonly done?: (site: Site) => Promise<ReadonlySet<string>>
}

/** Turns that each have a copy of the site. */
export const turnsOn =
  (origin: Site, order: SiteOrder): Turn =>
  async () => {
    await using site = await origin.copy()
    return await measureSite(site, order)
  }

/** A turn of load at a site, which is spent by that. */
const measureSite = async (site: Site, order: SiteOrder): Promise<Figures> => {
  const { traffic, instances = 1, mailed = false, environment = {}, done } = order
  await using relay = await openReceiver({ kind: 'relay', readsLinks: false })
  await using stack = new AsyncDisposableStack()
  if (order.webhook) {
    const { address } = stack.use(await openReceiver({ kind: 'target', delay: 0 }))
    await site.command('webhook', 'put', 'bench', '--url', `http://${address}/`)
  }
  const core = instances === 1 ? 'server' : 'any'
  const start = async (): Promise<Server> => stack.use(await site.start(mailsTo(relay), core, environment))
  const first = await start()
  const others: Server[] = []
  while (others.length + 1 < instances) others.push(await start())
  const connections = order.connections ?? CONNECTIONS
  const sofar = await underLoad(site.setting, {
    ...{ servers: [first, ...others], traffic, connections, database: site.database },
    relay: mailed ? relay : undefined,
  })
  if (done === undefined) return sofar.figures
  const running = load({
    ...{ urls: [first.url], traffic, connections, seconds: A_MINUTE, first: sofar.next, mortal: true },
  })
  await sleep(BEFORE_KILL)
  await first.stop('SIGKILL')
  const { acknowledged, next } = await running.answers
  await start()
  const whole = { ...sofar, acknowledged: [...sofar.acknowledged, ...acknowledged], next }
  return { ...sofar.figures, ...(await countEffects(traffic, whole, () => done(site), mailed ? A_MINUTE : 0)) }
}

/** What is there of all that was acknowledged, and what is there that nobody asked for. */
const countEffects = async (
  { names }: Traffic,
  { acknowledged, next }: Measured,
  done: () => Promise<ReadonlySet<string>>,
  patience: number,
): Promise<Figures> => {
  const promised = acknowledged.map((number) => nameOf(names, number))
  const asked = new Set(Array.from({ length: next }, (_, number) => nameOf(names, number)))
  for (const end = performance.now() + patience; ; await sleep(POLL)) {
    const found = await done()
    const missing = promised.filter((name) => !found.has(name)).length
    // A sign-up that was answered may still wait to be decided on.
    if (missing > 0 && performance.now() < end) continue
    return { '!missing': missing, '!unasked': [...found].filter((name) => !asked.has(name)).length }
  }
}

/** One side of a comparison: what its columns are headed with, and what it is. */
type Side = readonly [head: string, origin: Site, order: SiteOrder]

/** Turns of two sites, one after the other. The second has its own columns, and is compared with the first in one figure. */
export const pairs =
  (figure: string, [one, plain, plainOrder]: Side, [other, origin, order]: Side): Turn =>
  async () => {
    const first = (await turnsOn(plain, plainOrder)())[figure] ?? Number.NaN
    const figures = await turnsOn(origin, order)()
    const second = figures[figure] ?? Number.NaN
    return { ...figures, [`${figure}, ${one}`]: first, [`${figure}, ${other}`]: second, times: second / first }
  }
