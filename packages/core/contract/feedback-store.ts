import { expect, it } from 'vitest'
import type { WaitingFeedback } from '../src/index.ts'
import { feedName, hashOf, TEXTS, THEN } from './samples.ts'
import { storageSuite } from './storage-under-test.ts'

const BOUNCE: WaitingFeedback = {
  caller: 'mailer',
  channel: 'http',
  feeds: [feedName('weekly'), feedName('daily')],
  kind: 'bounce',
  address: hashOf('a'),
  mailbox: hashOf('b'),
  subscription: Number.MAX_SAFE_INTEGER,
  permanent: true,
  status: '5.1.1',
  at: THEN,
  since: THEN + 5,
}
const COMPLAINT: WaitingFeedback = {
  ...BOUNCE,
  caller: 'operator:rollcall',
  channel: 'feedback',
  feeds: undefined,
  kind: 'complaint',
  address: hashOf('c'),
  subscription: undefined,
  permanent: false,
  status: undefined,
}

export const feedbackStoreContract = storageSuite('a feedback store', ({ alike, undone, atOnce, stores, another }) => {
  const list = (after = 0, limit = 50) => alike(({ feedback }) => feedback.list({ after, limit }))
  const see = (id: string, expiresAt = THEN) => stores.feedback.see(id, expiresAt)
  const counted = (caller: string, day: number) => alike(({ feedback }) => feedback.counted(caller, day))

  it('lists what waits exactly as it was added, the oldest first, stretch by stretch', async () => {
    const third: WaitingFeedback = { ...BOUNCE, caller: 'other', feeds: [] }
    for (const one of [COMPLAINT, BOUNCE, third]) await stores.feedback.add(one)
    const { items, next } = await list(0, 2)
    expect(items).toMatchObject([COMPLAINT, BOUNCE])
    const rest = await list(next)
    expect(rest.items).toMatchObject([third])
    expect(rest.next).toBeUndefined()
    for (const one of [...items, ...rest.items])
      expect(await alike(({ feedback }) => feedback.find(one.id))).toEqual(one)
  })

  it('lists what waits about one address, the oldest first', async () => {
    const others = (['x', 'y'] as const).map((caller) => ({ ...BOUNCE, caller }))
    for (const one of [BOUNCE, COMPLAINT, ...others]) await stores.feedback.add(one)
    const of = (name: string) => alike(({ feedback }) => feedback.ofAddress(hashOf(name)))
    expect(await of('a')).toMatchObject([BOUNCE, ...others])
    expect((await of('a'))[0]).toEqual((await list()).items[0])
    expect(await of('z')).toEqual([])
  })

  it('keeps the first of what the same caller reports of an address in the same way', async () => {
    for (const one of [BOUNCE, { ...BOUNCE, status: '5.2.1', since: 1 }]) await stores.feedback.add(one)
    expect((await list()).items).toMatchObject([BOUNCE])
  })

  it('removes one, and says whether it waited; its id never comes back', async () => {
    await stores.feedback.add(BOUNCE)
    const id = (await list()).items[0]?.id ?? 0
    expect([await stores.feedback.remove(id), await stores.feedback.remove(id)]).toEqual([true, false])
    expect(await alike(({ feedback }) => feedback.find(id))).toBeUndefined()
    await stores.feedback.add(BOUNCE)
    expect((await list()).items[0]?.id).toBeGreaterThan(id)
  })

  it('removes all that waits about an address, and nothing about another', async () => {
    for (const one of [BOUNCE, COMPLAINT, { ...BOUNCE, kind: 'complaint' as const }]) await stores.feedback.add(one)
    await stores.feedback.removeOf(hashOf('a'))
    expect((await list()).items).toMatchObject([COMPLAINT])
  })

  it('removes the bounces that wait about some addresses, and neither complaints nor any about another', async () => {
    const complaint: WaitingFeedback = { ...BOUNCE, kind: 'complaint' }
    const others = [COMPLAINT, { ...BOUNCE, address: hashOf('d') }]
    for (const one of [BOUNCE, complaint, { ...BOUNCE, caller: 'other' }, ...others]) await stores.feedback.add(one)
    await stores.feedback.removeBounces([hashOf('a'), hashOf('c'), hashOf('z')])
    expect((await list()).items).toMatchObject([complaint, ...others])
  })

  it('has all that waits about an address name another subscription, and nothing about another address', async () => {
    for (const one of [BOUNCE, COMPLAINT, { ...BOUNCE, kind: 'complaint' as const }]) await stores.feedback.add(one)
    await stores.feedback.nameFor(hashOf('a'), 7)
    expect((await list()).items).toMatchObject([
      { ...BOUNCE, subscription: 7 },
      COMPLAINT,
      { ...BOUNCE, kind: 'complaint', subscription: 7 },
    ])
  })

  it('removes what waits since before the given time, and no more than the limit', async () => {
    for (const since of [99, 100, 1, 50]) await stores.feedback.add({ ...BOUNCE, caller: `c${since}`, since })
    const prune = () => stores.feedback.pruneWaiting(100, 2)
    expect([await prune(), await prune(), await prune()]).toEqual([2, 1, 0])
    expect((await list()).items.map(({ since }) => since)).toEqual([100])
  })

  it('sees each id once, whatever time comes with it, and tells ids apart by every character', async () => {
    for (const id of TEXTS) expect([await see(id), await see(id, THEN + 1)]).toEqual([true, false])
    expect([await see('A'), await see('a')]).toEqual([true, true])
  })

  it('lets exactly one be first of many that see the same at the same time, on any number of handles', async () => {
    const other = await another()
    const seen = await atOnce(40, ({ feedback }) => feedback.see('a', THEN))
    expect(seen.filter(Boolean)).toHaveLength(1)
    expect(await other.unitOfWork.run(({ feedback }) => feedback.see('a', THEN))).toBe(false)
  })

  it('has not seen what a unit saw that threw', async () => {
    await undone(({ feedback }) => feedback.see('a', THEN))
    expect(await see('a')).toBe(true)
  })

  it('forgets ids that were to be remembered until before the given time, and no more than the limit', async () => {
    for (const [id, expiresAt] of Object.entries({ a: 99, b: 100, c: 1, d: 2 })) await see(id, expiresAt)
    const prune = () => stores.feedback.pruneSeen(100, 2)
    expect([await prune(), await prune(), await prune()]).toEqual([2, 1, 0])
    expect([await see('b'), await see('c')]).toEqual([false, true])
  })

  it('adds up the addresses of each caller and day', async () => {
    expect(await counted('mailer', 20_000)).toBe(0)
    await stores.feedback.count('mailer', 20_000, 3)
    await stores.feedback.count('mailer', 20_000, 40)
    await stores.feedback.count('mailer', 20_001, 1)
    await stores.feedback.count('Mailer', 20_000, 7)
    expect([await counted('mailer', 20_000), await counted('mailer', 20_001)]).toEqual([43, 1])
    expect([await counted('Mailer', 20_000), await counted('other', 20_000)]).toEqual([7, 0])
  })

  it('loses no count of many that are added at the same time, on any number of handles', async () => {
    await atOnce(40, ({ feedback }) => feedback.count('mailer', 20_000, 2))
    expect(await counted('mailer', 20_000)).toBe(80)
  })

  it('forgets the counts of days before the given one, and no more than the limit', async () => {
    for (const day of [1, 2, 3, 4]) await stores.feedback.count('mailer', day, 1)
    const prune = () => stores.feedback.pruneCounts(4, 2)
    expect([await prune(), await prune(), await prune()]).toEqual([2, 1, 0])
    expect([await counted('mailer', 3), await counted('mailer', 4)]).toEqual([0, 1])
  })
})
