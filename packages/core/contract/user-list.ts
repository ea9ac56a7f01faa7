import { describe, expect, it } from 'vitest'
import type { User, UserFilter } from '../src/index.ts'
import { aUser, upTo, userId } from './samples.ts'
import { freshStorage, type OpenStorage } from './storage-under-test.ts'

export const userListContract = (open: OpenStorage) =>
  describe('a list of users', () => {
    const storage = freshStorage(open)
    const { run } = storage
    const put = (...all: User[]) =>
      run(async ({ users }) => {
        for (const user of all) await users.put(user)
      })
    const list = (filter: Partial<UserFilter> = {}) => storage.readers.users.list({ after: 0, limit: 50, ...filter })
    const idsOf = async (filter: Partial<UserFilter> = {}) => (await list(filter)).items.map(({ id }) => id)

    it('is empty without users, and says that it is at its end', async () => {
      expect(await list()).toEqual({ items: [], next: undefined })
    })

    it('goes from the oldest to the newest, stretch by stretch, each user once', async () => {
      const ids = upTo(23).map((n) => `u${(n * 7) % 23}`)
      await put(...ids.map((id) => aUser(id)))
      const seen: string[] = []
      for (let after: number | undefined = 0; after !== undefined; ) {
        const page = await list({ after, limit: 5 })
        seen.push(...page.items.map(({ id }) => id))
        after = page.next
      }
      expect(seen).toEqual(ids)
    })

    it('is at its end with the last user that matches, even if the stretch is full or others follow', async () => {
      await put(aUser('a', { roles: ['admin'] }), aUser('b', { roles: ['admin'] }), aUser('c'))
      expect((await list({ limit: 3 })).next).toBeUndefined()
      expect((await list({ limit: 2, role: 'admin' })).next).toBeUndefined()
      expect((await list({ limit: 2 })).next).toBeDefined()
    })

    it('keeps the place of a user who is replaced', async () => {
      await put(aUser('a'), aUser('b'), aUser('c'))
      await put(aUser('a', { name: 'changed', emailKey: 'other@x' }))
      expect(await idsOf()).toEqual(['a', 'b', 'c'])
    })

    it('stays in step when users are added and erased between two stretches', async () => {
      await put(aUser('a'), aUser('b'), aUser('c'), aUser('d'))
      const { next } = await list({ limit: 2 })
      await run(async ({ users }) => {
        await users.erase(userId('a'))
        await users.erase(userId('b'))
        await users.erase(userId('c'))
        await users.put(aUser('e'))
      })
      expect(await idsOf({ after: next ?? 0 })).toEqual(['d', 'e'])
    })

    it('never gives the place of an erased user to another', async () => {
      await put(aUser('a'), aUser('b'), aUser('c'))
      const { next } = await list({ limit: 2 })
      await run(async ({ users }) => {
        for (const id of ['a', 'b', 'c']) await users.erase(userId(id))
      })
      await put(aUser('d'), aUser('a'))
      expect(await idsOf({ after: next ?? 0 })).toEqual(['d', 'a'])
    })

    it('finds by part of the id, the name or the address, but not across two of them', async () => {
      await put(
        aUser('xx-needle', { name: 'n1', email: 'e1@x' }),
        aUser('u2', { name: 'a needle b', email: 'e2@x' }),
        aUser('u3', { name: 'n3', email: 'needle@x' }),
        aUser('u4', { name: 'dle', email: 'nee', emailKey: 'needle', roles: ['needle'] }),
      )
      expect(await idsOf({ query: 'needle' })).toEqual(['xx-needle', 'u2', 'u3'])
      expect(await idsOf({ query: 'u4dle' })).toEqual([])
    })

    it('finds whatever the case of the letters, beyond ASCII too', async () => {
      const names = ['École', 'ПРИВЕТ', 'Ελλάδα', 'ŁÓDŹ', '\u{10400}']
      await put(...names.map((name, n) => aUser(`u${n}`, { name })))
      const queries = ['éCOLE', 'привет', 'ΕΛΛΆΔΑ', 'łódź', '\u{10428}']
      for (const [n, query] of queries.entries()) expect(await idsOf({ query })).toEqual([`u${n}`])
    })

    it('has no wildcards: every character of a query is itself', async () => {
      const names = ['100%', 'a_b', 'a\\b', 'a*b', 'a?b', 'a[b]', "a'b", 'a"b', '^a$', 'a.b', 'a b', 'plain axb']
      await put(...names.map((name, n) => aUser(`id-${n}`, { name, email: `${n}@x` })))
      for (const [n, name] of names.entries()) expect(await idsOf({ query: name })).toEqual([`id-${n}`])
      expect(await idsOf({ query: '%' })).toEqual(['id-0'])
      expect(await idsOf({ query: '_' })).toEqual(['id-1'])
      expect(await idsOf({ query: '\\' })).toEqual(['id-2'])
    })

    it('finds by role, by its whole name', async () => {
      await put(aUser('a', { roles: ['admin', 'auditor'] }), aUser('b', { roles: ['administrator'] }), aUser('c'))
      expect(await idsOf({ role: 'admin' })).toEqual(['a'])
      expect(await idsOf({ role: 'auditor' })).toEqual(['a'])
      expect(await idsOf({ role: 'adm' })).toEqual([])
    })

    it('finds by query and role together, over several stretches', async () => {
      await put(...upTo(12).map((n) => aUser(`u${n}`, { name: n % 2 ? 'odd' : 'even', roles: n % 3 ? [] : ['admin'] })))
      const first = await list({ query: 'ODD', role: 'admin', limit: 1 })
      expect(first.items.map(({ id }) => id)).toEqual(['u3'])
      expect(await list({ query: 'ODD', role: 'admin', limit: 1, after: first.next ?? 0 })).toEqual({
        items: [aUser('u9', { name: 'odd', roles: ['admin'] })],
        next: undefined,
      })
    })
  })
