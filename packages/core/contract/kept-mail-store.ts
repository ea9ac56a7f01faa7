import { describe, expect, it } from 'vitest'
import { aSubscription, begin } from './samples.ts'
import { freshStorage, type OpenStorage } from './storage-under-test.ts'

export const keptMailStoreContract = (open: OpenStorage) =>
  describe('a kept mail store', () => {
    const storage = freshStorage(open)
    const { run } = storage
    const list = async (id: number) => [...(await run(({ keptMails }) => keptMails.list(id)))].sort()

    it('lists what was added, per subscription', async () => {
      await run(async (stores) => {
        const { keptMails } = stores
        await begin(stores, aSubscription(1), aSubscription(2))
        await keptMails.add(1, 'b')
        await keptMails.add(1, 'a')
        await keptMails.add(2, 'c')
      })
      expect(await list(1)).toEqual(['a', 'b'])
      expect(await list(2)).toEqual(['c'])
      expect(await list(3)).toEqual([])
    })

    it('changes nothing when a mail is added again, as a mail that was sent twice is', async () => {
      await run((stores) => begin(stores, aSubscription(1)))
      for (const _ of [1, 2]) await run(({ keptMails }) => keptMails.add(1, 'a'))
      expect(await list(1)).toEqual(['a'])
    })
  })
