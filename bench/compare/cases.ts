import { setTimeout as sleep } from 'node:timers/promises'
import type { Traffic } from '../load.ts'
import { openSink } from '../mails/sink.ts'
import { deletions, distinct, puts, signUps } from '../traffic.ts'
import { type Product, Site } from './site.ts'

/** A site that can be copied for every turn, and what is asked there. */
export interface Prepared {
  readonly origin: Site
  readonly traffic: Traffic
  /** What each request names in place of its number, where it does not follow from that. */
  readonly names?: readonly string[]
  /** What takes effect at which request, as `done` tells it. */
  readonly subject: (number: number) => string
}

export interface CompareCase {
  /** What every answer must be. */
  readonly status: number
  /** A turn ends with the last answer, when every sign-up is decided on, or with the last mail. */
  readonly until: 'answered' | 'decided' | 'mailed'
  /** How many users or subscriptions to make for each second of load, where a request takes one. */
  readonly stock: number
  prepare(product: Product, stock: number): Promise<Prepared>
  /** The subjects of all requests that took effect. */
  done(site: Site, prepared: Prepared): Promise<ReadonlySet<string>>
}

const emails = async (site: Site, ...only: readonly string[]): Promise<Set<string>> => {
  const lines = (await site.command('subscription', 'export', ...only)).split('\n').filter((line) => line !== '')
  return new Set(lines.map((line): string => JSON.parse(line).email))
}

const userIds = async (site: Site): Promise<Set<string>> => {
  const { items } = JSON.parse(await site.command('user', 'list', '--json'))
  return new Set(items.map(({ id }: { id: string }) => id))
}

const stocked = (stock: number): number[] => Array.from({ length: stock }, (_, number) => number)
const addressOf = (number: number): string => `brian.smith.${distinct(number)}@example.com`
const idOf = (number: number): string => `user-${distinct(number)}`

const signUp = (until: 'decided' | 'mailed'): CompareCase => ({
  ...{ status: 200, until, stock: 0 },
  prepare: async (product) => ({ origin: await Site.make(product), traffic: signUps, subject: addressOf }),
  done: async (site) => await emails(site),
})

const authorized = async (site: Site, ...roles: readonly string[]) => {
  const holding = roles.flatMap((role) => ['--role', role])
  const token = await site.command('token', 'issue', '--subject', 'bench', '--ttl', '7d', ...holding)
  return { Authorization: `Bearer ${token.trim()}` }
}

const deletion = (status: number, ...roles: readonly string[]): CompareCase => ({
  ...{ status, until: 'answered', stock: status === 204 ? 12_000 : 100 },
  prepare: async (product, stock) => {
    const origin = await Site.make(product)
    const row = (n: number) => ({
      id: idOf(n),
      email: `user.${distinct(n)}@example.com`,
      name: 'Brian Smith',
      roles: ['auditor'],
    })
    await origin.take('user', stocked(stock).map(row))
    return {
      origin,
      traffic: deletions(await authorized(origin, ...roles)),
      subject: idOf,
      ...(status === 204 ? { names: stocked(stock).map(distinct) } : {}),
    }
  },
  done: async (site, { origin }) => {
    const left = await userIds(site)
    return new Set([...(await userIds(origin))].filter((id) => !left.has(id)))
  },
})

const put: CompareCase = {
  ...{ status: 201, until: 'answered', stock: 0 },
  prepare: async (product) => {
    const origin = await Site.make(product)
    return { origin, traffic: puts(await authorized(origin, 'admin')), subject: idOf }
  },
  done: async (site) => await userIds(site),
}

const POLL = 200

/** Links are read from the mails of subscriptions that were imported. */
const confirm: CompareCase = {
  ...{ status: 200, until: 'answered', stock: 12_000 },
  prepare: async (product, stock) => {
    const origin = await Site.make(product)
    await using sink = await openSink('read', undefined)
    await origin.take(
      'subscription',
      stocked(stock).map((n) => ({ email: addressOf(n) })),
      '--mail',
      'send',
    )
    await using server = await origin.start({ SMTP_URL: sink.url }, undefined)
    const links = new Map<string, string>()
    while (links.size < stock) {
      await sleep(POLL)
      for (const { to, token } of (await sink.look()).links) links.set(to, token)
    }
    await server.stop('SIGTERM')
    const found = [...links]
    const traffic: Traffic = { ...signUps, path: '/confirm/{n}', body: 'a=b' }
    return { origin, traffic, names: found.map(([, link]) => link), subject: (number) => found[number]?.[0] ?? '' }
  },
  done: async (site) => await emails(site, '--status', 'confirmed'),
}

export const CASES: Readonly<Record<string, CompareCase>> = {
  subscribe: signUp('decided'),
  'subscribe-mailed': signUp('mailed'),
  confirm,
  delete: deletion(204, 'admin'),
  'delete-403': deletion(403),
  put,
}
