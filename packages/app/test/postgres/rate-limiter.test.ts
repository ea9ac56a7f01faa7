import { openPostgresStorage } from '@rollcall/storage-sql/postgres'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { PostgresRateLimiter } from '../../src/abuse/postgres-rate-limiter.ts'
import { eventually } from '../eventually.ts'
import { expectToLimit, LIMIT, MINUTE } from '../rate-limiting.ts'
import { Database } from './database.ts'

describe('a rate limiter in the database', () => {
  let database: Database
  let storages: Awaited<ReturnType<typeof openPostgresStorage>>[]
  let passed: number
  beforeEach(async () => {
    database = await Database.make()
    storages = await Promise.all([1, 2].map(() => openPostgresStorage({ url: database.url })))
    passed = 0
    const now = performance.now.bind(performance)
    vi.spyOn(performance, 'now').mockImplementation(() => now() + passed)
  })
  afterEach(async () => {
    vi.restoreAllMocks()
    for (const storage of storages) await storage.close()
    await database[Symbol.asyncDispose]()
  })

  const limiters = (limit = LIMIT) => storages.map(({ client }) => new PostgresRateLimiter(limit, client))
  const pass = async (milliseconds: number) => {
    passed += milliseconds
    await database.query(`UPDATE rate_limit SET expire = expire - ${milliseconds}`)
  }

  it('counts together what instances count, and says how it stands', async () => {
    const [one, other] = limiters() as [PostgresRateLimiter, PostgresRateLimiter]
    await expectToLimit(one, other)
  })

  it('lets exactly the quota through of many at once, and asks nothing more about who is refused', async () => {
    const all = limiters({ quota: 20, window: MINUTE })
    const states = await Promise.all(Array.from({ length: 100 }, (_, n) => all[n % 2]?.count('subscribe', '192.0.2.1')))
    expect(states.filter((state) => state?.allowed)).toHaveLength(20)
    const counted = await database.query('SELECT points FROM rate_limit')
    for (const limiter of all) expect((await limiter.count('subscribe', '192.0.2.1')).allowed).toBe(false)
    expect(await database.query('SELECT points FROM rate_limit')).toEqual(counted)
  })

  it('starts again when the window is over, and not sooner', async () => {
    const [one, other] = limiters({ quota: 1, window: MINUTE }) as [PostgresRateLimiter, PostgresRateLimiter]
    const count = async (limiter: PostgresRateLimiter) => (await limiter.count('subscribe', '192.0.2.1')).allowed
    expect([await count(one), await count(other), await count(one)]).toEqual([true, false, false])
    await pass(MINUTE / 2)
    expect([await count(one), await count(other)]).toEqual([false, false])
    await pass(MINUTE / 2 + 1)
    expect([await count(one), await count(other)]).toEqual([true, false])
  })

  it('lets no client wait longer than a window, also where the clock of the server is set back', async () => {
    const [one] = limiters({ quota: 1, window: MINUTE }) as [PostgresRateLimiter]
    await one.count('subscribe', '192.0.2.1')
    await database.query('UPDATE rate_limit SET expire = expire + 3600000')
    expect(await one.count('subscribe', '192.0.2.1')).toMatchObject({ allowed: true })
  })

  it('removes what is over', async () => {
    const [one] = limiters() as [PostgresRateLimiter]
    await one.count('subscribe', '192.0.2.1')
    await pass(2 * 60 * MINUTE)
    await one.count('subscribe', '192.0.2.2')
    await eventually(async () => (await database.query('SELECT key FROM rate_limit')).length === 1)
    expect(await database.query('SELECT key FROM rate_limit')).toEqual([{ key: 'subscribe 192.0.2.2' }])
  })
})
