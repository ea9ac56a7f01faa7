import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../../../packages/app/test/free-port.ts'
import { log } from '../../shared/check.ts'
import { own, peak } from '../../shared/processes.ts'
import { type Answers, load, type Traffic } from '../load.ts'
import { mailsTo, openReceiver } from '../receivers.ts'
import type { BenchCase } from './bench-case.ts'
import { confirmations } from './confirmations.ts'
import { signUps } from './sign-ups.ts'
import { deletionsOf } from './users.ts'

/** A second, of each. */
const RATES = { signUps: 100, confirmations: 20, deletions: 5 } as const
const CONNECTIONS = 5
/** Milliseconds in which the first links come. */
const FIRST_LINKS = 3_000
const POLL = 1_000
const SAMPLE_EVERY = 10
const TOLD_EVERY = 300
/** Of the time, in which memory may find its measure. */
const WARM = 0.25
/** Seconds below which a slope of the memory is chance. */
const LONG = 1_800
const AN_HOUR = 3_600
/** More links than are needed come: so many are kept. */
const MOST_LINKS = 3_600

/** What waits longest of anything, in seconds. */
const oldest = async (port: number): Promise<number> => {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
  const ages = text.matchAll(/^rollcall_(?:\w+_oldest_\w+|audit_unsealed)_seconds(?:\{.*\})? (\S+)$/gm)
  return Math.max(...Array.from(ages, ([, age]) => Number(age)))
}

/** How steeply the values rise by the places, by least squares. */
const slope = (points: readonly (readonly [place: number, value: number])[]): number => {
  const mean = (at: 0 | 1): number => points.reduce((sum, point) => sum + point[at], 0) / points.length
  const [middle, level] = [mean(0), mean(1)]
  const sum = (of: (place: number, value: number) => number): number =>
    points.reduce((total, [place, value]) => total + of(place - middle, value - level), 0)
  return sum((place, value) => place * value) / sum((place) => place * place)
}

export const soak: BenchCase = {
  name: 'soak',
  about:
    '100 sign-ups, 20 confirmations and 5 deletions a second, with mails and a webhook; --seconds 7200 tells of leaks',
  bars: ['MB an hour <= 1', 'waited s <= 10'],
  prepare: async (product, setting) => {
    const { seconds } = setting
    const stock = RATES.deletions * (seconds + SAMPLE_EVERY)
    const { origin, traffic: deleting } = await deletionsOf(product, setting, stock)
    return async () => {
      await using site = await origin.copy()
      await using relay = await openReceiver({ kind: 'relay', readsLinks: true })
      await using target = await openReceiver({ kind: 'target', delay: 0 })
      await site.command('webhook', 'put', 'bench', '--url', `http://${target.address}/`)
      const metrics = await freePort()
      await using server = await site.start({ ...mailsTo(relay), METRICS_PORT: `${metrics}` })
      const links: string[] = []
      const confirming = confirmations(() => links.shift() ?? '')
      const under = (traffic: Traffic, rate: number): Promise<Answers> =>
        load({ urls: [server.url], traffic, rate, connections: CONNECTIONS, seconds, first: 0 }).answers
      let over = false
      const memory: [second: number, megabytes: number][] = []
      let waited = 0
      const watching = (async () => {
        for (let second = 0; !over; second++) {
          await sleep(POLL)
          links.push(...(await relay.look()).links.slice(0, 2 * RATES.confirmations).map(({ token }) => token))
          links.splice(MOST_LINKS)
          if (second % SAMPLE_EVERY !== 0) continue
          const megabytes = own(server.pid)
          memory.push([second, megabytes])
          waited = Math.max(waited, await oldest(metrics))
          if (second % TOLD_EVERY === 0) log(`soak: ${megabytes.toFixed(1)} MB after ${second} s`)
        }
      })()
      const signing = under(signUps, RATES.signUps)
      await sleep(FIRST_LINKS)
      const work = [signing, under(confirming, RATES.confirmations), under(deleting, RATES.deletions)] as const
      const [signed, confirmed, deleted] = await Promise.all(work).finally(() => {
        over = true
      })
      await watching
      const settled = memory.filter(([second]) => second > seconds * WARM)
      return {
        ...{ 'sign-ups': signed.acknowledged.length, confirmations: confirmed.acknowledged.length },
        ...{ deletions: deleted.acknowledged.length, 'p99 ms': signed.percentile(0.99), 'MB peak': peak(server.pid) },
        'MB an hour': seconds < LONG ? Number.NaN : slope(settled) * AN_HOUR,
        'waited s': waited,
      }
    }
  },
}
