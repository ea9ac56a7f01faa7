import { expect, it } from 'vitest'
import { PREFIX_DIGITS, type SuppressionCause } from '../src/index.ts'
import { hashOf } from './samples.ts'
import { storageSuite } from './storage-under-test.ts'

export const suppressionStoreContract = storageSuite('a suppression store', ({ alike, undone, atOnce, stores }) => {
  const add = (digit: string, cause: SuppressionCause, since: number) =>
    stores.suppressions.add(hashOf(digit), { cause, since })
  const remove = (digit: string) => stores.suppressions.remove(hashOf(digit))
  const findMany = (...digits: string[]) => alike(({ suppressions }) => suppressions.findMany(digits.map(hashOf)))
  const find = async (digit: string) => (await findMany(digit)).get(hashOf(digit))
  const list = (after = 0, limit = 50) => alike(({ suppressions }) => suppressions.list({ after, limit }))
  const addressesOf = async (after?: number) => (await list(after)).items.map(({ address }) => address.charAt(0))

  it('finds what was added, and nothing for any other address', async () => {
    await add('a', 'refused', 123)
    await add('b', 'never-again', 0)
    expect(await find('a')).toEqual({ cause: 'refused', since: 123 })
    expect(await find('b')).toEqual({ cause: 'never-again', since: 0 })
    expect(await find('c')).toBeUndefined()
  })

  it('finds what is known of each of many addresses', async () => {
    await add('a', 'refused', 1)
    await add('a', 'complaint', 2)
    await add('b', 'blocked', 3)
    await add('d', 'never-again', 4)
    const findMany = (...digits: string[]) =>
      alike(({ suppressions }) => suppressions.findMany(digits.map((digit) => hashOf(digit))))
    expect(await findMany()).toEqual(new Map())
    expect(await findMany('b', 'c', 'a', 'd', 'b')).toEqual(
      new Map([
        [hashOf('a'), { cause: 'refused', since: 1, block: { cause: 'complaint', since: 2 } }],
        [hashOf('b'), await find('b')],
        [hashOf('d'), { cause: 'never-again', since: 4, block: undefined }],
      ]),
    )
  })

  it('keeps the first if an address is suppressed again for the same cause', async () => {
    for (const since of [1, 2]) {
      await add('a', 'refused', since)
      await add('b', 'never-again', since)
    }
    expect(await find('a')).toEqual({ cause: 'refused', since: 1 })
    expect(await find('b')).toEqual({ cause: 'never-again', since: 1 })
  })

  it("lets 'never again' take the place of a refusal, and nothing take the place of 'never again'", async () => {
    await add('a', 'refused', 1)
    await add('a', 'never-again', 2)
    expect(await find('a')).toEqual({ cause: 'never-again', since: 2 })
    await add('a', 'refused', 3)
    expect(await find('a')).toEqual({ cause: 'never-again', since: 2 })
  })

  it('lists all in the order in which they were first suppressed, stretch by stretch', async () => {
    for (const digit of ['c', 'a', 'b', '7', '3']) await add(digit, 'refused', 1)
    await add('c', 'never-again', 9)
    const first = await list(0, 2)
    expect(first.items).toEqual([
      { address: hashOf('c'), cause: 'never-again', since: 9 },
      { address: hashOf('a'), cause: 'refused', since: 1 },
    ])
    const second = await list(first.next, 3)
    expect(second.items.map(({ address }) => address)).toEqual(['b', '7', '3'].map(hashOf))
    expect(second.next).toBeUndefined()
  })

  it('finds no longer what was removed, says whether it was there, and leaves the others', async () => {
    await add('a', 'never-again', 1)
    await add('b', 'refused', 1)
    expect([await remove('a'), await remove('a'), await remove('c')]).toEqual([true, false, false])
    expect(await find('a')).toBeUndefined()
    expect(await addressesOf()).toEqual(['b'])
  })

  it('starts again with an address that was removed: any cause, and at the end of the list', async () => {
    await add('a', 'never-again', 1)
    await add('b', 'refused', 1)
    await remove('a')
    await add('a', 'refused', 7)
    expect(await find('a')).toEqual({ cause: 'refused', since: 7 })
    expect(await addressesOf()).toEqual(['b', 'a'])
  })

  it('stays in step when addresses are added and removed between two stretches', async () => {
    for (const digit of ['a', 'b', 'c', 'd']) await add(digit, 'refused', 1)
    const { next } = await list(0, 2)
    for (const digit of ['a', 'b', 'c']) await remove(digit)
    await add('e', 'refused', 1)
    expect(await addressesOf(next)).toEqual(['d', 'e'])
  })

  it("forgets no 'never again' when many are added at the same time, on any number of handles", async () => {
    await atOnce(40, ({ suppressions }, n) =>
      suppressions.add(hashOf('a'), { cause: n === 20 ? 'never-again' : 'refused', since: n }),
    )
    expect(await find('a')).toEqual({ cause: 'never-again', since: 20 })
    expect(await addressesOf()).toEqual(['a'])
  })

  it('keeps what an owner asked for and a block side by side, in whichever order they come', async () => {
    await add('a', 'refused', 1)
    await add('a', 'blocked', 2)
    await add('b', 'complaint', 3)
    expect(await find('b')).toEqual({ cause: 'complaint', since: 3, block: { cause: 'complaint', since: 3 } })
    await add('b', 'never-again', 4)
    expect(await find('a')).toEqual({ cause: 'refused', since: 1, block: { cause: 'blocked', since: 2 } })
    expect(await find('b')).toEqual({ cause: 'never-again', since: 4, block: { cause: 'complaint', since: 3 } })
    expect((await list()).items).toEqual([
      { address: hashOf('a'), cause: 'refused', since: 1, block: { cause: 'blocked', since: 2 } },
      { address: hashOf('b'), cause: 'never-again', since: 4, block: { cause: 'complaint', since: 3 } },
    ])
  })

  it('lets a complaint take the place of a block, with or without an owner who refused, and never the other way', async () => {
    await add('a', 'blocked', 1)
    await add('b', 'refused', 1)
    await add('b', 'blocked', 1)
    for (const digit of ['a', 'b']) for (const since of [2, 3]) await add(digit, 'complaint', since)
    for (const digit of ['a', 'b']) await add(digit, 'blocked', 4)
    expect(await find('a')).toEqual({ cause: 'complaint', since: 2, block: { cause: 'complaint', since: 2 } })
    expect(await find('b')).toEqual({ cause: 'refused', since: 1, block: { cause: 'complaint', since: 2 } })
  })

  it('gives the beginnings of the hashes that are blocked', async () => {
    const beginnings = async () => {
      const { prefixes, next } = await alike(({ suppressions }) => suppressions.blockedPrefixes(''))
      expect([prefixes.length % PREFIX_DIGITS, next]).toEqual([0, undefined])
      return prefixes
    }
    await add('a', 'never-again', 1)
    expect(await beginnings()).toBe('')
    for (const digit of ['a', 'b']) await add(digit, 'blocked', 2)
    await add('d', 'complaint', 2)
    expect(await beginnings()).toBe(['a', 'b', 'd'].map((digit) => hashOf(digit).slice(0, PREFIX_DIGITS)).join(''))
    for (const digit of ['a', 'b', 'd']) await remove(digit)
    expect(await beginnings()).toBe('')
  })

  it('keeps what a unit that throws has removed', async () => {
    await add('a', 'refused', 1)
    await undone(({ suppressions }) => suppressions.remove(hashOf('a')))
    expect(await find('a')).toEqual({ cause: 'refused', since: 1 })
  })
})
