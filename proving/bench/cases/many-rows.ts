import { createReadStream } from 'node:fs'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { peak } from '../../shared/processes.ts'
import { type Answers, distinct, load, type Traffic } from '../load.ts'
import { watchLock } from '../lock-watch.ts'
import { Site } from '../site.ts'
import type { BenchCase } from './bench-case.ts'
import { besideSignUps } from './beside.ts'
import { EVIDENCE, filled, population } from './population.ts'
import { idOf, userIds, withUsers } from './users.ts'

/** Every kind of filter, those that match little included; and every kind of word that finds. */
const PAGES = ['', 'sort=newest', 'feed=default', 'status=ended', 'feed=feed-3&status=pending']
const WORDS = 'brian|brian smith|person.0001|company-17.example|person.000000000@company-0.example|absent'.split('|')
const FINDING = WORDS.map((words) => `query=${encodeURIComponent(words)}`)
const EACH_SECONDS = 2

/** What one reader waits for pages; the slowest question counts. */
const pages = async (url: string, headers: Traffic['headers'], questions: readonly string[]) => {
  const found: Answers[] = []
  for (const question of questions) {
    const traffic: Traffic = {
      ...{ method: 'GET', headers, status: 200, names: () => question },
      path: (name) => `/subscriptions?${name}`,
    }
    found.push(await load({ urls: [url], traffic, connections: 1, seconds: EACH_SECONDS, first: 0 }).answers)
  }
  return (share: number) => Math.max(...found.map(({ percentile }) => percentile(share)))
}

const countLines = async (body: Readable): Promise<{ count: number; last: string }> => {
  let [count, last] = [0, '']
  for await (const line of createInterface(body)) {
    count++
    last = line
  }
  return { count, last }
}

export const manyRowsCases: readonly BenchCase[] = [
  {
    name: 'lists',
    about:
      'pages of GET /subscriptions among --rows, one at a time: by filters, and by words to find; the slowest of each',
    bars: ['page p99 ms <= 20', 'finding p95 ms <= 100'],
    prepare: async (product, setting) => {
      const site = await filled(product, setting, setting.rows)
      const headers = await site.authorization('admin')
      return async () => {
        await using server = await site.start()
        await pages(server.url, headers, PAGES.slice(0, 1))
        const page = await pages(server.url, headers, PAGES)
        const finding = await pages(server.url, headers, FINDING)
        return {
          ...{ 'page p50 ms': page(0.5), 'page p99 ms': page(0.99) },
          ...{ 'finding p50 ms': finding(0.5), 'finding p95 ms': finding(0.95), 'MB peak': peak(server.pid) },
        }
      }
    },
  },
  {
    name: 'recipients',
    about: 'GET /feeds/{name}/recipients of --rows confirmed subscriptions, beside 100 sign-ups a second',
    bars: ['recipients/s >= 50000', 'MB peak <= 250'],
    prepare: async (product, setting) => {
      const origin = await Site.make(product, setting)
      await origin.take(
        'subscription',
        Array.from({ length: setting.rows }, (_, number) => ({
          email: `person.${distinct(number)}@example.com`,
          ...EVIDENCE,
          status: 'confirmed',
        })),
      )
      const headers = await origin.authorization('admin')
      return besideSignUps(origin, async (server) => {
        const began = performance.now()
        const { body } = await fetch(`${server.url}/feeds/default/recipients`, { headers })
        const { count, last } = await countLines(Readable.from(body ?? []))
        const seconds = (performance.now() - began) / 1_000
        // The first line tells the cursor, the last how many there are.
        const recipients = count - 2
        const whole = JSON.parse(last).recipients === recipients ? recipients : Number.NaN
        return { 'recipients/s': recipients / seconds, '!missing': setting.rows - whole, 'MB peak': peak(server.pid) }
      })
    },
  },
  {
    name: 'transfer',
    about: 'rollcall subscription import of --rows, then export, whole processes',
    bars: ['imported/s >= 5000', 'exported/s >= 10000', 'MB <= 250'],
    prepare: async (product, setting) => {
      const origin = await filled(product, setting, 0)
      return async () => {
        await using site = await origin.copy()
        const taken = await site.take('subscription', population(setting.rows))
        const file = path.join(site.folder, 'export.ndjson')
        const given = await site.run('subscription', 'export', '--output', file)
        const missing = setting.rows - (await countLines(createReadStream(file))).count
        const rates = { 'imported/s': setting.rows / taken.seconds, 'exported/s': setting.rows / given.seconds }
        return { ...rates, MB: Math.max(taken.peak, given.peak), '!missing': missing }
      }
    },
  },
  {
    name: 'user-delete',
    about: 'rollcall user delete --from a list of --rows users, beside a server that takes 100 sign-ups a second',
    bars: ['users/s >= 1000', 'lock p99 ms <= 20', 'MB <= 250', 'most ms <= 1000'],
    prepare: async (product, setting) => {
      const origin = await withUsers(product, setting, setting.rows)
      return besideSignUps(origin, async (_, site) => {
        const list = await site.file(Array.from({ length: setting.rows }, (_, number) => idOf(number)))
        const { result, held } = await watchLock(path.join(site.folder, 'data/rollcall.db'), () =>
          site.run('user', 'delete', '--from', list, '--yes'),
        )
        const locked = held && { 'lock p99 ms': held.p99, 'lock most ms': held.most }
        const left = (await userIds(site)).size
        return { 'users/s': setting.rows / result.seconds, MB: result.peak, '!left': left, ...locked }
      })
    },
  },
  {
    name: 'backup',
    about: 'rollcall backup of --rows subscriptions, beside a server that takes 100 sign-ups a second',
    stores: ['sqlite'],
    bars: ['most ms <= 1000'],
    prepare: async (product, setting) => {
      const origin = await filled(product, setting, setting.rows)
      return besideSignUps(origin, async (_, site) => {
        const { seconds, peak: most } = await site.run('backup', path.join(site.folder, 'copy.db'))
        return { seconds, MB: most }
      })
    },
  },
]
