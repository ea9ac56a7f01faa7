import { describe, expect, it } from 'vitest'
import { InvalidInput, LastAdministrator, UserNotFound } from '../src/index.ts'
import { ADMIN, AUDITOR, auditOf, outboxOf, putUser, type Service, subscribe } from './cast.ts'
import { EMAIL, refusalOf, remove, withAda } from './deletions.ts'

describe('planning a deletion', () => {
  const plan = async (at: Service, userId: string, who = ADMIN, more = {}) =>
    (await at.useCases.planUserChanges.execute({ change: 'delete', rows: [{ id: userId }], ...more }, who)).rows[0]

  it('says what would go and stay, and changes nothing', async () => {
    const at = await withAda()
    await subscribe(at, EMAIL)
    const before = [await auditOf(at), await outboxOf(at)]
    expect(await plan(at, 'ada')).toMatchObject({
      id: 'ada',
      outcome: 'would-change',
      user: { email: EMAIL },
      subscriptions: 1,
    })
    expect([await auditOf(at), await outboxOf(at)]).toEqual(before)
    expect(await at.storage.readers.users.accountStatus('ada')).toEqual({ roles: [] })
  })

  it('says what would refuse', async () => {
    const at = await withAda(['admin'])
    await putUser(at, 'gone')
    await remove(at, 'gone')
    expect((await plan(at, 'ada'))?.refusal).toBeInstanceOf(LastAdministrator)
    expect(await plan(at, 'gone')).toMatchObject({
      user: undefined,
      subscriptions: 0,
      refusal: { name: 'UserDeleted' },
    })
    for (const userId of ['bob', 'no user id']) expect((await plan(at, userId))?.refusal).toBeInstanceOf(UserNotFound)
    expect((await plan(at, 'ada', ADMIN, { reason: EMAIL }))?.refusal).toBeInstanceOf(InvalidInput)
  })

  it('counts the administrators that the same plan deletes before', async () => {
    const at = await withAda(['admin'])
    await putUser(at, 'bob', ['admin'])
    expect((await plan(at, 'ada'))?.refusal).toBeUndefined()
    expect((await plan(at, 'bob', ADMIN, { administratorsBefore: 1 }))?.refusal).toBeInstanceOf(LastAdministrator)
  })

  it('requires the same role as deleting', async () => {
    await expect(plan(await withAda(), 'ada', AUDITOR)).rejects.toThrow("Deleting users requires the 'admin' role.")
  })

  it('passes on what it did not foresee', async () => {
    const at = await withAda(['admin'])
    const { run } = at.storage.unitOfWork
    const broken = new Error('broken')
    Object.assign(at.storage.readers.users, { countWithRole: () => Promise.reject(broken) })
    Object.assign(at.storage.unitOfWork, {
      run: (work: Parameters<typeof run>[0]) =>
        run((stores) => work({ ...stores, users: { ...stores.users, countWithRole: () => Promise.reject(broken) } })),
    })
    expect(await refusalOf(plan(at, 'ada'))).toBe(broken)
    expect(await refusalOf(remove(at))).toBe(broken)
  })
})
