import { expect, it } from 'vitest'
import { LastAdministrator, type UseCases, type User } from '../src/index.ts'
import { serviceOver } from './library-users.ts'
import { aUser, outcomesOf, THEN, upTo, userId } from './samples.ts'
import { storageSuite } from './storage-under-test.ts'
import { OPERATOR } from './whole-service.ts'

const SUSPENDED = { suspendedAt: THEN + 5 }
const ADMIN = { roles: ['admin'] }
const MANY = upTo(24).map((n) => `user-${n}`)

/** Users that have no access for now, as a store keeps them and as the use cases change them. */
export const suspensionContract = storageSuite('a storage that keeps suspensions', (storage) => {
  const { run, runEach, alike, stores, readers, sealed, another } = storage
  const put = (...all: User[]) => runEach(all, ({ users }, user) => users.put(user))
  const twoServices = async () => [serviceOver(storage), serviceOver(await another())] as const
  const suspend = ({ suspendUser }: UseCases, id: string) => suspendUser.execute({ userId: id }, OPERATOR)
  const resume = ({ resumeUser }: UseCases, id: string) => resumeUser.execute({ userId: id }, OPERATOR)
  const idsOf = async (suspended: boolean, filter = {}) =>
    (await readers.users.list({ after: 0, limit: 50, suspended, ...filter })).items.map(({ id }) => id)
  const intact = async () =>
    expect((await serviceOver(storage).verifyAudit.execute({}, OPERATOR)).broken).toBeUndefined()

  it('gives back a suspended user as it was put, and one that is not any more', async () => {
    const user = aUser('a', { roles: ['admin', 'auditor'], tokensNotBefore: THEN, ...SUSPENDED })
    await put(user)
    expect(await alike(({ users }) => users.find(userId('a')))).toEqual(user)
    const { suspendedAt: _, ...resumed } = user
    await put(resumed)
    expect(await alike(({ users }) => users.find(userId('a')))).toEqual(resumed)
  })

  it('knows the account status of a suspended user, and that of a deleted one first', async () => {
    await put(aUser('a', { ...ADMIN, ...SUSPENDED }))
    expect(await alike(({ users }) => users.accountStatus('a'))).toBe('suspended')
    await put(aUser('a', ADMIN))
    expect(await alike(({ users }) => users.accountStatus('a'))).toMatchObject(ADMIN)
  })

  it('does not count suspended users with those that have a role, within a unit as it goes', async () => {
    const counts = await run(async ({ users }) => {
      await users.put(aUser('a', ADMIN))
      await users.put(aUser('b', { ...ADMIN, ...SUSPENDED }))
      const seen = [await users.countWithRole('admin')]
      await users.put(aUser('a', { ...ADMIN, ...SUSPENDED }))
      seen.push(await users.countWithRole('admin'))
      await users.put(aUser('b', ADMIN))
      return [...seen, await users.countWithRole('admin')]
    })
    expect(counts).toEqual([1, 0, 1])
    expect(await readers.users.countWithRole('admin')).toBe(1)
  })

  it('lists those that are suspended, or the others, also by role and word', async () => {
    const odd = (n: number) => (n % 2 ? SUSPENDED : {})
    await put(
      ...upTo(8).map((n) =>
        aUser(`u${n}`, { roles: n < 4 ? ['admin'] : [], name: n > 1 ? 'Needle' : 'Hay', ...odd(n) }),
      ),
    )
    expect([await idsOf(true), await idsOf(false)]).toEqual([
      ['u1', 'u3', 'u5', 'u7'],
      ['u2', 'u4', 'u6', 'u8'],
    ])
    expect([await idsOf(true, { role: 'admin' }), await idsOf(false, { role: 'admin' })]).toEqual([
      ['u1', 'u3'],
      ['u2'],
    ])
    expect([
      await idsOf(true, { words: ['needle'] }),
      await idsOf(false, { words: ['needle'], role: 'admin' }),
    ]).toEqual([['u3', 'u5', 'u7'], ['u2']])
    const { items, next } = await readers.users.list({ after: 0, limit: 3, suspended: true })
    expect(items).toHaveLength(3)
    expect(await idsOf(true, { after: next })).toEqual(['u7'])
  })

  it('keeps a suspension with a user that is held', async () => {
    const held = aUser('a', { ...ADMIN, ...SUSPENDED })
    await put(held)
    await run(async ({ users, heldUsers }) => {
      await users.erase(held.id)
      await heldUsers.add({ user: held, deletedAt: THEN, erasesAt: THEN + 9, subscriptions: 'keep' })
    })
    expect((await alike(({ users }) => users.find(held.id))) ?? 'gone').toBe('gone')
    expect((await stores.heldUsers.find(held.id))?.user).toEqual(held)
  })

  it('lets exactly one win of a suspension and a deletion or a demotion at the same time', async () => {
    const [here, there] = await twoServices()
    const removals: readonly ((id: string) => Promise<unknown>)[] = [
      (id: string) => there.deleteUser.execute({ userId: id }, OPERATOR),
      (id: string) => there.patchUser.execute({ userId: id, roles: [] }, OPERATOR),
    ]
    for (const remove of removals) {
      await put(aUser('left', ADMIN), aUser('right', ADMIN))
      const { errors } = await outcomesOf([suspend(here, 'left'), remove('right')])
      expect(errors).toEqual([expect.any(LastAdministrator)])
      expect(await readers.users.countWithRole('admin')).toBe(1)
      await runEach(['left', 'right'], async ({ users, tombstones }, id) => {
        await users.erase(userId(id))
        await tombstones.remove(userId(id))
      })
    }
  })

  it('suspends and resumes many at once, each with one record and one event', async () => {
    const services = await twoServices()
    const of = (n: number) => services[n % 2] as UseCases
    const email = (id: string) => `${id}.mail@example.com`
    await Promise.all(
      MANY.map((userId, n) => of(n).putUser.execute({ userId, email: email(userId), name: '', roles: [] }, OPERATOR)),
    )
    await Promise.all(MANY.map((id, n) => suspend(of(n), id)))
    expect(await idsOf(true)).toHaveLength(MANY.length)
    await Promise.all(MANY.map((id, n) => (n % 3 ? resume(of(n + 1), id) : suspend(of(n + 1), id))))
    expect(await idsOf(true)).toEqual(expect.arrayContaining(MANY.filter((_, n) => n % 3 === 0)))
    const { items } = await sealed.audit.list({ after: 0, limit: 1_000 })
    const count = (action: string) => items.filter((record) => record.action === action).length
    expect([count('user.suspend'), count('user.resume')]).toEqual([24, 16])
    const events = (await sealed.events.list({ after: 0, limit: 200 })).items
    expect(events.filter(({ type }) => type === 'user.suspended' || type === 'user.resumed')).toHaveLength(40)
    await intact()
  })

  it('has suspensions that were changed without a record found by the audit', async () => {
    if (readers.users.keptByHost) return
    const [here] = await twoServices()
    for (const id of ['a', 'b'])
      await here.putUser.execute({ userId: id, email: `${id}.mail@example.com`, name: '', roles: [] }, OPERATOR)
    await suspend(here, 'a')
    await intact()
    const [a, b] = await Promise.all(['a', 'b'].map((id) => readers.users.find(userId(id))))
    if (!a || !b) throw new Error('both are there')
    const { suspendedAt: since, ...secretly } = a
    for (const changed of [secretly, { ...a, suspendedAt: (since ?? 0) + 1 }]) {
      await put(changed)
      expect((await here.verifyAudit.execute({}, OPERATOR)).broken).toMatchObject({ fault: 'roles', user: 'a' })
    }
    await put(a, { ...b, ...SUSPENDED })
    expect((await here.verifyAudit.execute({}, OPERATOR)).broken).toMatchObject({ fault: 'roles', user: 'b' })
    await put(b)
    await intact()
  })
})
