import { describe, expect, it } from 'vitest'
import type { Tombstone } from '../src/index.ts'
import { aTombstone, TEXTS, userId, VISIBLE_ASCII } from './samples.ts'
import { freshStorage, type OpenStorage } from './storage-under-test.ts'

export const tombstoneStoreContract = (open: OpenStorage) =>
  describe('a tombstone store', () => {
    const storage = freshStorage(open)
    const { run } = storage
    const has = (id: string) => run(({ tombstones }) => tombstones.has(userId(id)))
    const put = (id: string, tombstone: Tombstone = aTombstone) =>
      run(({ tombstones }) => tombstones.put(userId(id), tombstone))
    const find = (id: string) => storage.readers.tombstones.find(userId(id))

    it('has the ids that were put, in every unit afterwards and within the same one', async () => {
      const within = await run(async ({ tombstones }) => {
        await tombstones.put(userId('a'), aTombstone)
        return await tombstones.has(userId('a'))
      })
      expect(within).toBe(true)
      expect(await has('a')).toBe(true)
    })

    it('has no other: ids differ by every character and its case', async () => {
      await put('Ada')
      for (const id of ['ada', 'Ad', 'Ada ', 'Ada%', '%', ...TEXTS]) expect(await has(id)).toBe(false)
      expect(await find('ada')).toBeUndefined()
    })

    it('gives back every tombstone exactly as it was put last', async () => {
      const full: Tombstone = {
        deletedAt: Date.UTC(2026, 0, 1) + 123,
        audit: Number.MAX_SAFE_INTEGER,
        erasesAt: Date.UTC(2027, 0, 1),
        erased: { users: 1, roles: 2, subscriptions: 30_000, mails: 4 },
        subscriptionsKept: 5,
      }
      await put('a', full)
      expect(await find('a')).toEqual(full)
      expect(await run(({ tombstones }) => tombstones.find(userId('a')))).toEqual(full)
      await put('a', { ...full, erasesAt: undefined, subscriptionsKept: 0 })
      expect(await find('a')).toEqual({ ...full, erasesAt: undefined, subscriptionsKept: 0 })
    })

    it('forgets who was restored', async () => {
      await put('a')
      await put('b')
      await run(({ tombstones }) => tombstones.remove(userId('a')))
      expect(await has('a')).toBe(false)
      expect(await has('b')).toBe(true)
    })

    it('lists them all in the order of their ids, from any id on', async () => {
      for (const id of ['b', 'a', 'B', '~', '-', 'ab']) await put(id, { ...aTombstone, audit: id.charCodeAt(0) })
      const list = (after: string | undefined, limit: number) =>
        storage.readers.tombstones.list({ after: after === undefined ? undefined : userId(after), limit })
      const all = await list(undefined, 9)
      expect(all.map(({ id }) => id)).toEqual(['-', 'B', 'a', 'ab', 'b', '~'])
      expect(all[1]).toEqual({ id: 'B', tombstone: { ...aTombstone, audit: 66 } })
      expect(await list('B', 2)).toEqual(all.slice(2, 4))
      expect(await list('b0', 9)).toEqual(all.slice(5))
      expect(await list('~', 9)).toEqual([])
    })

    it('takes ids of 255 characters and of every visible ASCII character', async () => {
      for (const id of ['a'.repeat(255), VISIBLE_ASCII]) {
        await put(id)
        expect(await has(id)).toBe(true)
      }
    })
  })
