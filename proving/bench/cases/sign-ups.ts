import { distinct, type Traffic } from '../load.ts'
import { pairs, type SiteOrder, turnsOn } from '../measure-site.ts'
import { listmonk } from '../peers/listmonk.ts'
import { Site } from '../site.ts'
import type { BenchCase } from './bench-case.ts'
import { filled } from './population.ts'

/** A sign-up form, of another address each time. */
export const signUps: Traffic = {
  method: 'POST',
  headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
  path: () => '/subscribe',
  body: (address) => `name=Brian%20Smith&email=${encodeURIComponent(address)}`,
  status: 200,
  names: (number) => `brian.smith.${distinct(number)}@example.com`,
}

/** The addresses of all subscriptions, or of some. */
export const addresses = async (site: Site, ...only: readonly string[]): Promise<Set<string>> => {
  const lines = (await site.command('subscription', 'export', ...only)).split('\n').filter((line) => line !== '')
  return new Set(lines.map((line): string => JSON.parse(line).email))
}

const MAILED = { traffic: signUps, mailed: true } as const
const COUNTED = { ...MAILED, done: addresses } as const

const subscribe =
  (order: SiteOrder): BenchCase['prepare'] =>
  async (product, setting) =>
    turnsOn(await Site.make(product, setting), order)

const FEW = 1_000

export const signUpCases: readonly BenchCase[] = [
  {
    name: 'subscribe',
    about: 'POST /subscribe, each time of another address, to the last mail',
    bars: ['answers/s >= 500', 'p99 ms <= 250', 'MB idle <= 120', 'MB peak <= 250', 'start ms <= 1500'],
    peer: listmonk,
    prepare: subscribe(COUNTED),
  },
  {
    name: 'subscribe-1',
    about: 'the same over one connection: how long a person waits',
    bars: ['p50 ms <= 10'],
    prepare: subscribe({ ...COUNTED, connections: 1 }),
  },
  {
    name: 'webhook',
    about: 'the same beside a webhook that is sent every event, compared with none',
    bars: ['times >= 0.5'],
    prepare: async (product, setting) => {
      const origin = await Site.make(product, setting)
      return pairs('answers/s', ['none', origin, MAILED], ['one', origin, { ...COUNTED, webhook: true }])
    },
  },
  {
    name: 'growth',
    about: 'processor time of the same beside --rows subscriptions, compared with 1,000',
    bars: ['times <= 1.5'],
    prepare: async (product, setting) => {
      const [few, many] = [await filled(product, setting, FEW), await filled(product, setting, setting.rows)]
      return pairs('CPU µs', ['few', few, MAILED], ['many', many, MAILED])
    },
  },
  {
    name: 'instances',
    about: 'the same by three instances on one database, on all cores, compared with one',
    stores: ['postgres'],
    bars: ['times >= 0.5'],
    prepare: async (product, setting) => {
      const origin = await Site.make(product, setting)
      return pairs('answers/s', ['one', origin, MAILED], ['three', origin, { ...MAILED, instances: 3 }])
    },
  },
]
