import { distinct, type Traffic } from '../load.ts'
import { pairs, turnsOn } from '../measure-site.ts'
import { kratos } from '../peers/kratos.ts'
import type { Product, Setting } from '../setting.ts'
import { Site } from '../site.ts'
import type { BenchCase } from './bench-case.ts'

const SDK = new URL('../register-sdk.ts', import.meta.url).href

export const idOf = (number: number): string => `user-${distinct(number)}`

const details = (digits: string) => ({ email: `user.${digits}@example.com`, name: 'Brian Smith', roles: ['auditor'] })

/** A site with so many users, by their numbers. */
export const withUsers = async (product: Product, setting: Setting, count: number): Promise<Site> => {
  const site = await Site.make(product, setting)
  const rows = Array.from({ length: count }, (_, number) => ({ id: idOf(number), ...details(distinct(number)) }))
  if (count > 0) await site.take('user', rows)
  return site
}

export const userIds = async (site: Site): Promise<Set<string>> => {
  const { items } = JSON.parse(await site.command('user', 'list', '--json'))
  return new Set(items.map(({ id }: { id: string }) => id))
}

/** The creation of another user each time. */
export const puts = (headers: Traffic['headers']): Traffic => ({
  method: 'PUT',
  headers: { ...headers, 'Content-Type': 'application/json' },
  path: (id) => `/users/${id}`,
  body: (id) => JSON.stringify(details(id.replace('user-', ''))),
  status: 201,
  names: idOf,
})

/** For each second of load. */
const STOCK = { sqlite: 12_000, postgres: 6_000 } as const

const deletions = (ids: readonly string[], headers: Traffic['headers']) =>
  ({ method: 'DELETE', headers, path: (id: string) => `/users/${id}`, names: ids }) as const

/** So many users, and their deletion by an administrator. */
export const deletionsOf = async (product: Product, setting: Setting, stock: number) => {
  const origin = await withUsers(product, setting, stock)
  const ids = Array.from({ length: stock }, (_, number) => idOf(number))
  const traffic: Traffic = { ...deletions(ids, await origin.authorization('admin')), status: 204 }
  return { origin, ids, traffic }
}

const REFUSED = 100

/** Deletions by a token without the role: all users are still there. */
const refusals = async (product: Product, setting: Setting) => {
  const origin = await withUsers(product, setting, REFUSED)
  const names = (number: number) => idOf(number % REFUSED)
  const traffic: Traffic = { ...deletions([], await origin.authorization()), status: 403, names }
  return { origin, order: { traffic, done: userIds } }
}

export const userCases: readonly BenchCase[] = [
  {
    name: 'delete',
    about: 'DELETE /users/{id} by an administrator, another user each time, audited',
    bars: ['answers/s >= 1000', 'p99 ms <= 250'],
    peer: kratos,
    prepare: async (product, setting) => {
      const stock = STOCK[product.store] * (setting.seconds + setting.warmup)
      const { origin, ids, traffic } = await deletionsOf(product, setting, stock)
      const done = async (site: Site) => {
        const left = await userIds(site)
        return new Set(ids.filter((id) => !left.has(id)))
      }
      return turnsOn(origin, { traffic, done })
    },
  },
  {
    name: 'delete-403',
    about: 'the same by a token without the role',
    bars: ['answers/s >= 5000', 'p99 ms <= 50'],
    prepare: async (product, setting) => {
      const { origin, order } = await refusals(product, setting)
      return turnsOn(origin, order)
    },
  },
  {
    name: 'put',
    about: 'PUT /users/{id} by an administrator, another user each time',
    bars: ['answers/s >= 500', 'p99 ms <= 250'],
    prepare: async (product, setting) => {
      const origin = await Site.make(product, setting)
      return turnsOn(origin, { traffic: puts(await origin.authorization('admin')), done: userIds })
    },
  },
  {
    name: 'tracing',
    about: 'refused deletions with an SDK for traces that throws them away, compared with none',
    stores: ['sqlite'],
    bars: ['times >= 0.98'],
    prepare: async (product, setting) => {
      const { origin, order } = await refusals(product, setting)
      const environment = { NODE_OPTIONS: `--import=${SDK}` }
      return pairs('answers/s', ['none', origin, order], ['traced', origin, { ...order, environment }])
    },
  },
]
