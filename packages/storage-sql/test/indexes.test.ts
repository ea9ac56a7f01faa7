import type { AddressHash, FeedName, Stores, Subscription } from '@rollcall/core'
import { describe, expect, it } from 'vitest'
import { lookAt, newDatabase, openStorage } from './temporary-storage.ts'

const ROWS = 3_000
/** Far apart, so that neighbours in an index over ids are none in the table. */
const idOf = (n: number): number => ((n * 7_368_787) % 1_000_000_007) + 1

const subscription = (n: number, changes: Partial<Subscription> = {}): Subscription => ({
  id: idOf(n),
  feed: 'default' as FeedName,
  email: `s${n}@example.com`,
  addressKey: `s${n}@example.com`,
  address: `${n}`.padStart(32, '0') as AddressHash,
  name: 'Before',
  locale: undefined,
  status: 'pending',
  episode: '0123456789abcdef',
  createdAt: n,
  confirmedAt: undefined,
  endedAt: undefined,
  expiresAt: 1_000_000 - n,
  lastMail: undefined,
  ...changes,
})

const put = async ({ subscriptions }: Stores, one: Subscription): Promise<void> => {
  const { feed, addressKey, id } = one
  await subscriptions.locate({ feed, addressKey, fingerprint: `${id}`, candidate: () => id })
  await subscriptions.put(one)
}

const pagesIn = (file: string): number =>
  lookAt(file, (database) => database.prepare<[], { log: number }>('PRAGMA wal_checkpoint(NOOP)').get()?.log ?? 0)

describe('the indexes of subscriptions', () => {
  const filled = async () => {
    const file = await newDatabase()
    const storage = await openStorage(file)
    await storage.unitOfWork.run(async (stores) => {
      for (let n = 0; n < ROWS; n++) await put(stores, subscription(n))
    })
    expect(await storage.truncateLog()).toBe(true)
    /** How many pages are written by this change alone. */
    const pagesFor = async (changed: Subscription) => {
      const before = pagesIn(file)
      await storage.unitOfWork.run((stores) => put(stores, changed))
      expect(await storage.readers.subscriptions.find(changed.id)).toEqual(changed)
      return pagesIn(file) - before
    }
    return { storage, pagesFor }
  }

  it('are not written where neither feed nor status, expiry or name changes: one page of one row is', async () => {
    const { pagesFor } = await filled()
    const changes = { locale: 'de', lastMail: 7, episode: 'fedcba9876543210' }
    expect(await pagesFor(subscription(1_500, changes))).toBe(1)
  })

  it('follow every change of what they are made of', async () => {
    const { storage, pagesFor } = await filled()
    const confirmed = subscription(1_500, { status: 'confirmed', confirmedAt: 5, expiresAt: undefined })
    expect(await pagesFor(confirmed)).toBeGreaterThan(2)
    const { subscriptions } = storage.readers
    const stretch = { after: 0, limit: 10 }
    expect((await subscriptions.list({ ...stretch, status: 'confirmed' })).items).toEqual([confirmed])
    const sooner = subscription(1, { expiresAt: 3 })
    await pagesFor(sooner)
    const soonest = await storage.unitOfWork.run((stores) => stores.subscriptions.expired(3, 10))
    expect(soonest).toEqual([sooner])
  })
})
