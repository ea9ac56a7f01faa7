import { describe, expect, it } from 'vitest'
import {
  InsufficientPermissions,
  InvalidInput,
  LastAdministrator,
  PreconditionFailed,
  UserDeleted,
  UserNotFound,
} from '../src/index.ts'
import { ADMIN, AUDITOR, auditOf, caller, NO_ROLES, putUser, subscribe } from './cast.ts'
import { EMAIL, refusalOf, remove, withAda } from './deletions.ts'

describe('deleting a user', () => {
  it('removes the user, leaves its tombstone, and is one record in the trail', async () => {
    const at = await withAda()
    const who = { ...ADMIN, tokenId: 'jti', requestId: 'r-1' }
    const report = await at.useCases.deleteUser.execute({ userId: 'ada', reason: 'asked for it' }, who)
    expect(report).toEqual({ userId: 'ada', subscriptionsErased: 0, subscriptionsKept: 0 })
    const { users } = at.storage.readers
    expect([(await users.list({ after: 0, limit: 9 })).items, await users.accountStatus('ada')]).toEqual([
      [],
      'deleted',
    ])
    expect((await auditOf(at)).at(-1)).toMatchObject({
      at: at.clock.now(),
      actor: 'root',
      tokenId: 'jti',
      requestId: 'r-1',
      action: 'user.delete',
      target: 'ada',
      outcome: 'done',
      reason: 'asked for it',
      count: 1,
    })
  })

  it('is refused without the role before anything is looked up: existence, oneself, reason or state never tell', async () => {
    const at = await withAda(['admin'])
    await putUser(at, 'gone')
    await remove(at, 'gone')
    const messages = new Set<string>()
    for (const who of [NO_ROLES, AUDITOR, caller('ada'), caller('x', 'Admin')])
      for (const userId of ['ada', 'never-there', 'gone', '.', 'not a user id', ''])
        for (const more of [{}, { reason: 'x'.repeat(9_999) }, { precondition: () => false }]) {
          const error = await refusalOf(remove(at, userId, who, more))
          expect(error).toBeInstanceOf(InsufficientPermissions)
          messages.add(error.message)
        }
    expect([...messages]).toEqual(["Deleting users requires the 'admin' role."])
  })

  it('says to callers who may delete whether there never was such a user, or whether it is gone', async () => {
    const at = await withAda()
    for (const userId of ['bob', '', '.', 'no user id', 'operator:root', 'x'.repeat(300)])
      expect(await refusalOf(remove(at, userId))).toBeInstanceOf(UserNotFound)
    await remove(at)
    expect(await refusalOf(remove(at))).toBeInstanceOf(UserDeleted)
    expect(await refusalOf(remove(at, 'ada', ADMIN, { reason: 'x'.repeat(9_999) }))).toBeInstanceOf(UserDeleted)
    expect(await refusalOf(remove(at, 'bob', ADMIN, { reason: 'x'.repeat(9_999) }))).toBeInstanceOf(UserNotFound)
  })

  it("holds to the caller's condition, before it looks at the reason or the last administrator", async () => {
    const at = await withAda(['admin'])
    const stale = { precondition: () => false, reason: EMAIL }
    expect(await refusalOf(remove(at, 'ada', ADMIN, stale))).toBeInstanceOf(PreconditionFailed)
    expect(await refusalOf(remove(at, 'ada', ADMIN, { reason: EMAIL }))).toBeInstanceOf(InvalidInput)
    expect(await refusalOf(remove(at))).toBeInstanceOf(LastAdministrator)
    await putUser(at, 'bob', ['admin'])
    const seen: unknown[] = []
    await remove(at, 'ada', ADMIN, { precondition: (user: unknown) => seen.push(user) > 0 })
    expect(seen).toMatchObject([{ id: 'ada', email: EMAIL }])
  })

  it('deletes nothing where there are more subscriptions of the address, or fewer, than the caller knows of', async () => {
    const at = await withAda()
    await subscribe(at, EMAIL)
    for (const subscriptionsExpected of [0, 2])
      expect(await refusalOf(remove(at, 'ada', ADMIN, { subscriptionsExpected }))).toBeInstanceOf(PreconditionFailed)
    const command = { subscriptionsExpected: 1, subscriptions: 'erase' }
    expect(await remove(at, 'ada', ADMIN, command)).toMatchObject({ subscriptionsErased: 1 })
  })

  it('takes a reason of up to 500 characters that does not say who it was', async () => {
    const refused = [
      EMAIL,
      ...[
        'ADA.MAIL@EXAMPLE.COM left',
        'ada lovelace asked',
        'for ADA   LOVELACE',
        'Ada\u00a0Lovelace',
        'Ａｄａ Lovelace',
      ],
      ...['x'.repeat(501), 'line\nbreak', '\ud800'],
    ]
    const at = await withAda()
    for (const reason of refused) {
      const error = await refusalOf(remove(at, 'ada', ADMIN, { reason }))
      expect(error).toEqual(expect.objectContaining({ details: [expect.objectContaining({ field: 'reason' })] }))
    }
    await remove(at, 'ada', ADMIN, { reason: `Ada asked ${'x'.repeat(490)}` })
  })
})
