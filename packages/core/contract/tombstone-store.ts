import { describe, expect, it } from 'vitest'
import { TEXTS, userId, VISIBLE_ASCII } from './samples.ts'
import { freshStorage, type OpenStorage } from './storage-under-test.ts'

export const tombstoneStoreContract = (open: OpenStorage) =>
  describe('a tombstone store', () => {
    const storage = freshStorage(open)
    const { run } = storage
    const has = (id: string) => run(({ tombstones }) => tombstones.has(userId(id)))

    it('has the ids that were added, in every unit afterwards and within the same one', async () => {
      const within = await run(async ({ tombstones }) => {
        await tombstones.add(userId('a'), 1)
        return await tombstones.has(userId('a'))
      })
      expect(within).toBe(true)
      expect(await has('a')).toBe(true)
    })

    it('has no other: ids are told apart by every character and its case', async () => {
      await run(({ tombstones }) => tombstones.add(userId('Ada'), 1))
      for (const id of ['ada', 'Ad', 'Ada ', 'Ada%', '%', ...TEXTS]) expect(await has(id)).toBe(false)
    })

    it('changes nothing when an id is added again', async () => {
      await run(({ tombstones }) => tombstones.add(userId('a'), 1))
      await run(({ tombstones }) => tombstones.add(userId('a'), 2))
      expect(await has('a')).toBe(true)
    })

    it('takes ids of 255 characters and of every visible ASCII character', async () => {
      for (const id of ['a'.repeat(255), VISIBLE_ASCII]) {
        await run(({ tombstones }) => tombstones.add(userId(id), 1))
        expect(await has(id)).toBe(true)
      }
    })
  })
