import { describe, expect, it } from 'vitest'
import { EmailTaken } from '../src/index.ts'
import { aTombstone, aUser, outcomesOf, TEXTS, upTo, userId, VISIBLE_ASCII } from './samples.ts'
import { freshStorage, type OpenStorage } from './storage-under-test.ts'

export const userStoreContract = (open: OpenStorage) =>
  describe('a user store', () => {
    const storage = freshStorage(open)
    const { run } = storage
    const find = (id: string) => storage.readers.users.find(userId(id))

    it('finds nothing when it is empty', async () => {
      expect(await find('nobody')).toBeUndefined()
      expect(await run(({ users }) => users.find(userId('nobody')))).toBeUndefined()
    })

    it('gives back every user exactly as it was put', async () => {
      const everything = TEXTS.map((text, n) =>
        aUser(`u${n}`, {
          email: `${text}@x`,
          emailKey: `${n} ${text}@x`,
          name: text,
          roles: ['admin', 'auditor'],
          createdAt: n,
          updatedAt: Date.now() + n,
        }),
      )
      await run(async ({ users }) => {
        for (const user of everything) await users.put(user)
      })
      for (const user of everything) {
        expect(await find(user.id)).toEqual(user)
        expect(await run(({ users }) => users.find(user.id))).toEqual(user)
      }
    })

    it('takes ids of 255 characters and of every visible ASCII character, and distinguishes upper from lower case', async () => {
      const ids = ['a'.repeat(255), `${'a'.repeat(254)}b`, VISIBLE_ASCII, 'Ada', 'ada', "'", '%', '0', '00']
      await run(async ({ users }) => {
        for (const [n, id] of ids.entries()) await users.put(aUser(id, { emailKey: `${n}@x`, name: `${n}` }))
      })
      for (const [n, id] of ids.entries()) expect((await find(id))?.name).toBe(`${n}`)
      expect(await find('ADA')).toBeUndefined()
    })

    it('gives back role names of any shape, none at all included', async () => {
      const roles = ['', ' ', '"', ',', '[]', 'a,b', 'ä', '😀']
      await run(async ({ users }) => {
        await users.put(aUser('many', { roles }))
        await users.put(aUser('none', { roles: [] }))
      })
      expect((await find('many'))?.roles).toEqual(roles)
      expect((await find('none'))?.roles).toEqual([])
    })

    it('replaces the user with the same id', async () => {
      await run(({ users }) => users.put(aUser('a', { roles: ['admin'] })))
      const changed = aUser('a', { name: 'B', email: 'b@x', emailKey: 'b@x', roles: ['auditor'], updatedAt: 5 })
      await run(({ users }) => users.put(changed))
      expect(await find('a')).toEqual(changed)
      expect((await storage.readers.users.list({ after: 0, limit: 9 })).items).toEqual([changed])
    })

    it('refuses an e-mail key that another user has, and undoes the unit', async () => {
      await run(({ users }) => users.put(aUser('a', { emailKey: 'same@x' })))
      const taken = run(async ({ users, tombstones }) => {
        await tombstones.put(userId('trace'), aTombstone)
        await users.put(aUser('b', { emailKey: 'same@x' }))
      })
      await expect(taken).rejects.toBeInstanceOf(EmailTaken)
      expect(await find('b')).toBeUndefined()
      expect(await run(({ tombstones }) => tombstones.has(userId('trace')))).toBe(false)
    })

    it('refuses to change a user to an e-mail key that another user has', async () => {
      await run(({ users }) => users.put(aUser('a', { emailKey: 'same@x' })))
      await run(({ users }) => users.put(aUser('b')))
      await expect(run(({ users }) => users.put(aUser('b', { emailKey: 'same@x' })))).rejects.toBeInstanceOf(EmailTaken)
      expect(await find('b')).toEqual(aUser('b'))
    })

    it('looks at the e-mail key alone: neither the address as written nor its case matters', async () => {
      await run(async ({ users }) => {
        await users.put(aUser('a', { email: 'x@x', emailKey: 'x@x' }))
        await users.put(aUser('b', { email: 'x@x', emailKey: 'X@x' }))
        await users.put(aUser('c', { email: 'x@x', emailKey: 'x@xx' }))
      })
      expect((await storage.readers.users.list({ after: 0, limit: 9 })).items).toHaveLength(3)
    })

    it('lets a user keep its own e-mail key, and frees one that was given up or erased', async () => {
      await run(({ users }) => users.put(aUser('a', { emailKey: 'one@x' })))
      await run(({ users }) => users.put(aUser('a', { emailKey: 'one@x', name: 'again' })))
      await run(({ users }) => users.put(aUser('a', { emailKey: 'two@x' })))
      await run(({ users }) => users.put(aUser('b', { emailKey: 'one@x' })))
      await run(async ({ users }) => {
        await users.erase(userId('b'))
        await users.put(aUser('c', { emailKey: 'one@x' }))
      })
      expect((await find('c'))?.emailKey).toBe('one@x')
    })

    it('lets one of a hundred simultaneous users with the same e-mail key win, on any number of handles', async () => {
      const other = await storage.another()
      const { values, errors } = await outcomesOf(
        upTo(100).map((n) =>
          (n % 2 === 0 ? storage : other).unitOfWork.run(({ users }) =>
            users.put(aUser(`u${n}`, { emailKey: 'same@x' })),
          ),
        ),
      )
      expect(values).toHaveLength(1)
      expect(errors.filter((error) => error instanceof EmailTaken)).toHaveLength(99)
      expect((await storage.readers.users.list({ after: 0, limit: 200 })).items).toHaveLength(1)
    })

    it('erases a user, and nothing else', async () => {
      await run(async ({ users }) => {
        await users.put(aUser('a', { roles: ['admin'] }))
        await users.put(aUser('b', { roles: ['admin'] }))
      })
      await run(({ users }) => users.erase(userId('a')))
      await run(({ users }) => users.erase(userId('nobody')))
      expect(await find('a')).toBeUndefined()
      expect((await storage.readers.users.list({ after: 0, limit: 9 })).items).toEqual([
        aUser('b', { roles: ['admin'] }),
      ])
      expect(await run(({ users }) => users.countWithRole('admin'))).toBe(1)
      expect(await storage.readers.users.countWithRole('admin')).toBe(1)
    })

    it('counts who has a role, by its whole name, within a unit as it goes', async () => {
      const counts = await run(async ({ users }) => {
        const seen = [await users.countWithRole('admin')]
        await users.put(aUser('a', { roles: ['admin', 'auditor'] }))
        await users.put(aUser('b', { roles: ['administrator', 'adm', 'ADMIN', '%'] }))
        seen.push(await users.countWithRole('admin'))
        await users.put(aUser('c', { roles: ['admin'] }))
        seen.push(await users.countWithRole('admin'))
        await users.put(aUser('a', { roles: ['auditor'] }))
        seen.push(await users.countWithRole('admin'))
        await users.erase(userId('c'))
        return [...seen, await users.countWithRole('admin')]
      })
      expect(counts).toEqual([0, 1, 2, 1, 0])
    })

    it('knows the account status of a subject: its stored roles, that it was deleted, or nothing', async () => {
      await run(async ({ users, tombstones }) => {
        await users.put(aUser('a', { roles: ['admin', 'auditor'] }))
        await users.put(aUser('b'))
        await tombstones.put(userId('gone'), aTombstone)
      })
      const { users } = storage.readers
      expect(await users.accountStatus('a')).toEqual({ roles: ['admin', 'auditor'] })
      expect(await users.accountStatus('b')).toEqual({ roles: [] })
      expect(await users.accountStatus('gone')).toBe('deleted')
      expect(await users.accountStatus('A')).toBeUndefined()
    })

    it('takes any text for a subject', async () => {
      const texts = [...TEXTS, '\u0000', 'a\u0000', '\ud800', 'operator:root', '.', 'x'.repeat(100_000)]
      await run(({ users }) => users.put(aUser('a')))
      for (const text of texts) expect(await storage.readers.users.accountStatus(text)).toBeUndefined()
    })
  })
