import type { NetworkLimiter } from '@rollcall/http-koa'
import { describe, expect, it } from 'vitest'

export interface LimiterUnderTest extends AsyncDisposable {
  readonly limiter: NetworkLimiter
  /** Another instance's; the same one where there can be no other. */
  readonly another: NetworkLimiter
  /** Has an hour pass. */
  passAnHour(): Promise<void>
}

const NETWORK = '192.0.2.0/24'
const HOUR = 3_600_000
const addresses = (count: number, prefix = 'p') => Array.from({ length: count }, (_, n) => `${prefix}${n}@example.com`)

const countAll = async (limiter: NetworkLimiter, emails: readonly string[], network = NETWORK): Promise<number[]> => {
  const waits: number[] = []
  for (const email of emails) waits.push(await limiter.count(network, email))
  return waits
}

/** What every limiter of networks promises. */
export const networkLimiterSuite = (open: () => Promise<LimiterUnderTest>): void => {
  describe('a limiter of networks', () => {
    it('lets sixty different addresses through, and then says how long the network must wait', async () => {
      await using at = await open()
      const { limiter } = at
      expect(limiter.refusedFor(NETWORK)).toBe(0)
      expect(await countAll(limiter, addresses(59))).toEqual(addresses(59).map(() => 0))
      expect(limiter.refusedFor(NETWORK)).toBe(0)
      expect(await limiter.count(NETWORK, 'last@example.com')).toBe(0)
      for (const wait of [limiter.refusedFor(NETWORK), await limiter.count(NETWORK, 'another@example.com')]) {
        expect(wait).toBeGreaterThan(0)
        expect(wait).toBeLessThanOrEqual(HOUR)
      }
    })

    it('counts an address once, however it is written', async () => {
      await using at = await open()
      for (const _ of addresses(30))
        for (const email of ['ada@bücher.example', 'ADA@xn--bcher-kva.example', 'Ada@BÜCHER.example'])
          expect(await at.limiter.count(NETWORK, email)).toBe(0)
      expect(await countAll(at.limiter, addresses(59))).toEqual(addresses(59).map(() => 0))
      expect(at.limiter.refusedFor(NETWORK)).toBeGreaterThan(0)
    })

    it('counts plus tags as the different addresses that they are', async () => {
      await using at = await open()
      await countAll(
        at.limiter,
        addresses(60).map((_, n) => `victim+${n}@example.com`),
      )
      expect(at.limiter.refusedFor(NETWORK)).toBeGreaterThan(0)
    })

    it('counts nothing that is not an address', async () => {
      await using at = await open()
      const waits = await countAll(at.limiter, [...addresses(100).map((_, n) => `no address ${n}`), '', '@', 'a@'])
      expect([new Set(waits), at.limiter.refusedFor(NETWORK)]).toEqual([new Set([0]), 0])
    })

    it('refuses a network that has used its addresses up, for addresses that were counted as for all others', async () => {
      await using at = await open()
      await countAll(at.limiter, addresses(60))
      for (const limiter of [at.limiter, at.another])
        for (const email of ['p0@example.com', 'p59@example.com', 'new@example.com'])
          expect(await limiter.count(NETWORK, email)).toBeGreaterThan(0)
    })

    it('counts every network apart', async () => {
      await using at = await open()
      await countAll(at.limiter, addresses(61))
      for (const network of ['192.0.3.0/24', '2001:db8:1::/48']) {
        expect(at.limiter.refusedFor(network)).toBe(0)
        expect(await countAll(at.limiter, addresses(60), network)).toEqual(addresses(60).map(() => 0))
        expect(at.limiter.refusedFor(network)).toBeGreaterThan(0)
      }
    })

    it('lets exactly sixty through of many at once, on all instances together', async () => {
      await using at = await open()
      const limiters = [at.limiter, at.another]
      const waits = await Promise.all(addresses(200).map((email, n) => limiters[n % 2]?.count(NETWORK, email)))
      expect(waits.filter((wait) => wait === 0)).toHaveLength(60)
    })

    it('starts again after an hour', async () => {
      await using at = await open()
      await countAll(at.limiter, addresses(61))
      await at.passAnHour()
      expect(at.limiter.refusedFor(NETWORK)).toBe(0)
      expect(await countAll(at.limiter, addresses(60, 'q'))).toEqual(addresses(60).map(() => 0))
      expect(at.limiter.refusedFor(NETWORK)).toBeGreaterThan(0)
    })
  })
}
