import { describe, expect, it } from 'vitest'
import type { MailSlot } from '../src/index.ts'
import { hashOf } from './samples.ts'
import { freshStorage, type OpenStorage } from './storage-under-test.ts'

export const mailCapStoreContract = (open: OpenStorage) =>
  describe('a mail cap store', () => {
    const storage = freshStorage(open)
    const { run } = storage
    const slots = (digit: string) => run(({ mailCaps }) => mailCaps.slots(hashOf(digit)))
    const put = (digit: string, ...all: MailSlot[]) => run(({ mailCaps }) => mailCaps.put(hashOf(digit), all))
    const slot = (at: number): MailSlot => ({ at, messageId: `m${at}.0123456789abcdef` })

    it('is empty where nothing is known', async () => {
      expect(await slots('a')).toEqual([])
    })

    it('gives back the slots of each address as they were put, and replaces them whole', async () => {
      await put('a', slot(1), slot(2), slot(Date.now()))
      await put('b', slot(5))
      expect(await slots('b')).toEqual([slot(5)])
      await put('a', slot(2), slot(3))
      expect(await slots('a')).toEqual([slot(2), slot(3)])
      await put('a')
      expect(await slots('a')).toEqual([])
      expect(await slots('b')).toEqual([slot(5)])
    })

    it('forgets an address whose last slot is before the given time, and no other', async () => {
      await put('a', slot(1), slot(99))
      await put('b', slot(1), slot(100))
      await put('c', slot(50))
      expect(await run(({ mailCaps }) => mailCaps.prune(100, 10))).toBe(2)
      expect(await slots('a')).toEqual([])
      expect(await slots('b')).toEqual([slot(1), slot(100)])
      expect(await slots('c')).toEqual([])
    })

    it('forgets no more than the limit at once, and says how many it forgot', async () => {
      for (const digit of ['a', 'b', 'c']) await put(digit, slot(1))
      const prune = () => run(({ mailCaps }) => mailCaps.prune(100, 2))
      expect([await prune(), await prune(), await prune()]).toEqual([2, 1, 0])
    })
  })
