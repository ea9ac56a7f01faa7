import { expect, it } from 'vitest'
import { type AddressHash, type Deliverability, PREFIX_DIGITS } from '../src/index.ts'
import { hashOf, THEN, upTo } from './samples.ts'
import { storageSuite } from './storage-under-test.ts'

const UNDELIVERABLE: Deliverability = {
  state: 'undeliverable',
  since: THEN,
  status: '5.1.1',
  days: [],
  expiresAt: THEN + 1_000,
}
const FAILING: Deliverability = {
  ...UNDELIVERABLE,
  state: 'failing',
  status: undefined,
  days: [20_000, 20_003],
}

export const deliverabilityStoreContract = storageSuite('a deliverability store', (storage) => {
  const { alike, atOnce, run, undone, stores } = storage
  const put = (digit: string, deliverability = UNDELIVERABLE) =>
    stores.deliverability.put(hashOf(digit), deliverability)
  const erase = (digit: string) => stores.deliverability.erase(hashOf(digit))
  const find = (digit: string) => alike(({ deliverability }) => deliverability.find(hashOf(digit)))
  const findMany = (addresses: readonly AddressHash[]) =>
    alike(({ deliverability }) => deliverability.findMany(addresses))
  const list = (after = 0, limit = 50, state?: 'failing' | 'undeliverable') =>
    alike(({ deliverability }) => deliverability.list({ after, limit, state }))

  it('finds exactly what was put last, and nothing for any other address', async () => {
    await put('a')
    await put('b', FAILING)
    expect(await find('a')).toEqual(UNDELIVERABLE)
    expect(await find('b')).toEqual(FAILING)
    expect(await find('c')).toBeUndefined()
    await put('a', FAILING)
    expect(await find('a')).toEqual(FAILING)
  })

  it('finds within a unit what the unit has put', async () => {
    const within = await run(async ({ deliverability }) => {
      await deliverability.put(hashOf('a'), UNDELIVERABLE)
      return await deliverability.find(hashOf('a'))
    })
    expect(within).toEqual(UNDELIVERABLE)
  })

  it('finds what is known of many addresses', async () => {
    await put('a')
    await put('b', FAILING)
    await put('c')
    expect(await findMany([])).toEqual(new Map())
    expect(await findMany(['d', 'b', 'a', 'a'].map(hashOf))).toEqual(
      new Map([
        [hashOf('a'), UNDELIVERABLE],
        [hashOf('b'), FAILING],
      ]),
    )
  })

  it('takes 1,000 addresses in one question', async () => {
    const many = upTo(1_000).map((n) => n.toString(16).padStart(32, '0') as AddressHash)
    const known = [many[0], many[499], many[999]].filter((hash) => hash !== undefined)
    await run(async ({ deliverability }) => {
      for (const hash of known) await deliverability.put(hash, UNDELIVERABLE)
    })
    expect(new Set((await findMany(many)).keys())).toEqual(new Set(known))
  })

  it('gives the beginnings of the hashes that are undeliverable, however many there are', async () => {
    const beginnings = (after = 0) => alike(({ deliverability }) => deliverability.undeliverablePrefixes(after))
    await put('b', FAILING)
    expect(await beginnings()).toEqual({ prefixes: '', next: undefined })
    await put('b')
    await put('a')
    const [a, b] = ['a', 'b'].map((digit) => hashOf(digit).slice(0, PREFIX_DIGITS))
    expect(await beginnings()).toEqual({ prefixes: `${b}${a}`, next: undefined })
    await erase('b')
    expect(await beginnings()).toEqual({ prefixes: a, next: undefined })
  })

  it('gives the beginnings of more hashes than one answer has', async () => {
    const many = upTo(12_000).map((n) => (n * 1_117).toString(16).padStart(32, '0') as AddressHash)
    await run(async ({ deliverability }) => {
      for (const hash of many) await deliverability.put(hash, UNDELIVERABLE)
    })
    let found = ''
    for (let after: number | undefined = 0; after !== undefined; ) {
      const answer = await stores.deliverability.undeliverablePrefixes(after)
      found += answer.prefixes
      after = answer.next
    }
    expect(found === many.map((hash) => hash.slice(0, PREFIX_DIGITS)).join('')).toBe(true)
  })

  it('lists all in the order in which they first failed, stretch by stretch, or those of one state', async () => {
    for (const digit of ['c', 'a', 'b']) await put(digit, FAILING)
    await put('c')
    const first = await list(0, 2)
    expect(first.items).toEqual([
      { address: hashOf('c'), ...UNDELIVERABLE },
      { address: hashOf('a'), ...FAILING },
    ])
    const second = await list(first.next, 2)
    expect([second.items.map(({ address }) => address), second.next]).toEqual([[hashOf('b')], undefined])
    expect((await list(0, 50, 'undeliverable')).items.map(({ address }) => address)).toEqual([hashOf('c')])
    const failing = await list(0, 1, 'failing')
    expect(failing.items.map(({ address }) => address)).toEqual([hashOf('a')])
    const rest = await list(failing.next, 1, 'failing')
    expect([rest.items.map(({ address }) => address), rest.next]).toEqual([[hashOf('b')], undefined])
  })

  it('finds no longer what was erased, and leaves the others', async () => {
    await put('a')
    await put('b')
    for (const digit of ['a', 'a', 'c']) await erase(digit)
    expect(await findMany(['a', 'b', 'c'].map(hashOf))).toEqual(new Map([[hashOf('b'), UNDELIVERABLE]]))
  })

  it('keeps what it was when a unit throws', async () => {
    await put('a', FAILING)
    await undone(async ({ deliverability }) => {
      await deliverability.put(hashOf('a'), UNDELIVERABLE)
      await deliverability.put(hashOf('b'), UNDELIVERABLE)
    })
    expect([await find('a'), await find('b')]).toEqual([FAILING, undefined])
  })

  it('finds those that expire before the given time, the soonest first, and no more than the limit', async () => {
    for (const [digit, expiresAt] of Object.entries({ a: 99, b: 100, c: 1, d: 50 }))
      await put(digit, { ...(digit === 'd' ? FAILING : UNDELIVERABLE), expiresAt })
    const expired = () => run((unit) => unit.deliverability.expired(100, 2))
    expect(await expired()).toEqual([
      { address: hashOf('c'), ...UNDELIVERABLE, expiresAt: 1 },
      { address: hashOf('d'), ...FAILING, expiresAt: 50 },
    ])
    await erase('c')
    expect((await expired()).map(({ address }) => address)).toEqual([hashOf('d'), hashOf('a')])
    expect((await list()).items).toHaveLength(3)
  })

  it('gives an address that expires to one of many that forget at the same time, on any number of handles', async () => {
    await put('a', { ...UNDELIVERABLE, expiresAt: 1 })
    const found = await atOnce(10, async ({ deliverability }) => {
      const all = await deliverability.expired(100, 9)
      for (const { address } of all) await deliverability.erase(address)
      return all.length
    })
    expect(found.reduce((sum, count) => sum + count, 0)).toBe(1)
  })
})
