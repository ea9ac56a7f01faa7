import { describe, expect, it } from 'vitest'
import type { HeldUser } from '../src/index.ts'
import { aUser, TEXTS, THEN, userId } from './samples.ts'
import { freshStorage, type OpenStorage } from './storage-under-test.ts'

const held = (id: string, changes: Partial<HeldUser> = {}): HeldUser => ({
  user: aUser(id),
  deletedAt: THEN,
  erasesAt: THEN + 1_000,
  subscriptions: 'keep',
  ...changes,
})

export const heldUserStoreContract = (open: OpenStorage) =>
  describe('a held user store', () => {
    const storage = freshStorage(open)
    const { run } = storage
    const add = (...all: HeldUser[]) =>
      run(async ({ heldUsers }) => {
        for (const one of all) await heldUsers.add(one)
      })
    const find = (id: string) => run(({ heldUsers }) => heldUsers.find(userId(id)))
    const due = (now: number, limit = 10) => run(({ heldUsers }) => heldUsers.due(now, limit))

    it('gives back every held user exactly as it was added', async () => {
      const all = TEXTS.map((text, n) =>
        held(`u${n}`, {
          user: aUser(`u${n}`, {
            name: text,
            roles: n % 2 ? ['admin', 'auditor'] : [],
            ...(n % 3 ? { tokensNotBefore: n } : {}),
          }),
          subscriptions: n % 2 ? 'erase' : 'keep',
        }),
      )
      await add(...all)
      for (const one of all) expect(await find(one.user.id)).toEqual(one)
      expect(await find('another')).toBeUndefined()
    })

    it('is known to no other store: neither the user, nor the role, nor the address', async () => {
      await add(held('ada', { user: aUser('ada', { roles: ['admin'] }) }))
      expect(await storage.readers.users.find(userId('ada'))).toBeUndefined()
      expect(await run(({ users }) => users.countWithRole('admin'))).toBe(0)
      await run(({ users }) => users.put(aUser('bob', { emailKey: 'ada@example.com' })))
    })

    it('holds no user twice', async () => {
      await add(held('ada'))
      await expect(add(held('ada', { deletedAt: THEN + 5 }))).rejects.toThrow()
      expect((await find('ada'))?.deletedAt).toBe(THEN)
    })

    it('forgets who was removed', async () => {
      await add(held('ada'), held('bob'))
      await run(({ heldUsers }) => heldUsers.remove(userId('ada')))
      expect(await find('ada')).toBeUndefined()
      expect((await due(THEN + 9_999)).map(({ user }) => user.id)).toEqual(['bob'])
    })

    it('gives users whose grace is over, soonest first, up to the limit', async () => {
      await add(
        held('c', { erasesAt: 30 }),
        held('a', { erasesAt: 10 }),
        held('d', { erasesAt: 40 }),
        held('b', { erasesAt: 20 }),
      )
      expect((await due(30)).map(({ user }) => user.id)).toEqual(['a', 'b', 'c'])
      expect((await due(30, 2)).map(({ user }) => user.id)).toEqual(['a', 'b'])
      expect(await due(9)).toEqual([])
    })
  })
