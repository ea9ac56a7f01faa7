import { describe, expect, it } from 'vitest'
import type { SuppressionCause } from '../src/index.ts'
import { hashOf, upTo } from './samples.ts'
import { freshStorage, type OpenStorage } from './storage-under-test.ts'

export const suppressionStoreContract = (open: OpenStorage) =>
  describe('a suppression store', () => {
    const storage = freshStorage(open)
    const { run } = storage
    const add = (digit: string, cause: SuppressionCause, since: number) =>
      run(({ suppressions }) => suppressions.add(hashOf(digit), { cause, since }))
    const remove = (digit: string) => run(({ suppressions }) => suppressions.remove(hashOf(digit)))
    const find = async (digit: string) => {
      const found = await storage.readers.suppressions.find(hashOf(digit))
      expect(await run(({ suppressions }) => suppressions.find(hashOf(digit)))).toEqual(found)
      return found
    }
    const list = (after = 0, limit = 50) => storage.readers.suppressions.list({ after, limit })
    const addressesOf = async (after?: number, limit?: number) =>
      (await list(after, limit)).items.map(({ address }) => address.charAt(0))

    it('finds what was added, and nothing for any other address', async () => {
      await add('a', 'refused', 123)
      await add('b', 'never-again', 0)
      expect(await find('a')).toEqual({ cause: 'refused', since: 123 })
      expect(await find('b')).toEqual({ cause: 'never-again', since: 0 })
      expect(await find('c')).toBeUndefined()
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
      expect(await run(({ suppressions }) => suppressions.list({ after: 0, limit: 2 }))).toEqual(first)
    })

    it('finds no longer what was removed, says whether it was there, and leaves the others', async () => {
      await add('a', 'never-again', 1)
      await add('b', 'refused', 1)
      expect(await remove('a')).toBe(true)
      expect(await remove('a')).toBe(false)
      expect(await remove('c')).toBe(false)
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
      const other = await storage.another()
      const tell = (n: number) =>
        (n % 2 ? storage : other).unitOfWork.run(({ suppressions }) =>
          suppressions.add(hashOf('a'), { cause: n === 20 ? 'never-again' : 'refused', since: n }),
        )
      await Promise.all(upTo(40).map(tell))
      expect(await find('a')).toEqual({ cause: 'never-again', since: 20 })
      expect(await addressesOf()).toEqual(['a'])
    })

    it('keeps what a unit that throws has removed', async () => {
      await add('a', 'refused', 1)
      const broken = run(async ({ suppressions }) => {
        await suppressions.remove(hashOf('a'))
        throw new Error('on purpose')
      })
      await expect(broken).rejects.toThrow('on purpose')
      expect(await find('a')).toEqual({ cause: 'refused', since: 1 })
    })
  })
