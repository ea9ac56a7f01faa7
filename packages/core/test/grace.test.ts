import { describe, expect, it } from 'vitest'
import { openMemoryService } from '../memory/index.ts'
import { ADMIN, AUDITOR, auditOf, deliver, mailsOf, NO_ROLES, putUser, type Service, subscribe } from './cast.ts'

const HOUR = 3_600_000

const withGrace = async () => {
  const at = openMemoryService({ deleteGrace: HOUR })
  await putUser(at, 'root', ['admin'])
  await putUser(at, 'ada', ['auditor'], 'Ada Lovelace')
  return at
}
const remove = (at: Service, userId = 'ada', subscriptions?: 'erase') =>
  at.useCases.deleteUser.execute({ userId, reason: 'asked for it', subscriptions }, ADMIN)
const restore = (at: Service, userId = 'ada', who = ADMIN) => at.useCases.restoreUser.execute({ userId }, who)
const receipt = (at: Service, userId = 'ada', who = AUDITOR) => at.useCases.getErasureReceipt.execute({ userId }, who)
const authenticate = async (at: Service, token: string) => at.useCases.authenticate.execute({ token, channel: 'http' })
const issue = async (at: Service, subject = 'ada') => {
  const { token } = await at.tokens.issue({ subject, roles: ['admin'], lifetime: 7 * 24 * 3600 })
  return token
}

describe('a deletion with a grace', () => {
  it('hides the user at once and everywhere, and refuses its tokens', async () => {
    const at = await withGrace()
    const token = await issue(at)
    await remove(at)
    await expect(at.useCases.getUser.execute({ userId: 'ada' }, ADMIN)).rejects.toMatchObject({ name: 'UserDeleted' })
    expect((await at.useCases.listUsers.execute({ query: 'ada' }, ADMIN)).items).toEqual([])
    await expect(authenticate(at, token)).rejects.toMatchObject({ name: 'Unauthenticated' })
    await expect(remove(at)).rejects.toMatchObject({ name: 'UserDeleted' })
    await expect(putUser(at, 'ada')).rejects.toMatchObject({ name: 'UserDeleted' })
    await expect(at.useCases.exportUser.execute({ userId: 'ada' }, ADMIN)).rejects.toMatchObject({
      name: 'UserDeleted',
    })
  })

  it('cannot be undone once it is over, also if nobody has erased anything yet', async () => {
    const at = await withGrace()
    await remove(at)
    at.clock.advance(HOUR)
    await expect(restore(at)).rejects.toMatchObject({ name: 'UserDeleted' })
    const command = { change: 'restore', rows: [{ id: 'ada' }] } as const
    expect((await at.useCases.planUserChanges.execute(command, ADMIN)).rows).toMatchObject([{ outcome: 'refused' }])
    expect(await at.useCases.changeUsers.execute(command, ADMIN)).toMatchObject([{ outcome: 'refused' }])
  })

  it('is undone by nobody in a repository that would let old tokens in again', async () => {
    const at = await withGrace()
    await remove(at)
    const { run } = at.storage.unitOfWork
    at.storage.unitOfWork.run = (work) =>
      run((stores) => {
        const put: typeof stores.users.put = ({ tokensNotBefore: _, ...user }) => stores.users.put(user)
        return work({ ...stores, users: Object.assign(Object.create(stores.users), { put, keptByHost: true }) })
      })
    await expect(restore(at)).rejects.toMatchObject({ name: 'SuspensionNotKept' })
  })

  it('leaves tokens good that are issued right after it was undone', async () => {
    const at = await withGrace()
    at.clock.advance(600)
    await at.useCases.suspendUser.execute({ userId: 'ada' }, ADMIN)
    await at.useCases.resumeUser.execute({ userId: 'ada' }, ADMIN)
    const { token } = await at.useCases.issueToken.execute({ subject: 'ada', roles: [], lifetime: 60 }, ADMIN)
    expect(await authenticate(at, token)).toMatchObject({ id: 'ada' })
    for (const end of [() => at.useCases.suspendUser.execute({ userId: 'ada' }, ADMIN), () => remove(at)]) {
      const { token: late } = await at.useCases.issueToken.execute({ subject: 'ada', roles: [], lifetime: 60 }, ADMIN)
      await end()
      await at.useCases.resumeUser.execute({ userId: 'ada' }, ADMIN).catch(() => restore(at))
      at.clock.advance(5_000)
      await expect(authenticate(at, late)).rejects.toThrow('Get a new token')
    }
  })

  it('can be undone: the user is as it was, its old tokens stay refused, new ones are good', async () => {
    const at = await withGrace()
    const before = await at.useCases.getUser.execute({ userId: 'ada' }, ADMIN)
    const old = await issue(at)
    await remove(at)
    at.clock.advance(5_000)
    const restored = await restore(at)
    expect(restored).toMatchObject({ ...before, updatedAt: at.clock.now() })
    await expect(authenticate(at, old)).rejects.toThrow('Get a new token')
    at.clock.advance(1_000)
    expect(await authenticate(at, await issue(at))).toMatchObject({
      id: 'ada',
      roles: ['auditor'],
      roleSource: 'stored',
    })
    at.clock.advance(2 * HOUR)
    expect(await at.useCases.eraseHeldUsers.execute()).toEqual({ count: 0, more: false })
    expect((await at.useCases.getUser.execute({ userId: 'ada' }, ADMIN)).name).toBe('Ada Lovelace')
    expect((await auditOf(at)).map(({ action }) => action)).toEqual([
      'user.put',
      'user.put',
      'user.delete',
      'user.restore',
    ])
  })

  it('erases everything when the grace is over: then it cannot be undone', async () => {
    const at = await withGrace()
    await subscribe(at, 'ada.mail@example.com')
    await deliver(at)
    await remove(at, 'ada', 'erase')
    expect((await receipt(at)).tombstone).toMatchObject({
      erasesAt: at.clock.now() + HOUR,
      erased: { users: 0, subscriptions: 0 },
    })
    at.clock.advance(HOUR - 1)
    expect(await at.useCases.eraseHeldUsers.execute()).toEqual({ count: 0, more: false })
    at.clock.advance(1)
    expect(await at.useCases.eraseHeldUsers.execute()).toEqual({ count: 1, more: false })
    expect(await at.useCases.eraseHeldUsers.execute()).toEqual({ count: 0, more: false })
    await expect(restore(at)).rejects.toMatchObject({ name: 'UserDeleted' })
    expect(mailsOf(at)).toEqual([])
    expect((await receipt(at)).tombstone).toMatchObject({
      erasesAt: undefined,
      erased: { users: 1, roles: 1, subscriptions: 1 },
      subscriptionsKept: 0,
    })
    expect((await auditOf(at)).at(-1)).toMatchObject({
      action: 'user.erase',
      target: 'ada',
      actor: 'operator:rollcall',
    })
  })

  it('cannot be undone while another user has the address', async () => {
    const at = await withGrace()
    await remove(at)
    const command = { userId: 'bob', email: 'ada.mail@example.com', name: '', roles: [] }
    await at.useCases.putUser.execute(command, ADMIN)
    await expect(restore(at)).rejects.toMatchObject({
      name: 'EmailTaken',
      message:
        "User 'bob' has its e-mail address by now. Give that user another one with `rollcall user put`, or delete it with `rollcall user delete`; then restore this one.",
    })
    await remove(at, 'bob')
    expect((await restore(at)).id).toBe('ada')
  })

  it('cannot be undone while another user has the name in the directory', async () => {
    const at = await withGrace()
    const provisioned = { userName: 'Ada' }
    await at.useCases.patchUser.execute({ userId: 'ada', provisioned }, ADMIN)
    await remove(at)
    const command = { userId: 'bob', email: 'bob@example.com', name: '', roles: [], provisioned: { userName: 'ADA' } }
    await at.useCases.putUser.execute(command, ADMIN)
    await expect(restore(at)).rejects.toMatchObject({
      name: 'UserNameTaken',
      message:
        "User 'bob' has its userName by now. Give that user another one in the directory, or delete it with `rollcall user delete`; then restore this one.",
    })
    await remove(at, 'bob')
    expect((await restore(at)).provisioned).toEqual(provisioned)
  })

  it('is undone by who may, where there is something to restore; twice is once', async () => {
    const at = await withGrace()
    await expect(restore(at, 'ada', AUDITOR)).rejects.toThrow("Restoring users requires the 'admin' role.")
    await expect(restore(at, 'nobody')).rejects.toMatchObject({ name: 'UserNotFound' })
    await expect(restore(at, 'not an id')).rejects.toMatchObject({ name: 'UserNotFound' })
    await remove(at)
    const first = await restore(at)
    at.clock.advance(1)
    expect(await restore(at)).toEqual(first)
  })

  it('is undone under the condition of the caller, with a reason that is discreet, and told as a new user', async () => {
    const at = await withGrace()
    const undo = (more: object) => at.useCases.restoreUser.execute({ userId: 'ada', ...more }, ADMIN)
    const never = { precondition: () => false }
    await expect(undo(never)).rejects.toMatchObject({ name: 'PreconditionFailed' })
    await remove(at)
    await expect(undo(never)).rejects.toMatchObject({ name: 'PreconditionFailed' })
    await expect(undo({ reason: 'Ada Lovelace is back' })).rejects.toMatchObject({ name: 'InvalidInput' })
    await undo({ precondition: ({ name }: { readonly name: string }) => name === 'Ada Lovelace', reason: 'a mistake' })
    const { items } = await at.useCases.listEvents.execute({}, ADMIN)
    expect(items.map(({ event: { type, subject } }) => [type, subject]).slice(-2)).toEqual([
      ['user.deleted', 'ada'],
      ['user.created', 'ada'],
    ])
  })
})

describe('the receipt of a deletion', () => {
  it('says who did it, when and why, what went and what stayed', async () => {
    const at = openMemoryService()
    await putUser(at, 'ada', ['auditor'])
    await subscribe(at, 'ada.mail@example.com')
    await remove(at)
    const { tombstone, record } = await receipt(at)
    expect(tombstone).toMatchObject({
      deletedAt: at.clock.now(),
      erasesAt: undefined,
      erased: { users: 1, roles: 1, subscriptions: 0, mails: 0 },
      subscriptionsKept: 1,
    })
    expect(record).toMatchObject({ actor: 'root', action: 'user.delete', target: 'ada', reason: 'asked for it' })
  })

  it('is there for deleted users only, and for who may read users', async () => {
    const at = openMemoryService()
    await putUser(at, 'ada')
    for (const id of ['ada', 'nobody', 'not an id'])
      await expect(receipt(at, id)).rejects.toMatchObject({ name: 'ReceiptNotFound' })
    await expect(receipt(at, 'ada', NO_ROLES)).rejects.toMatchObject({ name: 'InsufficientPermissions' })
  })
})

describe('the list of those who can be restored', () => {
  it('is for who may restore them', async () => {
    const at = await withGrace()
    await remove(at)
    const list = (who = ADMIN) => at.useCases.listHeldUsers.execute({}, who)
    expect((await list()).items).toMatchObject([{ user: { id: 'ada', name: 'Ada Lovelace' }, subscriptions: 'keep' }])
    for (const who of [AUDITOR, NO_ROLES]) await expect(list(who)).rejects.toThrow('Restoring users requires')
    await restore(at)
    expect((await list()).items).toEqual([])
  })
})
