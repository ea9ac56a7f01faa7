import { describe, expect, it } from 'vitest'
import { addressMarks, mostAddresses } from '../src/abuse/address-marks.ts'
import { MemoryNetworkLimiter } from '../src/abuse/memory-network-limiter.ts'
import { createNodeDigests } from '../src/platform/node-digests.ts'
import { nodeDomainNames } from '../src/platform/node-platform.ts'
import { networkLimiterSuite } from './network-limiter-suite.ts'

const marks = addressMarks(createNodeDigests('a secret for tests of limits'), nodeDomainNames)

const open = (mostAddresses?: number) => {
  let now = 5_000
  const limiter = new MemoryNetworkLimiter(60, marks, mostAddresses, () => now)
  const pass = (milliseconds: number): void => {
    now += milliseconds
  }
  return { limiter, pass }
}

networkLimiterSuite(async () => {
  const { limiter, pass } = open()
  return {
    limiter,
    another: limiter,
    passAnHour: async () => pass(3_600_000),
    [Symbol.asyncDispose]: async () => undefined,
  }
})

describe('a limiter of networks in memory', () => {
  it('lets a network name more than sixty addresses where the limit of a client was raised', () => {
    const most = (quota: number, window: number) => mostAddresses({ quota, window })
    expect([most(20, 60_000), most(1, 86_400_000), most(100, 60_000), most(10, 1_000)]).toEqual([60, 60, 300, 1_800])
  })

  it('says how long a network must wait from its first address on', async () => {
    const { limiter, pass } = open()
    await limiter.count('a', 'first@example.com')
    pass(1_000_000)
    for (let n = 0; n < 59; n++) await limiter.count('a', `p${n}@example.com`)
    expect(limiter.refusedFor('a')).toBe(2_600_000)
    pass(2_599_999)
    expect([limiter.refusedFor('a'), await limiter.count('a', 'x@example.com')]).toEqual([1, 1])
    pass(1)
    expect([limiter.refusedFor('a'), await limiter.count('a', 'x@example.com')]).toEqual([0, 0])
  })

  it('remembers only so many addresses, and forgets the networks that began longest ago', async () => {
    const { limiter, pass } = open(600)
    for (let n = 0; n < 100; n++) {
      for (let m = 0; m < 60; m++) await limiter.count(`network ${n}`, `p${m}@example.com`)
      pass(10)
    }
    expect(limiter.networks()).toHaveLength(10)
    expect([limiter.refusedFor('network 99') > 0, limiter.refusedFor('network 0')]).toEqual([true, 0])
  })

  it('forgets networks whose hour is over', async () => {
    const { limiter, pass } = open()
    for (const network of ['a', 'b']) await limiter.count(network, 'ada@example.com')
    pass(1_800_000)
    await limiter.count('c', 'ada@example.com')
    pass(1_800_000)
    await limiter.count('b', 'ada@example.com')
    expect([...limiter.networks()].sort()).toEqual(['b', 'c'])
    pass(1_800_000)
    await limiter.count('d', 'ada@example.com')
    expect([...limiter.networks()].sort()).toEqual(['b', 'd'])
  })

  it('counts a network that it remembers, and whose hour is over, as one that began now', async () => {
    const { limiter, pass } = open(60)
    await limiter.count('old', 'a@example.com')
    pass(3_600_000)
    for (let m = 0; m < 59; m++) await limiter.count('new', `p${m}@example.com`)
    await limiter.count('old', 'b@example.com')
    expect(limiter.networks()).toEqual(['new', 'old'])
    await limiter.count('old', 'c@example.com')
    expect(limiter.networks()).toEqual(['old'])
  })
})
