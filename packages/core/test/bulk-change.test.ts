import { describe, expect, it } from 'vitest'
import { openMemoryService } from '../memory/index.ts'
import {
  BULK_CHANGES,
  type BulkChange,
  type BulkRow,
  type BulkTerms,
  InvalidInput,
  LastAdministrator,
  Unauthenticated,
  UserNotFound,
} from '../src/index.ts'
import { ADMIN, AUDITOR, auditOf, caller, outboxOf, putUser, type Service, subscribe } from './cast.ts'
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
    expect((await plan(at, 'bob', ADMIN, { administratorsRemovedBefore: 1 }))?.refusal).toBeInstanceOf(
      LastAdministrator,
    )
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

describe('a change of many users', () => {
  const CHANGES = [
    ['suspend', {}, 'resume'],
    ['roles', { add: ['auditor'], remove: ['sender'] }, undefined],
    ['delete', {}, 'restore'],
  ] as const
  const withUsers = async () => {
    const at = openMemoryService({ deleteGrace: 60_000 })
    for (const id of ['a', 'b', 'c']) await putUser(at, id, ['sender'])
    return at
  }
  const rows = [{ id: 'a' }, { id: 'b' }, { id: 'nobody' }]
  const plannedBy = async (at: Service, change: BulkChange, terms: BulkTerms) => {
    const { rows: planned } = await at.useCases.planUserChanges.execute({ change, rows, ...terms }, ADMIN)
    expect(planned.map(({ outcome }) => outcome)).toEqual(['would-change', 'would-change', 'refused'])
    return planned.slice(0, 2).map(({ id, state, subscriptions }) => ({ id, state, subscriptions }))
  }
  const outcomes = async (at: Service, change: BulkChange, terms: BulkTerms, held: readonly BulkRow[], who = ADMIN) =>
    (await at.useCases.changeUsers.execute({ change, rows: held, ...terms }, who)).map(({ outcome, refusal, ours }) =>
      outcome === 'refused' ? `${refusal?.name}${ours ? ', ours' : ''}` : outcome,
    )

  it.each(CHANGES)('is planned, carried out, known again and undone: %s', async (change, terms, undo) => {
    const at = await withUsers()
    const held = await plannedBy(at, change, terms)
    const who = { ...ADMIN, requestId: 'plan-1' }
    expect(await outcomes(at, change, terms, held, who)).toEqual(['changed', 'changed'])
    const again = change === 'delete' ? 'UserDeleted, ours' : 'same'
    expect(await outcomes(at, change, terms, held, who)).toEqual([again, again])
    const seen = await at.useCases.planUserChanges.execute({ change, rows: held, ...terms }, who)
    const foreseen = seen.rows.map(({ outcome, refusal, ours }) =>
      outcome === 'refused' ? `${refusal?.name}${ours ? ', ours' : ''}` : outcome,
    )
    expect(foreseen).toEqual([again, again])
    expect(BULK_CHANGES[change]).toMatchObject(undo === undefined ? {} : { undo })
    if (undo === undefined) return
    expect(await outcomes(at, undo, {}, [{ id: 'a' }, { id: 'c' }])).toEqual(['changed', 'same'])
    expect(await at.useCases.getUser.execute({ userId: 'a' }, ADMIN)).toMatchObject({ roles: ['sender'] })
  })

  it.each(CHANGES)('leaves out who has changed since it was planned: %s', async (change, terms) => {
    const at = await withUsers()
    const held = await plannedBy(at, change, terms)
    at.clock.advance(5)
    await putUser(at, 'a', ['sender'], 'Another')
    expect(await outcomes(at, change, terms, held)).toEqual(['PreconditionFailed', 'changed'])
  })

  it('leaves out whose address has another number of subscriptions, also of who was not planned', async () => {
    const at = await withAda()
    await subscribe(at, EMAIL)
    const terms = { subscriptions: 'erase' } as const
    const none = [{ id: 'ada', subscriptions: 0 }]
    const plan = await at.useCases.planUserChanges.execute({ change: 'delete', rows: none, ...terms }, ADMIN)
    expect(plan.rows).toMatchObject([{ outcome: 'refused', refusal: { name: 'PreconditionFailed' } }])
    expect(await outcomes(at, 'delete', terms, none)).toEqual(['PreconditionFailed'])
    expect(await outcomes(at, 'delete', terms, [{ id: 'ada', subscriptions: 1 }])).toEqual(['changed'])
  })

  it.each([
    ['suspend', {}],
    ['delete', {}],
    ['roles', { remove: ['admin'] }],
  ] as const)('leaves the last of several administrators: %s', async (change, terms) => {
    const at = await withUsers()
    for (const id of ['x', 'y']) await putUser(at, id, ['admin'])
    const both = [{ id: 'x' }, { id: 'y' }]
    const plan = await at.useCases.planUserChanges.execute({ change, rows: both, ...terms }, ADMIN)
    expect(plan.rows.map(({ outcome }) => outcome)).toEqual(['would-change', 'refused'])
    expect(plan.administratorsRemoved).toBe(1)
    expect((await outcomes(at, change, terms, both)).sort()).toEqual(['LastAdministrator', 'changed'])
  })

  it('says of those that are so already that they are the same', async () => {
    const at = await withUsers()
    for (const [change, terms] of [
      ['resume', {}],
      ['restore', {}],
      ['roles', { add: ['sender'] }],
    ] as const) {
      const plan = await at.useCases.planUserChanges.execute({ change, rows: [{ id: 'a' }], ...terms }, ADMIN)
      expect([change, plan.rows[0]?.outcome]).toEqual([change, 'same'])
    }
  })

  it('changes a user who comes twice once, as the first row says', async () => {
    const at = await withUsers()
    const twice = [{ id: 'b' }, { id: 'a', state: 'another' }, { id: 'c' }, { id: 'b', state: 'another' }, { id: 'a' }]
    expect(await outcomes(at, 'suspend', {}, twice)).toEqual(['changed', 'PreconditionFailed', 'changed'])
  })

  it.each(['delete', 'restore', 'suspend', 'resume', 'roles'] as const)(
    'changes nobody if the reason names one of them, whose name would be kept in the records of the others: %s',
    async (change) => {
      const at = await withUsers()
      await putUser(at, 'd', [], 'Ada Lovelace')
      if (change === 'restore') for (const id of ['a', 'd']) await remove(at, id)
      const order = { change, rows: [{ id: 'a' }, { id: 'd' }], reason: 'Ada Lovelace and others left' }
      const before = await auditOf(at)
      await expect(at.useCases.changeUsers.execute(order, ADMIN)).rejects.toMatchObject({
        details: [{ field: 'reason', message: expect.stringMatching(/^Leave out user d's name /) }],
      })
      await expect(at.useCases.changeUsers.execute(order, AUDITOR)).rejects.toThrow("requires the 'admin' role")
      expect(await auditOf(at)).toEqual(before)
      const plan = await at.useCases.planUserChanges.execute(order, ADMIN)
      expect(plan.rows[1]).toMatchObject({ outcome: 'refused', refusal: { name: 'InvalidInput' } })
      const discreet = { ...order, reason: 'left' }
      expect((await at.useCases.changeUsers.execute(discreet, ADMIN)).every(({ refusal }) => !refusal)).toBe(true)
    },
  )

  it('tells what was done up to where its caller was one of them', async () => {
    const at = await withUsers()
    for (const id of ['root', 'b']) await putUser(at, id, ['admin'])
    const who = caller('b', 'admin')
    expect(await outcomes(at, 'delete', {}, [{ id: 'a' }, { id: 'b' }, { id: 'c' }], who)).toEqual([
      'changed',
      'changed',
      'Unauthenticated',
    ])
    const rest = at.useCases.changeUsers.execute({ change: 'delete', rows: [{ id: 'c' }] }, who)
    expect(await refusalOf(rest)).toBeInstanceOf(Unauthenticated)
  })

  it('takes some users at a time, known roles, and the right to each', async () => {
    const at = await withUsers()
    const order = { change: 'roles', rows } as const
    for (const wrong of [{ rows: [] }, { rows: Array.from({ length: 257 }, (_, n) => ({ id: `u${n}` })) }]) {
      await expect(at.useCases.changeUsers.execute({ ...order, ...wrong }, ADMIN)).rejects.toThrow(InvalidInput)
      await expect(at.useCases.planUserChanges.execute({ ...order, ...wrong }, ADMIN)).rejects.toThrow(InvalidInput)
    }
    for (const useCase of [at.useCases.changeUsers, at.useCases.planUserChanges]) {
      const wrong = useCase.execute({ ...order, add: ['king'], remove: ['queen'] }, ADMIN)
      await expect(wrong).rejects.toMatchObject({ details: [{ field: 'add' }, { field: 'remove' }] })
      await expect(useCase.execute(order, AUDITOR)).rejects.toThrow("requires the 'admin' role")
    }
  })
})
