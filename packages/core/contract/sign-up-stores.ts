import { expect, it } from 'vitest'
import type { MailSlot } from '../src/index.ts'
import { hashOf, TEXTS, THEN } from './samples.ts'
import { storageSuite } from './storage-under-test.ts'

export const mailCapStoreContract = storageSuite('a mail cap store', ({ stores }) => {
  const slots = async (digit: string) => (await stores.mailCaps.slotsOf([hashOf(digit)])).get(hashOf(digit)) ?? []
  const put = (digit: string, ...all: MailSlot[]) => stores.mailCaps.put(new Map([[hashOf(digit), all]]))
  const slot = (at: number): MailSlot => ({ at, messageId: `m${at}.0123456789abcdef` })

  it('is empty where nothing is known', async () => {
    expect(await slots('a')).toEqual([])
  })

  it('gives back the slots of each address as they were put, and replaces them whole', async () => {
    await put('a', slot(1), slot(2), slot(Date.now()))
    await put('b', slot(5))
    expect(await slots('b')).toEqual([slot(5)])
    await put('a', slot(2), slot(3))
    expect(await slots('a')).toEqual([slot(2), slot(3)])
    await put('a')
    expect(await slots('a')).toEqual([])
    expect(await slots('b')).toEqual([slot(5)])
  })

  it('gives back and replaces those of many addresses at once, without those that are unknown', async () => {
    await put('a', slot(1))
    await put('b', slot(2))
    await put('c', slot(3))
    expect(await stores.mailCaps.slotsOf([])).toEqual(new Map())
    const many = ['c', 'd', 'a', 'c'].map((digit) => hashOf(digit))
    expect(await stores.mailCaps.slotsOf(many)).toEqual(
      new Map([
        [hashOf('a'), [slot(1)]],
        [hashOf('c'), [slot(3)]],
      ]),
    )
    const changed = new Map([
      [hashOf('a'), [slot(1), { ...slot(9), reminder: true as const }]],
      [hashOf('b'), []],
      [hashOf('d'), [slot(4)]],
      [hashOf('e'), []],
    ])
    await stores.mailCaps.put(changed)
    await stores.mailCaps.put(new Map())
    expect(await Promise.all(['a', 'b', 'c', 'd', 'e'].map(slots))).toEqual([
      changed.get(hashOf('a')),
      [],
      [slot(3)],
      [slot(4)],
      [],
    ])
    expect(await stores.mailCaps.prune(9, 10)).toBe(2)
  })

  it('keeps every try of one mail', async () => {
    const [first, second] = [slot(1), { ...slot(1), at: 2 }]
    await put('a', first, second)
    expect(await slots('a')).toEqual([first, second])
  })

  it('forgets an address whose last slot is before the given time, and no other', async () => {
    await put('a', slot(1), slot(99))
    await put('b', slot(1), slot(100))
    await put('c', slot(50))
    expect(await stores.mailCaps.prune(100, 10)).toBe(2)
    expect(await slots('a')).toEqual([])
    expect(await slots('b')).toEqual([slot(1), slot(100)])
    expect(await slots('c')).toEqual([])
  })

  it('forgets no more than the limit at once, and says how many it forgot', async () => {
    for (const digit of ['a', 'b', 'c']) await put(digit, slot(1))
    const prune = () => stores.mailCaps.prune(100, 2)
    expect([await prune(), await prune(), await prune()]).toEqual([2, 1, 0])
  })
})

export const spentChallengeStoreContract = storageSuite('a spent challenge store', (storage) => {
  const { run, undone, atOnce, stores, another } = storage
  const spend = (id: string, expiresAt = THEN) => stores.spentChallenges.spend(id, expiresAt)
  const prune = (before: number, limit = 10) => stores.spentChallenges.prune(before, limit)

  it('lets each be spent once, whatever time comes with it', async () => {
    const spent = [await spend('a'), await spend('a'), await spend('a', THEN + 1), await spend('b')]
    expect(spent).toEqual([true, false, false, true])
  })

  it('distinguishes them by every character and its case', async () => {
    for (const id of TEXTS) expect(await spend(id)).toBe(true)
    expect([await spend('A'), await spend('a')]).toEqual([true, true])
    for (const id of TEXTS) expect(await spend(id)).toBe(false)
  })

  it('knows within a unit what the unit has spent', async () => {
    const spent = await run(async ({ spentChallenges }) => [
      await spentChallenges.spend('a', THEN),
      await spentChallenges.spend('a', THEN),
    ])
    expect(spent).toEqual([true, false])
  })

  it('lets exactly one win of many who spend the same at the same time, on any number of handles', async () => {
    const other = await another()
    const spent = await atOnce(40, ({ spentChallenges }) => spentChallenges.spend('a', THEN))
    expect(spent.filter(Boolean)).toHaveLength(1)
    expect(await other.unitOfWork.run(({ spentChallenges }) => spentChallenges.spend('a', THEN))).toBe(false)
  })

  it('leaves unspent what was spent by a unit that threw', async () => {
    await undone(({ spentChallenges }) => spentChallenges.spend('a', THEN))
    expect(await spend('a')).toBe(true)
  })

  it('forgets those that expire before the given time, and no other', async () => {
    for (const [id, expiresAt] of Object.entries({ a: 99, b: 100, c: 1 })) await spend(id, expiresAt)
    expect(await prune(100)).toBe(2)
    expect(await spend('b')).toBe(false)
    expect([await spend('a'), await spend('c')]).toEqual([true, true])
  })

  it('forgets no more than the limit at once, and says how many it forgot', async () => {
    for (const id of ['a', 'b', 'c']) await spend(id, 1)
    expect([await prune(100, 2), await prune(100, 2), await prune(100, 2)]).toEqual([2, 1, 0])
  })
})
