import type { RateLimiter } from '@rollcall/http-koa/host'
import { expect } from 'vitest'

export const MINUTE = 60_000
export const LIMIT = { quota: 3, window: MINUTE }

/** Of two that count together, or of one twice, by `LIMIT`. */
export const expectToLimit = async (one: RateLimiter, other: RateLimiter): Promise<void> => {
  const states = []
  for (const limiter of [one, other, one, other, one]) states.push(await limiter.count('subscribe', '192.0.2.1'))
  expect(states.map(({ allowed, remaining }) => [allowed, remaining])).toEqual([
    [true, 2],
    [true, 1],
    [true, 0],
    [false, 0],
    [false, 0],
  ])
  for (const { resetIn } of states) {
    expect(resetIn).toBeGreaterThan(0)
    expect(resetIn).toBeLessThanOrEqual(MINUTE)
  }
  expect(await other.count('links', '192.0.2.1')).toMatchObject({ allowed: true })
  expect(await one.count('subscribe', '192.0.2.2')).toMatchObject({ allowed: true, remaining: 2 })
}
