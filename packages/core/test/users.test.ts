import { describe, expect, it } from 'vitest'
import { openMemoryService } from '../memory/index.ts'
import {
  type DomainError,
  EmailTaken,
  InvalidInput,
  PreconditionFailed,
  type PutUserCommand,
  SECOND,
  UserDeleted,
  UserNotFound,
} from '../src/index.ts'
import { ADMIN, AUDITOR, auditOf, caller, NO_ROLES, putUser, type Service } from './cast.ts'

const ADA: PutUserCommand = {
  userId: 'ada',
  email: 'Ada@Example.com',
  name: 'Ada',
  roles: ['auditor', 'admin', 'admin'],
}
const put = ({ useCases }: Service, changes: Partial<PutUserCommand> = {}, who = ADMIN) =>
  useCases.putUser.execute({ ...ADA, ...changes }, who)
const get = ({ useCases }: Service, userId: string, who = ADMIN) => useCases.getUser.execute({ userId }, who)
const list = async ({ useCases }: Service, command = {}, who = ADMIN) => {
  const { items, next } = await useCases.listUsers.execute(command, who)
  return { ids: items.map(({ id }) => id), next }
}

describe('putting a user', () => {
  it('creates it', async () => {
    const at = openMemoryService()
    const { user, created } = await put(at)
    const now = at.clock.now()
    expect(created).toBe(true)
    expect(user).toEqual({
      id: 'ada',
      email: 'Ada@example.com',
      emailKey: 'ada@example.com',
      name: 'Ada',
      roles: ['admin', 'auditor'],
      createdAt: now,
      updatedAt: now,
    })
    expect(await get(at, 'ada')).toEqual(user)
    expect(await auditOf(at)).toMatchObject([{ actor: 'root', action: 'user.put', target: 'ada', outcome: 'done' }])
  })

  it('replaces it, but for when it was created', async () => {
    const at = openMemoryService()
    const { user } = await put(at)
    at.clock.advance(SECOND)
    const replaced = await put(at, { email: 'other@example.com', name: '', roles: ['admin'] })
    expect(replaced.created).toBe(false)
    expect(replaced.user).toMatchObject({ name: '', createdAt: user.createdAt, updatedAt: user.createdAt + SECOND })
  })

  it('requires the role', async () => {
    for (const who of [NO_ROLES, AUDITOR, caller('ada')])
      await expect(put(openMemoryService(), {}, who)).rejects.toThrow("Changing users requires the 'admin' role.")
  })

  it('refuses what is not valid, in the field that is not', async () => {
    const at = openMemoryService()
    const invalid: [field: string, changes: Partial<PutUserCommand>][] = [
      ['id', { userId: '' }],
      ['id', { userId: '..' }],
      ['id', { userId: 'operator:root' }],
      ['id', { userId: 'two words' }],
      ['id', { userId: 'ada@example.com' }],
      ['id', { userId: 'crm/ADA@example.com/1' }],
      ['email', { email: 'ada' }],
      ['name', { name: 'a\u0000' }],
      ['roles', { roles: ['root'] }],
    ]
    for (const [field, changes] of invalid)
      await expect(put(at, changes)).rejects.toEqual(
        expect.objectContaining({ name: 'InvalidInput', details: [expect.objectContaining({ field })] }),
      )
    await expect(put(at, { userId: 'crm/ada@example.com' })).rejects.toMatchObject({
      details: [{ message: "Choose an id that does not contain the user's e-mail address." }],
    })
    expect((await list(at)).ids).toEqual([])
    expect(await auditOf(at)).toEqual([])
  })

  it("holds to the caller's condition, and checks it before the fields", async () => {
    const at = openMemoryService()
    await expect(put(at, { precondition: (user) => user !== undefined, email: '' })).rejects.toBeInstanceOf(
      PreconditionFailed,
    )
    await put(at, { precondition: (user) => user === undefined })
    await expect(put(at, { precondition: (user) => user === undefined })).rejects.toBeInstanceOf(PreconditionFailed)
    await put(at, { precondition: (user) => user?.id === 'ada' })
  })

  it('refuses an address that another user has, however it is written', async () => {
    const at = openMemoryService()
    await put(at)
    await expect(put(at, { userId: 'bob', email: 'ADA@EXAMPLE.COM' })).rejects.toBeInstanceOf(EmailTaken)
    await at.useCases.refusals.flush()
    expect((await auditOf(at)).map(({ outcome }) => outcome)).toEqual(['done'])
    await put(at, { email: 'ADA@EXAMPLE.COM' })
  })
})

describe('getting a user', () => {
  it('is for who may read users, and for the user itself', async () => {
    const at = openMemoryService()
    await put(at)
    for (const who of [ADMIN, AUDITOR, caller('ada')]) expect((await get(at, 'ada', who)).id).toBe('ada')
  })

  it('hides from everybody else whether there is, was or never was one', async () => {
    const at = openMemoryService()
    await put(at, { roles: [] })
    await putUser(at, 'gone')
    await at.useCases.deleteUser.execute({ userId: 'gone' }, ADMIN)
    const refusals: DomainError[] = []
    for (const userId of ['ada', 'gone', 'never-there', '', 'no user id'])
      refusals.push(
        await get(at, userId, NO_ROLES).then(
          () => expect.unreachable(),
          (error) => error,
        ),
      )
    for (const error of refusals) expect(error).toBeInstanceOf(UserNotFound)
    expect(new Set(refusals.map(({ message }) => message)).size).toBe(1)
    await at.useCases.refusals.flush()
    expect((await auditOf(at)).filter(({ actor }) => actor === NO_ROLES.id).map(({ target }) => target)).toHaveLength(5)
  })

  it('says to callers who may know that it never was, or that it was deleted', async () => {
    const at = openMemoryService()
    await putUser(at, 'gone')
    await at.useCases.deleteUser.execute({ userId: 'gone' }, ADMIN)
    await expect(get(at, 'gone', AUDITOR)).rejects.toBeInstanceOf(UserDeleted)
    for (const userId of ['never-there', 'no user id', ''])
      await expect(get(at, userId)).rejects.toBeInstanceOf(UserNotFound)
    await expect(get(at, NO_ROLES.id, NO_ROLES)).rejects.toBeInstanceOf(UserNotFound)
  })
})

describe('listing users', () => {
  it('goes through all of them, found by text and role', async () => {
    const at = openMemoryService()
    for (const id of ['a', 'b', 'c']) await putUser(at, id, id === 'b' ? ['admin'] : [], `Person ${id}`)
    const first = await list(at, { limit: '2' })
    expect(first.ids).toEqual(['a', 'b'])
    expect(await list(at, { cursor: first.next?.toString(), limit: 2 })).toEqual({ ids: ['c'], next: undefined })
    expect((await list(at, { query: 'PERSON C' }, AUDITOR)).ids).toEqual(['c'])
    expect((await list(at, { query: '' })).ids).toEqual(['a', 'b', 'c'])
    expect((await list(at, { role: 'admin' })).ids).toEqual(['b'])
  })

  it('refuses a query or a role that could match nothing, and who may not', async () => {
    const at = openMemoryService()
    await expect(list(at, { query: 'x'.repeat(256) })).rejects.toBeInstanceOf(InvalidInput)
    await expect(list(at, { query: 'a\u0000' })).rejects.toBeInstanceOf(InvalidInput)
    await expect(list(at, { role: 'root' })).rejects.toThrow("Correct 'role'")
    await expect(list(at, {}, NO_ROLES)).rejects.toThrow("Reading users requires the 'admin' or 'auditor' role.")
    expect((await list(at, { query: 'x'.repeat(255) })).ids).toEqual([])
  })
})
