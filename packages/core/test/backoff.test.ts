import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DAY, HOUR, SECOND } from '../src/index.ts'
import { isGivenUp, nextAttemptAt } from '../src/outbox/backoff.ts'

describe('a mail that failed', () => {
  it('is tried again after about 5 s, then 10, 20, 40 ..., at most an hour', () => {
    const delays = [1, 2, 3, 4, 10, 11, 50, 5_000].map((attempts) => nextAttemptAt(attempts, 0, 1))
    expect(delays).toEqual([5, 10, 20, 40, 2_560, 3_600, 3_600, 3_600].map((seconds) => seconds * SECOND))
    expect(nextAttemptAt(0, 0, 1)).toBe(5 * SECOND)
  })

  it('waits at least half of that, the rest by chance, in whole milliseconds', () => {
    expect(nextAttemptAt(1, 7, 0)).toBe(7 + 2.5 * SECOND)
    fc.assert(
      fc.property(fc.nat(100), fc.nat(), fc.double({ min: 0, max: 1, noNaN: true }), (attempts, now, fraction) => {
        const at = nextAttemptAt(attempts, now, fraction)
        const full = nextAttemptAt(attempts, now, 1) - now
        expect(Number.isSafeInteger(at)).toBe(true)
        expect(at - now).toBeGreaterThanOrEqual(full / 2)
        expect(at - now).toBeLessThanOrEqual(full)
        expect(full).toBeLessThanOrEqual(HOUR)
      }),
    )
  })

  it('is given up after two days and ten tries', () => {
    expect(isGivenUp({ createdAt: 7, attempts: 10 }, 7 + 2 * DAY)).toBe(true)
    expect(isGivenUp({ createdAt: 7, attempts: 1_000 }, 6 + 2 * DAY)).toBe(false)
    expect(isGivenUp({ createdAt: 7, attempts: 9 }, 7 + 5 * DAY)).toBe(false)
  })
})
