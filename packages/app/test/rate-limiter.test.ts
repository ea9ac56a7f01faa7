import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { MemoryRateLimiter } from '../src/abuse/memory-rate-limiter.ts'
import { networkLimitOf, parseRateLimit } from '../src/abuse/parse-rate-limit.ts'
import { expectToLimit, LIMIT, MINUTE } from './rate-limiting.ts'

const times = (count: number) => Array.from({ length: count }, (_, i) => i)

describe('a rate limit', () => {
  it.each([
    ['20/1m', { quota: 20, window: MINUTE }],
    ['1/1s', { quota: 1, window: 1_000 }],
    ['999999/1d', { quota: 999_999, window: 86_400_000 }],
    ['0/1m', undefined],
    ['20', undefined],
    ['20/', undefined],
    ['20/0s', undefined],
    ['20/2d', undefined],
    ['20/1m ', undefined],
    ['-1/1m', undefined],
    ['1e3/1m', undefined],
    ['20 / 1m', undefined],
    ['off', undefined],
  ])('is read from %s', (text, limit) => {
    expect(parseRateLimit(text)).toEqual(limit)
  })

  it.each([
    ['20/1m', 100],
    ['1/1d', 100],
    ['100/1m', 500],
  ])('of %s for a client is one of %i forms an hour for a network', (text, quota) => {
    expect(networkLimitOf(parseRateLimit(text)!)).toEqual({ quota, window: 60 * MINUTE })
  })
})

describe('a rate limiter in memory', () => {
  it('counts every client, and every action, apart, and says how it stands', async () => {
    const limiter = new MemoryRateLimiter(LIMIT)
    await expectToLimit(limiter, limiter)
  })

  it('lets exactly the quota through of many at once', async () => {
    const limiter = new MemoryRateLimiter({ quota: 20, window: MINUTE })
    const states = await Promise.all(times(1_000).map(() => limiter.count('subscribe', '192.0.2.1')))
    expect(states.filter(({ allowed }) => allowed)).toHaveLength(20)
  })

  it('starts again when the window is over', async () => {
    vi.useFakeTimers({ toFake: ['performance'] })
    onTestFinished(() => void vi.useRealTimers())
    const limiter = new MemoryRateLimiter({ quota: 1, window: 1_000 })
    await limiter.count('subscribe', '192.0.2.1')
    vi.advanceTimersByTime(400)
    expect(await limiter.count('subscribe', '192.0.2.1')).toEqual({ allowed: false, remaining: 0, resetIn: 600 })
    vi.advanceTimersByTime(600)
    expect(await limiter.count('subscribe', '192.0.2.1')).toEqual({ allowed: true, remaining: 0, resetIn: 1_000 })
  })

  it('never says that a window is longer than it is', async () => {
    const now = vi.spyOn(performance, 'now')
    onTestFinished(() => now.mockRestore())
    const limiter = new MemoryRateLimiter(LIMIT)
    for (const n of times(100)) {
      // Of numbers with fractions, some come out longer: (100000.7 + 60000) - 100000.7 is more than 60000.
      now.mockReturnValue(100_000 + n / 10)
      expect((await limiter.count('subscribe', `client ${n}`)).resetIn).toBeLessThanOrEqual(MINUTE)
    }
  })

  it('remembers only so many clients, however many there are, and forgets those that began longest ago', async () => {
    const limiter = new MemoryRateLimiter({ quota: 1, window: MINUTE })
    for (const n of times(100_000)) await limiter.count('subscribe', `client ${n}`)
    expect(await limiter.count('subscribe', 'client 99999')).toMatchObject({ allowed: false })
    expect(await limiter.count('subscribe', 'client 50000')).toMatchObject({ allowed: false })
    expect(await limiter.count('subscribe', 'client 49999')).toMatchObject({ allowed: true })
  })
})
