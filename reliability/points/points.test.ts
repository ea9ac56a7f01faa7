import type { Channel } from 'node:diagnostics_channel'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { FAILPOINTS as HTTP } from '../../packages/http-koa/src/failpoints.ts'
import { FAILPOINTS as MAIL } from '../../packages/mail/src/failpoints.ts'
import { POSTGRES_FAILPOINTS, SQLITE_FAILPOINTS } from '../../packages/storage-sql/src/failpoints.ts'
import type {} from '../../packages/storage-sql/test/postgres-server/global-setup.ts'
import { REACHED } from '../fault-injection/fault-injection.ts'
import { Fixture } from '../run/fixture.ts'
import { type PostgresServer, somePostgres } from '../stores/postgres-store.ts'
import { changesFor, failpointsOf } from './points.ts'

const STORES = ['sqlite', 'postgres'] as const
const PRODUCT: readonly Channel[] = [SQLITE_FAILPOINTS, POSTGRES_FAILPOINTS, HTTP, MAIL].flatMap(Object.values)
const MOST_SIGN_UPS = 100

let server: PostgresServer
beforeAll(async () => {
  // Undefined where only this file is run.
  const shared: { readonly url: string } | undefined = inject('postgres')
  server = shared ? { url: shared.url, stop: async () => undefined } : await somePostgres({ fsync: 'off' })
})
afterAll(() => server.stop())

it('every failpoint of the product has a kill, and every kill a failpoint', () => {
  const used = new Set(STORES.flatMap((store) => failpointsOf(store)).map(({ channel }) => channel))
  expect([...used].sort()).toEqual(PRODUCT.map(({ name }) => String(name)).sort())
})

it.each(STORES)('a service on %s reaches every failpoint', async (store) => {
  const injection = { changes: changesFor(store), watch: failpointsOf(store) }
  await using fixture = await Fixture.create({ store, server: server.url, injection })
  const service = await fixture.mustStart()
  const missing = (): string[] =>
    injection.watch.map(({ name }) => name).filter((name) => !service.stderr.includes(`${REACHED}${name}\n`))
  for (let n = 0; n < MOST_SIGN_UPS && missing().length > 0; n++)
    await fixture.ask('POST', '/subscribe', { body: { email: `person-${n}@example.com` } })
  await expect.poll(missing).toEqual([])
})
