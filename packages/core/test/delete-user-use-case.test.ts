import { describe, expect, it } from 'vitest'
import { openMemoryService } from '../memory/index.ts'
import {
  DAY,
  EmailTaken,
  InsufficientPermissions,
  InvalidInput,
  LastAdministrator,
  operator,
  PreconditionFailed,
  UserDeleted,
  UserNotFound,
} from '../src/index.ts'
import {
  ADMIN,
  AUDITOR,
  auditOf,
  caller,
  confirm,
  deliver,
  mailedToken,
  mailsOf,
  NOBODY,
  outboxOf,
  putUser,
  type Service,
  stored,
  subscribe,
} from './cast.ts'

const EMAIL = 'ada.mail@example.com'
const withAda = async (roles: readonly string[] = []) => {
  const at = openMemoryService()
  await putUser(at, 'ada', roles, 'Ada Lovelace')
  return at
}
const remove = (at: Service, userId = 'ada', who = ADMIN, more = {}) =>
  at.useCases.deleteUser.execute({ userId, ...more }, who)
const refusalOf = async (promise: Promise<unknown>) => {
  const error = await promise.then(
    () => undefined,
    (refusal: unknown) => refusal,
  )
  return error as Error
}

describe('deleting a user', () => {
  it('removes the user, leaves its tombstone, and is one record in the trail', async () => {
    const at = await withAda()
    const who = { ...ADMIN, tokenId: 'jti', requestId: 'r-1' }
    const report = await at.useCases.deleteUser.execute({ userId: 'ada', reason: 'asked for it' }, who)
    expect(report).toEqual({ userId: 'ada', subscriptionsErased: 0, subscriptionsKept: 0 })
    const { users } = at.storage.readers
    expect([(await users.list({ after: 0, limit: 9 })).items, await users.standing('ada')]).toEqual([[], 'deleted'])
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
    for (const who of [NOBODY, AUDITOR, caller('ada'), caller('x', 'Admin')])
      for (const userId of ['ada', 'never-there', 'gone', '.', 'not a user id', ''])
        for (const more of [{}, { reason: 'x'.repeat(9_999) }, { precondition: () => false }]) {
          const error = await refusalOf(remove(at, userId, who, more))
          expect(error).toBeInstanceOf(InsufficientPermissions)
          messages.add(error.message)
        }
    expect([...messages]).toEqual(["Deleting users requires the 'admin' role."])
  })

  it('tells who may delete whether there never was such a user, or whether it is gone', async () => {
    const at = await withAda()
    for (const userId of ['bob', '', '.', 'no user id', 'operator:root', 'x'.repeat(300)])
      expect(await refusalOf(remove(at, userId))).toBeInstanceOf(UserNotFound)
    await remove(at)
    expect(await refusalOf(remove(at))).toBeInstanceOf(UserDeleted)
    expect(await refusalOf(remove(at, 'ada', ADMIN, { reason: 'x'.repeat(9_999) }))).toBeInstanceOf(UserDeleted)
    expect(await refusalOf(remove(at, 'bob', ADMIN, { reason: 'x'.repeat(9_999) }))).toBeInstanceOf(UserNotFound)
  })

  it('happens once when it is asked for many times at the same moment', async () => {
    const at = await withAda()
    const results = await Promise.allSettled(Array.from({ length: 10 }, () => remove(at)))
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect((await auditOf(at)).filter(({ action }) => action === 'user.delete')).toHaveLength(1)
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

  it('takes a reason of up to 500 characters that does not say who it was', async () => {
    const refused = [
      EMAIL,
      'ADA.MAIL@EXAMPLE.COM left',
      'ada lovelace asked',
      'for ADA   LOVELACE',
      'Ada\u00a0Lovelace',
      'Ａｄａ Lovelace',
      'x'.repeat(501),
      'line\nbreak',
      '\ud800',
    ]
    const at = await withAda()
    for (const reason of refused) {
      const error = await refusalOf(remove(at, 'ada', ADMIN, { reason }))
      expect(error).toEqual(expect.objectContaining({ details: [expect.objectContaining({ field: 'reason' })] }))
    }
    await remove(at, 'ada', ADMIN, { reason: `Ada asked ${'x'.repeat(490)}` })
  })

  it('takes any reason for a user without a name, a blank one included', async () => {
    for (const name of ['', '  ']) {
      const at = openMemoryService()
      await putUser(at, 'ada', [], name)
      await remove(at, 'ada', operator('root'), { reason: 'two  words' })
      expect((await auditOf(at)).at(-1)?.reason).toBe('two  words')
    }
  })
})

describe('deleting the last administrator', () => {
  it('is refused whoever asks, and changes nothing', async () => {
    const at = await withAda(['admin'])
    await putUser(at, 'bob', ['auditor'])
    for (const who of [ADMIN, operator('root'), caller('ada', 'admin')])
      expect(await refusalOf(remove(at, 'ada', who))).toBeInstanceOf(LastAdministrator)
    expect(await at.storage.readers.users.standing('ada')).toEqual({ roles: ['admin'] })
  })

  it('is recorded as a refusal', async () => {
    const at = await withAda(['admin'])
    await refusalOf(remove(at))
    await at.useCases.refusals.flush()
    expect((await auditOf(at)).at(-1)).toMatchObject({
      action: 'user.delete',
      target: 'ada',
      outcome: 'LastAdministrator',
    })
  })

  it('is done as soon as there is another one, and then not for that one', async () => {
    const at = await withAda(['admin'])
    await putUser(at, 'bob', ['admin'])
    const results = await Promise.allSettled([remove(at, 'ada'), remove(at, 'bob')])
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(results.find((result) => result.status === 'rejected')?.reason).toBeInstanceOf(LastAdministrator)
  })
})

describe('deleting a user who has subscriptions', () => {
  const subscribed = async () => {
    const at = await withAda()
    await at.useCases.putFeed.execute({ name: 'news' }, ADMIN)
    const first = await subscribe(at, EMAIL.toUpperCase())
    await confirm(at, await mailedToken(at, 'confirm'))
    at.clock.advance(DAY)
    const second = await subscribe(at, EMAIL, { feed: 'news' })
    const other = await subscribe(at, 'bob@example.com')
    return { at, first, second, other }
  }

  it('keeps them, unless their erasure is asked for, and says so', async () => {
    const { at, first, second } = await subscribed()
    expect(await remove(at)).toEqual({ userId: 'ada', subscriptionsErased: 0, subscriptionsKept: 2 })
    expect((await stored(at, first.id)).status).toBe('confirmed')
    expect((await stored(at, second.id)).status).toBe('pending')
    expect(await outboxOf(at)).toHaveLength(2)
  })

  it('erases them on all feeds, with what waits in the outbox and what the transport kept, and nothing of others', async () => {
    const { at, first, second, other } = await subscribed()
    const report = await remove(at, 'ada', ADMIN, { subscriptions: 'erase' })
    expect(report).toEqual({ userId: 'ada', subscriptionsErased: 2, subscriptionsKept: 0 })
    for (const { id } of [first, second]) await expect(stored(at, id)).rejects.toThrow()
    expect(mailsOf(at)).toEqual([])
    expect((await outboxOf(at)).map(({ subscriptionId }) => subscriptionId)).toEqual([other.id])
  })

  it('asks the transport to forget a mail that is being tried again, too', async () => {
    const { at } = await subscribed()
    at.transport.otherSide = async () => {
      throw new Error('busy')
    }
    await deliver(at)
    const waiting = (await outboxOf(at))[0]?.messageId
    const forgotten: string[] = []
    at.transport.forget = async (ids) => {
      forgotten.push(...ids)
    }
    await remove(at, 'ada', ADMIN, { subscriptions: 'erase' })
    expect(forgotten).toContain(waiting)
    expect(forgotten).toHaveLength(2)
  })

  it('looks through all feeds, however many', async () => {
    const at = await withAda()
    for (let n = 0; n < 205; n++) await at.useCases.putFeed.execute({ name: `feed-${n}` }, ADMIN)
    await subscribe(at, EMAIL, { feed: 'feed-204' })
    expect((await remove(at)).subscriptionsKept).toBe(1)
  })
})

describe('the id of a deleted user', () => {
  it('never comes back', async () => {
    const at = await withAda()
    await remove(at)
    expect(await refusalOf(putUser(at, 'ada'))).toBeInstanceOf(UserDeleted)
    expect(await refusalOf(at.useCases.getUser.execute({ userId: 'ada' }, ADMIN))).toBeInstanceOf(UserDeleted)
    at.clock.advance(3_650 * DAY)
    expect(await refusalOf(putUser(at, 'ada'))).toBeInstanceOf(UserDeleted)
  })

  it('does not hold back its address', async () => {
    const at = await withAda()
    const again = () => at.useCases.putUser.execute({ userId: 'ada2', email: EMAIL, name: '', roles: [] }, ADMIN)
    expect(await refusalOf(again())).toBeInstanceOf(EmailTaken)
    await remove(at)
    expect((await again()).created).toBe(true)
  })
})

describe('planning a deletion', () => {
  const plan = (at: Service, userId: string, who = ADMIN, more = {}) =>
    at.useCases.planUserDeletion.execute({ userId, ...more }, who)

  it('says what would go and stay, and changes nothing', async () => {
    const at = await withAda()
    await subscribe(at, EMAIL)
    const before = [await auditOf(at), await outboxOf(at)]
    expect(await plan(at, 'ada')).toMatchObject({
      userId: 'ada',
      user: { email: EMAIL },
      subscriptions: 1,
      refusal: undefined,
    })
    expect([await auditOf(at), await outboxOf(at)]).toEqual(before)
    expect(await at.storage.readers.users.standing('ada')).toEqual({ roles: [] })
  })

  it('says what would refuse', async () => {
    const at = await withAda(['admin'])
    await putUser(at, 'gone')
    await remove(at, 'gone')
    expect((await plan(at, 'ada')).refusal).toBeInstanceOf(LastAdministrator)
    expect(await plan(at, 'gone')).toMatchObject({
      user: undefined,
      subscriptions: 0,
      refusal: { name: 'UserDeleted' },
    })
    for (const userId of ['bob', 'no user id']) expect((await plan(at, userId)).refusal).toBeInstanceOf(UserNotFound)
    await expect(plan(at, 'ada', ADMIN, { reason: EMAIL })).rejects.toBeInstanceOf(InvalidInput)
  })

  it('counts the administrators that the same plan deletes before', async () => {
    const at = await withAda(['admin'])
    await putUser(at, 'bob', ['admin'])
    expect((await plan(at, 'ada')).refusal).toBeUndefined()
    expect((await plan(at, 'bob', ADMIN, { administratorsBefore: 1 })).refusal).toBeInstanceOf(LastAdministrator)
  })

  it('requires the same role as deleting', async () => {
    await expect(plan(await withAda(), 'ada', AUDITOR)).rejects.toThrow("Deleting users requires the 'admin' role.")
  })

  it('passes on what it did not foresee', async () => {
    const at = await withAda(['admin'])
    const { run } = at.storage.unitOfWork
    const broken = new Error('broken')
    Object.assign(at.storage.unitOfWork, {
      run: (work: Parameters<typeof run>[0]) =>
        run((stores) => work({ ...stores, users: { ...stores.users, countWithRole: () => Promise.reject(broken) } })),
    })
    expect(await refusalOf(plan(at, 'ada'))).toBe(broken)
    expect(await refusalOf(remove(at))).toBe(broken)
  })
})
