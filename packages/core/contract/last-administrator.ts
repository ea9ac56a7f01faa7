import { describe, expect, it } from 'vitest'
import { LastAdministrator } from '../src/index.ts'
import { aUser, outcomesOf, upTo } from './samples.ts'
import { OPERATOR, serviceOver } from './service-over.ts'
import { freshStorage, type OpenStorage } from './storage-under-test.ts'

export const lastAdministratorContract = (open: OpenStorage) =>
  describe('a storage that keeps the last administrator', () => {
    const storage = freshStorage(open)
    const administrators = (...ids: string[]) =>
      storage.run(async ({ users }) => {
        for (const id of ids) await users.put(aUser(id, { roles: ['admin'] }))
      })
    const remaining = () => storage.run(({ users }) => users.countWithRole('admin'))
    const twoServices = async () => [serviceOver(storage), serviceOver(await storage.another())] as const

    it('lets exactly one of two simultaneous deletions of the last two administrators win', async () => {
      for (const round of upTo(5)) {
        await administrators(`a${round}`, `b${round}`)
        const [here, there] = await twoServices()
        const { values, errors } = await outcomesOf([
          here.deleteUser.execute({ userId: `a${round}` }, OPERATOR),
          there.deleteUser.execute({ userId: `b${round}` }, OPERATOR),
        ])
        expect(values).toHaveLength(1)
        expect(errors).toHaveLength(1)
        expect(errors[0]).toBeInstanceOf(LastAdministrator)
        expect(await remaining()).toBe(1)
        // The one that is left must not stand in for the two of the next round.
        const rest = await storage.readers.users.list({ after: 0, limit: 1 })
        await storage.run(async ({ users }) => {
          for (const { id } of rest.items) await users.erase(id)
        })
      }
    })

    it('lets exactly one win of a deletion and a demotion at the same time', async () => {
      await administrators('a', 'b')
      const [here, there] = await twoServices()
      const { values, errors } = await outcomesOf<unknown>([
        here.deleteUser.execute({ userId: 'a' }, OPERATOR),
        there.putUser.execute({ userId: 'b', email: 'b@example.com', name: '', roles: [] }, OPERATOR),
      ])
      expect(values).toHaveLength(1)
      expect(errors[0]).toBeInstanceOf(LastAdministrator)
      expect(await remaining()).toBe(1)
    })

    it('lets all but one of many simultaneous deletions of all administrators win', async () => {
      const ids = upTo(20).map((n) => `u${n}`)
      await administrators(...ids)
      const [here, there] = await twoServices()
      const { values, errors } = await outcomesOf(
        ids.map((userId, n) => (n % 2 ? here : there).deleteUser.execute({ userId }, OPERATOR)),
      )
      expect(values).toHaveLength(19)
      expect(errors).toHaveLength(1)
      expect(errors[0]).toBeInstanceOf(LastAdministrator)
    })
  })
