import { expect, it } from 'vitest'
import type { MonthlyMail, PlannedReminder } from '../src/index.ts'
import { aSubscription, begin, hashOf, upTo } from './samples.ts'
import { storageSuite } from './storage-under-test.ts'

const EPISODE = '0123456789abcdef'
const GROUP = 'fedcba9876543210'

const aReminder = (id: number, other: Partial<PlannedReminder> = {}): PlannedReminder => ({
  id,
  episode: EPISODE,
  remindAt: 10 * id,
  expiresAt: 1_000,
  signUpGroup: undefined,
  ...other,
})

export const reminderStoreContract = storageSuite('a store of reminders', (storage) => {
  const { run, undone, stores } = storage
  const find = (id: number) => stores.reminders.find(id)
  const lastOf = (digit: string, mail: MonthlyMail = 'reminder') => stores.reminders.lastOf(hashOf(digit), mail)
  const due = async (now: number, limit = 10) => (await stores.reminders.due(now, limit)).map(({ id }) => id)
  const put = (count: number) => run((stores) => begin(stores, ...upTo(count).map((id) => aSubscription(id))))

  it('finds nothing where there is nothing', async () => {
    expect([await find(1), await lastOf('a'), await due(Number.MAX_SAFE_INTEGER)]).toEqual([undefined, undefined, []])
    await stores.reminders.cancel(1)
  })

  it('gives back what is planned, of one feed or of several, replaces it whole, and cancels it', async () => {
    await put(2)
    await stores.reminders.plan(aReminder(1))
    await stores.reminders.plan(aReminder(2, { signUpGroup: GROUP }))
    expect([await find(1), await find(2)]).toEqual([aReminder(1), aReminder(2, { signUpGroup: GROUP })])
    const later = aReminder(2, { episode: GROUP, remindAt: 77, expiresAt: Number.MAX_SAFE_INTEGER })
    await stores.reminders.plan(later)
    expect(await find(2)).toEqual(later)
    await stores.reminders.cancel(2)
    expect([await find(1), await find(2)]).toEqual([aReminder(1), undefined])
  })

  it('lists those that are due, soonest first, so many at a time', async () => {
    await put(3)
    for (const [id, remindAt] of [
      [1, 30],
      [2, 10],
      [3, 20],
    ] as const)
      await stores.reminders.plan(aReminder(id, { remindAt }))
    expect(await due(20)).toEqual([2, 3])
    expect(await due(30, 2)).toEqual([2, 3])
    expect(await due(9)).toEqual([])
    expect(await stores.reminders.due(10, 10)).toEqual([aReminder(2, { remindAt: 10 })])
  })

  it('plans for a subscription that begins in the same unit, and for none that is not stored', async () => {
    await run(async (stores) => {
      await begin(stores, aSubscription(1))
      await stores.reminders.plan(aReminder(1))
      expect(await stores.reminders.find(1)).toEqual(aReminder(1))
    })
    await expect(stores.reminders.plan(aReminder(2))).rejects.toThrow(RangeError)
    expect([await find(1), await find(2)]).toEqual([aReminder(1), undefined])
  })

  it('keeps what is planned when the subscription changes, and forgets it when that is erased', async () => {
    await put(1)
    await stores.reminders.plan(aReminder(1))
    await stores.subscriptions.put(aSubscription(1, { name: 'changed' }))
    expect(await find(1)).toEqual(aReminder(1))
    await stores.subscriptions.erase(1)
    expect(await find(1)).toBeUndefined()
    await put(1)
    expect([await find(1), await due(Number.MAX_SAFE_INTEGER)]).toEqual([undefined, []])
  })

  it('remembers when a mailbox last had a monthly mail, each kind by itself, and forgets the oldest of those from before a time', async () => {
    await stores.reminders.note(hashOf('a'), 'reminder', 1)
    await stores.reminders.note(hashOf('b'), 'reminder', 2)
    await stores.reminders.note(hashOf('c'), 'reminder', 3)
    await stores.reminders.note(hashOf('a'), 'reminder', 4)
    await stores.reminders.note(hashOf('a'), 'preferences', 3)
    expect([await lastOf('a'), await lastOf('b'), await lastOf('c')]).toEqual([4, 2, 3])
    expect(await stores.reminders.prune(2, 10)).toBe(0)
    expect(await stores.reminders.prune(4, 1)).toBe(1)
    expect([await lastOf('a'), await lastOf('b'), await lastOf('c')]).toEqual([4, undefined, 3])
    expect(await lastOf('a', 'preferences')).toBe(3)
    expect(await stores.reminders.prune(4, 10)).toBe(2)
    expect([await lastOf('a'), await lastOf('a', 'preferences'), await lastOf('c')]).toEqual([4, undefined, undefined])
  })

  it('keeps nothing of a unit that throws', async () => {
    await put(1)
    await undone(({ reminders }) => reminders.plan(aReminder(1)))
    await undone(({ reminders }) => reminders.note(hashOf('a'), 'reminder', 1))
    expect([await find(1), await lastOf('a')]).toEqual([undefined, undefined])
  })

  it('gives one that is due to one of several units at the same time', async () => {
    await put(1)
    await stores.reminders.plan(aReminder(1))
    const found = await storage.atOnce(4, async ({ reminders }) => {
      const due = await reminders.due(10, 10)
      for (const { id } of due) await reminders.cancel(id)
      return due.length
    })
    expect(found.reduce((sum, count) => sum + count, 0)).toBe(1)
  })
})
