import { describe, expect, it } from 'vitest'
import { upTo } from './samples.ts'
import { freshStorage, type OpenStorage } from './storage-under-test.ts'

export const signUpCountStoreContract = (open: OpenStorage) =>
  describe('a sign-up count store', () => {
    const storage = freshStorage(open)

    it('counts each outcome by itself, from nothing', async () => {
      expect(await storage.readers.signUpCounts.count('honeypot')).toBe(0)
      const outcomes = ['honeypot', 'suppressed', 'honeypot'] as const
      for (const outcome of outcomes) await storage.run(({ signUpCounts }) => signUpCounts.add(outcome))
      expect(await storage.readers.signUpCounts.count('honeypot')).toBe(2)
      expect(await storage.readers.signUpCounts.count('suppressed')).toBe(1)
    })

    it('adds the given count, by default one', async () => {
      const within = await storage.run(async ({ signUpCounts }) => {
        await signUpCounts.add('expired', 41)
        await signUpCounts.add('expired')
        return await signUpCounts.count('expired')
      })
      expect(within).toBe(42)
      expect(await storage.readers.signUpCounts.count('expired')).toBe(42)
      expect(await storage.run(({ signUpCounts }) => signUpCounts.count('unknown-address'))).toBe(0)
    })

    it('counts nothing for a unit that throws', async () => {
      await storage.run(({ signUpCounts }) => signUpCounts.add('expired', 2))
      const broken = storage.run(async ({ signUpCounts }) => {
        await signUpCounts.add('expired', 5)
        throw new Error('on purpose')
      })
      await expect(broken).rejects.toThrow('on purpose')
      expect(await storage.readers.signUpCounts.count('expired')).toBe(2)
    })

    it('loses none of many that are counted at the same time, on any number of handles', async () => {
      const other = await storage.another()
      const add = (n: number) =>
        (n % 2 ? storage : other).unitOfWork.run(({ signUpCounts }) => signUpCounts.add('honeypot'))
      await Promise.all(upTo(40).map(add))
      expect(await storage.readers.signUpCounts.count('honeypot')).toBe(40)
    })
  })
