import { expect, it } from 'vitest'
import type { MailSlot, SignUpOutcome, SuppressionCause } from '../src/index.ts'
import { hashOf, TEXTS, THEN } from './samples.ts'
import { storageSuite } from './storage-under-test.ts'

export const suppressionStoreContract = storageSuite('a suppression store', ({ alike, undone, atOnce, stores }) => {
  const add = (digit: string, cause: SuppressionCause, since: number) =>
    stores.suppressions.add(hashOf(digit), { cause, since })
  const remove = (digit: string) => stores.suppressions.remove(hashOf(digit))
  const find = (digit: string) => alike(({ suppressions }) => suppressions.find(hashOf(digit)))
  const list = (after = 0, limit = 50) => alike(({ suppressions }) => suppressions.list({ after, limit }))
  const addressesOf = async (after?: number) => (await list(after)).items.map(({ address }) => address.charAt(0))

  it('finds what was added, and nothing for any other address', async () => {
    await add('a', 'refused', 123)
    await add('b', 'never-again', 0)
    expect(await find('a')).toEqual({ cause: 'refused', since: 123 })
    expect(await find('b')).toEqual({ cause: 'never-again', since: 0 })
    expect(await find('c')).toBeUndefined()
  })

  it('finds the one of the mailbox for an address that has none of its own', async () => {
    await add('b', 'refused', 5)
    await add('d', 'never-again', 7)
    await add('e', 'refused', 9)
    const findEither = (digit: string, mailbox: string) =>
      alike(({ suppressions }) => suppressions.find(hashOf(digit), hashOf(mailbox)))
    expect(await findEither('a', 'b')).toEqual({ cause: 'refused', since: 5 })
    expect(await findEither('b', 'a')).toEqual({ cause: 'refused', since: 5 })
    expect(await findEither('b', 'b')).toEqual({ cause: 'refused', since: 5 })
    for (const [own, mailbox, since] of [
      ['d', 'e', 7],
      ['e', 'd', 9],
    ] as const)
      expect(await findEither(own, mailbox)).toMatchObject({ since })
    expect([await findEither('a', 'c'), await findEither('c', 'c')]).toEqual([undefined, undefined])
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

  it('keeps what a unit that throws has removed', async () => {
    await add('a', 'refused', 1)
    await undone(({ suppressions }) => suppressions.remove(hashOf('a')))
    expect(await find('a')).toEqual({ cause: 'refused', since: 1 })
  })
})

export const mailCapStoreContract = storageSuite('a mail cap store', ({ stores }) => {
  const slots = (digit: string) => stores.mailCaps.slots(hashOf(digit))
  const put = (digit: string, ...all: MailSlot[]) => stores.mailCaps.put(hashOf(digit), all)
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

export const signUpCountStoreContract = storageSuite('a sign-up count store', (storage) => {
  const { run, alike, undone, atOnce, stores } = storage
  const count = (outcome: SignUpOutcome) => alike(({ signUpCounts }) => signUpCounts.count(outcome))

  it('counts each outcome by itself, from nothing', async () => {
    expect(await count('honeypot')).toBe(0)
    const outcomes = ['honeypot', 'suppressed', 'honeypot'] as const
    for (const outcome of outcomes) await stores.signUpCounts.add(outcome)
    expect(await count('honeypot')).toBe(2)
    expect(await count('suppressed')).toBe(1)
  })

  it('adds the given count, by default one', async () => {
    const within = await run(async ({ signUpCounts }) => {
      await signUpCounts.add('expired', 41)
      await signUpCounts.add('expired')
      return await signUpCounts.count('expired')
    })
    expect(within).toBe(42)
    expect(await count('expired')).toBe(42)
    expect(await count('unknown-address')).toBe(0)
  })

  it('counts nothing for a unit that throws', async () => {
    await stores.signUpCounts.add('expired', 2)
    await undone(({ signUpCounts }) => signUpCounts.add('expired', 5))
    expect(await count('expired')).toBe(2)
  })

  it('loses no count of many that are added at the same time, on any number of handles', async () => {
    await atOnce(40, ({ signUpCounts }) => signUpCounts.add('honeypot'))
    expect(await count('honeypot')).toBe(40)
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
