import { describe, expect, it } from 'vitest'
import { hashOf } from './samples.ts'
import { freshStorage, type OpenStorage } from './storage-under-test.ts'

export const suppressionStoreContract = (open: OpenStorage) =>
  describe('a suppression store', () => {
    const storage = freshStorage(open)
    const { run } = storage
    const find = (digit: string) => run(({ suppressions }) => suppressions.find(hashOf(digit)))

    it('finds what was added, and nothing for any other address', async () => {
      await run(({ suppressions }) => suppressions.add(hashOf('a'), { cause: 'refused', since: 123 }))
      await run(({ suppressions }) => suppressions.add(hashOf('b'), { cause: 'never-again', since: 0 }))
      expect(await find('a')).toEqual({ cause: 'refused', since: 123 })
      expect(await find('b')).toEqual({ cause: 'never-again', since: 0 })
      expect(await find('c')).toBeUndefined()
    })

    it('keeps the first if an address is suppressed again', async () => {
      await run(({ suppressions }) => suppressions.add(hashOf('a'), { cause: 'refused', since: 1 }))
      await run(({ suppressions }) => suppressions.add(hashOf('a'), { cause: 'never-again', since: 2 }))
      expect(await find('a')).toEqual({ cause: 'refused', since: 1 })
    })
  })
