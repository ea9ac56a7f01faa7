import { expect, it } from 'vitest'
import {
  InsufficientPermissions,
  type Provisioned,
  type ProvisionedFilter,
  type User,
  UserNameTaken,
  userNameKey,
} from '../src/index.ts'
import { serviceOver } from './library-users.ts'
import { aUser, outcomesOf, TEXTS, THEN, upTo, userId } from './samples.ts'
import { storageSuite } from './storage-under-test.ts'
import { OPERATOR } from './whole-service.ts'

/** Users that a directory provisions, of a storage that keeps its users itself. */
export const provisioningContract = storageSuite('a storage that keeps what a directory says of users', (storage) => {
  const { run, runEach, alike, readers, outcomesAtOnce } = storage
  const put = (...all: User[]) => runEach(all, ({ users }, user) => users.put(user))
  const provisioned = (id: string, more: Partial<Provisioned> = {}, changes: Partial<User> = {}) =>
    aUser(id, { provisioned: { userName: `Name of ${id}`, ...more }, ...changes })
  const find = (id: string) => alike(({ users }) => users.find(userId(id)))
  const ids = async (filter: ProvisionedFilter, offset = 0, limit = 50) => {
    const { listProvisioned, countProvisioned } = readers.users
    const total = await countProvisioned?.(filter)
    const items = await listProvisioned?.(filter, offset, limit)
    return { ids: items?.map(({ id }) => id), total }
  }

  it('gives back every text as it was put, and keeps it when the user is changed otherwise', async () => {
    for (const [n, text] of TEXTS.entries()) {
      const user = provisioned(`u${n}`, {
        userName: `${n}${text}`,
        externalId: text,
        formatted: text,
        familyName: text,
        givenName: text,
        emailType: text,
        emailPrimary: n % 2 === 0,
      })
      await put(user)
      expect(await find(`u${n}`)).toEqual(user)
    }
    const service = serviceOver(storage)
    await service.patchUser.execute({ userId: 'u0', name: 'Ada' }, OPERATOR)
    await service.putUser.execute({ userId: 'u0', email: 'new@example.com', name: '', roles: [] }, OPERATOR)
    await service.suspendUser.execute({ userId: 'u0' }, OPERATOR)
    expect((await find('u0'))?.provisioned).toEqual(
      provisioned('u0', { ...(await find('u0'))?.provisioned }).provisioned,
    )
    expect((await find('u0'))?.provisioned?.userName).toBe(`0${TEXTS[0]}`)
  })

  it('refuses a second user of the same name in any case, at the same time, too', async () => {
    await put(provisioned('a', { userName: 'ÉVA' }))
    await expect(run(({ users }) => users.put(provisioned('b', { userName: 'E\u0301va' })))).rejects.toBeInstanceOf(
      UserNameTaken,
    )
    await put(provisioned('a', { userName: 'éva', externalId: 'x' }))
    const outcomes = await outcomesAtOnce(8, ({ users }, n) => users.put(provisioned(`c${n}`, { userName: 'same' })))
    expect(outcomes.errors.filter((error) => error instanceof UserNameTaken)).toHaveLength(7)
    await run(({ users }) => users.erase(userId('a')))
    await put(provisioned('d', { userName: 'Éva' }))
  })

  it('finds users by what the directory calls them, and those that it does not know by address and id', async () => {
    await put(
      provisioned('a', { externalId: 'x1' }),
      provisioned('b', { externalId: 'x1' }, { suspendedAt: THEN }),
      aUser('x1'),
      provisioned('c', { userName: 'x1@example.com' }),
      provisioned('d', { externalId: 'X1' }),
      aUser('e'),
    )
    const all = ['a', 'b', 'x1', 'c', 'd', 'e']
    for (const [filter, expected] of [
      [{}, all],
      [{ userName: userNameKey('NAME of a') }, ['a']],
      [{ userName: 'e@EXAMPLE.com', emailKey: 'e@example.com' }, ['e']],
      [{ userName: 'e@example.com' }, []],
      // A name is one user's: the address of another does not count if a directory gives it to somebody.
      [{ userName: 'x1@example.com', emailKey: 'x1@example.com' }, ['c']],
      [{ userName: 'a@example.com', emailKey: 'a@example.com' }, []],
      [{ externalId: 'x1' }, ['a', 'b', 'x1']],
      [{ externalId: 'a' }, []],
      [{ suspended: true }, ['b']],
      [{ suspended: false }, ['a', 'x1', 'c', 'd', 'e']],
      [{ externalId: 'x1', suspended: true, userName: userNameKey('Name of b') }, ['b']],
    ] as const)
      expect(await ids(filter)).toEqual({ ids: expected, total: expected.length })
  })

  it('lists them by place in the order in which they came', async () => {
    await put(...upTo(7).map((n) => provisioned(`u${n}`)))
    expect(await ids({}, 2, 3)).toEqual({ ids: ['u3', 'u4', 'u5'], total: 7 })
    expect(await ids({}, 5, 50)).toEqual({ ids: ['u6', 'u7'], total: 7 })
    expect(await ids({}, 7, 1)).toEqual({ ids: [], total: 7 })
    expect(await ids({}, Number.MAX_SAFE_INTEGER, 1)).toEqual({ ids: [], total: 7 })
  })

  it('makes, changes and deletes no administrator for a directory, whatever happens at the same time', async () => {
    const service = serviceOver(storage)
    const directory = { id: 'directory', roles: ['provisioner'], roleSource: 'token', channel: 'scim' } as const
    await put(aUser('ada', { roles: ['admin'] }), aUser('bob', { roles: ['admin'], suspendedAt: THEN }), aUser('eve'))
    const admin = { email: 'eve@example.com', name: '', roles: ['admin'] }
    const { errors } = await outcomesOf<unknown>([
      ...['ada', 'bob'].flatMap((id) => [
        service.deleteUser.execute({ userId: id }, directory),
        service.suspendUser.execute({ userId: id }, directory),
        service.resumeUser.execute({ userId: id }, directory),
        service.patchUser.execute({ userId: id, roles: [] }, directory),
        service.patchUser.execute({ userId: id, provisioned: { userName: 'x' } }, directory),
        service.putUser.execute({ userId: id, ...admin, roles: [] }, directory),
      ]),
      service.putUser.execute({ userId: 'eve', ...admin }, directory),
      service.putUser.execute({ userId: 'new', ...admin, email: 'new@example.com' }, directory),
      service.patchUser.execute({ userId: 'eve', roles: ['admin'] }, directory),
    ])
    expect(errors).toHaveLength(15)
    expect(errors.every((error) => error instanceof InsufficientPermissions)).toBe(true)
    await service.refusals.flush()
    const { items } = await readers.audit.list({ after: 0, limit: 100 })
    expect(items.every(({ outcome, channel }) => outcome === 'InsufficientPermissions' && channel === 'scim')).toBe(
      true,
    )
    await service.suspendUser.execute({ userId: 'eve' }, directory)
    await service.deleteUser.execute({ userId: 'eve' }, directory)
  })
})
