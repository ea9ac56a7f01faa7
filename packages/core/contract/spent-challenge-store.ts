import { describe, expect, it } from 'vitest'
import { TEXTS, THEN, upTo } from './samples.ts'
import { freshStorage, type OpenStorage } from './storage-under-test.ts'

export const spentChallengeStoreContract = (open: OpenStorage) =>
  describe('a spent challenge store', () => {
    const storage = freshStorage(open)
    const { run } = storage
    const spend = (id: string, expiresAt = THEN) => run(({ spentChallenges }) => spentChallenges.spend(id, expiresAt))
    const prune = (before: number, limit = 10) => run(({ spentChallenges }) => spentChallenges.prune(before, limit))

    it('lets each be spent once, whatever time comes with it', async () => {
      expect(await spend('a')).toBe(true)
      expect(await spend('a')).toBe(false)
      expect(await spend('a', THEN + 1)).toBe(false)
      expect(await spend('b')).toBe(true)
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
      const other = await storage.another()
      const spent = await Promise.all(
        upTo(40).map((n) =>
          (n % 2 ? storage : other).unitOfWork.run(({ spentChallenges }) => spentChallenges.spend('a', THEN)),
        ),
      )
      expect(spent.filter(Boolean)).toHaveLength(1)
      expect(await other.unitOfWork.run(({ spentChallenges }) => spentChallenges.spend('a', THEN))).toBe(false)
    })

    it('leaves unspent what was spent by a unit that threw', async () => {
      const broken = run(async ({ spentChallenges }) => {
        await spentChallenges.spend('a', THEN)
        throw new Error('on purpose')
      })
      await expect(broken).rejects.toThrow('on purpose')
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
