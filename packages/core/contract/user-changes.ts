import { expect, it } from 'vitest'
import { memoryDigests } from '../memory/memory-digests.ts'
import { admit, type Caller, DomainError, type Settings, type UseCases } from '../src/index.ts'
import { addressHash } from '../src/subscriptions/email-address.ts'
import { subscriptionIdentity } from '../src/subscriptions/subscription-id.ts'
import { serviceOver } from './library-users.ts'
import { aMail, anAuditEntry, aSubscription, aUser, begin, feedName, upTo, userId } from './samples.ts'
import { storageSuite } from './storage-under-test.ts'
import { OPERATOR } from './whole-service.ts'

const MANY = upTo(30).map((n) => `user-${n}`)
const TOKEN_OF_ANN = 'token-of-ann'
const MAY_NOTHING: Caller = { id: 'eve', roles: [], roleSource: 'token', channel: 'library' }

const outcomeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'done',
    (error) => (error instanceof DomainError ? error.name : String(error)),
  )

/** Changes of users that come at the same time, each with its record, from two services on the same data. */
export const userChangesContract = storageSuite('a storage with many changes of users at once', (storage) => {
  const { run, stores, sealed: readers, another } = storage

  const twoServices = async (settings: Partial<Settings> = {}) => {
    const second = await another()
    const services = [serviceOver(storage, settings), serviceOver(second, settings)] as const
    return {
      of: (n: number): UseCases => services[n % 2] as UseCases,
      readersOf: (n: number) => (n % 2 ? second.readers : readers),
    }
  }
  const put = ({ putUser }: UseCases, id: string, roles: readonly string[] = [], email = `${id}.mail@example.com`) =>
    putUser.execute({ userId: id, email, name: '', roles }, OPERATOR)
  const drop = ({ deleteUser }: UseCases, id: string, caller = OPERATOR) => deleteUser.execute({ userId: id }, caller)
  /** What is on record, in its order, after all of it was verified, tombstones and roles with it. */
  const trail = async (): Promise<string[]> => {
    const { broken } = await serviceOver(storage).verifyAudit.execute({}, OPERATOR)
    expect(broken).toBeUndefined()
    return (await readers.audit.list({ after: 0, limit: 1_000 })).items.map(
      ({ action, target }) => `${action} ${target}`,
    )
  }

  it('puts and deletes all of them, with one record in the trail and one event for each', async () => {
    const { of } = await twoServices()
    await Promise.all(MANY.map((id, n) => put(of(n), id, ['auditor'])))
    // Each meets what another handle has written.
    await Promise.all(MANY.map((id, n) => (n % 3 ? drop(of(n + 1), id) : put(of(n + 1), id, ['admin', 'auditor']))))
    const puts = MANY.map((id) => `user.put ${id}`)
    const changes = MANY.map((id, n) => `user.${n % 3 ? 'delete' : 'put'} ${id}`)
    expect((await trail()).toSorted()).toEqual([...puts, ...changes].toSorted())
    expect(await readers.users.countWithRole('admin')).toBe(10)
    const events = (await readers.events.list({ after: 0, limit: 200 })).items
    expect(events.filter(({ subject }) => subject.startsWith('user-'))).toHaveLength(60)
  })

  it('answers each only when it is committed', async () => {
    const { of, readersOf } = await twoServices()
    const found = MANY.map(async (id, n) => {
      await put(of(n), id)
      return (await readersOf(n + 1).users.find(userId(id)))?.id
    })
    expect(await Promise.all(found)).toEqual(MANY)
    const gone = MANY.map(async (id, n) => {
      await drop(of(n), id)
      return await readersOf(n + 1).users.accountStatus(id)
    })
    expect(await Promise.all(gone)).toEqual(MANY.map(() => 'deleted'))
  })

  it('refuses those that may not, that find nothing or whose address is taken, and no other', async () => {
    const { of } = await twoServices()
    await put(of(0), 'ada', [], 'ada@example.net')
    const outcomes = await Promise.all(
      MANY.map((id, n) => {
        if (n % 5 === 1) return outcomeOf(drop(of(n), 'ada', MAY_NOTHING))
        if (n % 5 === 2) return outcomeOf(drop(of(n), `missing-${n}`))
        return outcomeOf(put(of(n), id, [], n % 5 === 3 ? 'ada@example.net' : undefined))
      }),
    )
    const expected = ['done', 'InsufficientPermissions', 'UserNotFound', 'EmailTaken', 'done']
    expect(outcomes).toEqual(MANY.map((_, n) => expected[n % 5]))
    expect(await trail()).toHaveLength(1 + 12)
    expect((await readers.users.list({ after: 0, limit: 100 })).items).toHaveLength(1 + 12)
  })

  it('undoes one that fails after its record, and no other', async () => {
    const { of } = await twoServices()
    const failing = upTo(10).map((n) =>
      run(async ({ users, audit }) => {
        await users.put(aUser(`failing-${n}`))
        await audit.append(anAuditEntry({ target: `failing-${n}` }))
        throw new RangeError(`failing-${n}`)
      }),
    )
    const settled = Promise.allSettled(failing)
    await Promise.all(MANY.map((id, n) => put(of(n), id)))
    expect(await settled).toEqual(upTo(10).map((n) => ({ status: 'rejected', reason: new RangeError(`failing-${n}`) })))
    expect((await trail()).toSorted()).toEqual(MANY.map((id) => `user.put ${id}`).toSorted())
    expect((await readers.users.list({ after: 0, limit: 100 })).items).toHaveLength(30)
  })

  it('keeps one administrator where all of them are deleted or demoted among many others', async () => {
    const { of } = await twoServices()
    const isAdministrator = (n: number) => n % 4 === 0
    await Promise.all(MANY.map((id, n) => put(of(n), id, isAdministrator(n) ? ['admin'] : [])))
    const outcomes = await Promise.all(
      MANY.map((id, n) => outcomeOf(n % 8 === 0 ? put(of(n >> 2), id, ['auditor']) : drop(of(n >> 2), id))),
    )
    expect(outcomes.filter((outcome) => outcome !== 'done')).toEqual(['LastAdministrator'])
    expect(outcomes.every((outcome, n) => outcome === 'done' || isAdministrator(n))).toBe(true)
    expect(await readers.users.countWithRole('admin')).toBe(1)
    expect(await trail()).toHaveLength(30 + 29)
  })

  it('deletes one only once, and never lets it come back', async () => {
    const { of } = await twoServices()
    await put(of(0), 'ada')
    const outcomes = await Promise.all(
      upTo(20).map((n) => outcomeOf(n % 2 ? drop(of(n >> 1), 'ada') : put(of(n >> 1), 'ada'))),
    )
    expect(outcomes.filter((outcome, n) => n % 2 === 0 && outcome === 'done')).toHaveLength(1)
    const deletions = (await trail()).filter((entry) => entry === 'user.delete ada')
    expect(deletions).toHaveLength(1)
    expect((await trail()).at(-1)).toBe('user.delete ada')
    expect(await readers.users.find(userId('ada'))).toBeUndefined()
  })

  /** A stored administrator as it is admitted now. */
  const admitted = async (id: string): Promise<Caller> =>
    admit({ door: 'token', subject: id }, await readers.users.accountStatus(id), { channel: 'library' })

  it('names the one of two callers who deleted a user, where both ask in one turn', async () => {
    const { of } = await twoServices()
    for (const id of ['ann', 'bea']) await put(of(0), id, ['admin'])
    await Promise.all(MANY.map((id, n) => put(of(n), id)))
    const [ann, bea] = [await admitted('ann'), await admitted('bea')]
    const outcomes = await Promise.all(
      MANY.map((id, n) => Promise.all([outcomeOf(drop(of(n), id, ann)), outcomeOf(drop(of(n), id, bea))])),
    )
    expect(outcomes.map((both) => both.toSorted())).toEqual(MANY.map(() => ['UserDeleted', 'done']))
    await trail()
    const { items } = await readers.audit.list({ after: 0, limit: 1_000 })
    const actors = new Map(items.map(({ action, target, actor }) => [`${action} ${target}`, actor]))
    expect(MANY.map((id) => actors.get(`user.delete ${id}`))).toEqual(
      outcomes.map(([first]) => (first === 'done' ? 'ann' : 'bea')),
    )
  })

  it.each([
    ['demoted', ({ patchUser }: UseCases) => patchUser.execute({ userId: 'ann', roles: ['auditor'] }, OPERATOR)],
    ['suspended', ({ suspendUser }: UseCases) => suspendUser.execute({ userId: 'ann' }, OPERATOR)],
    ['deleted', ({ deleteUser }: UseCases) => deleteUser.execute({ userId: 'ann' }, OPERATOR)],
    ['shut out', ({ revokeToken }: UseCases) => revokeToken.execute({ tokenId: TOKEN_OF_ANN }, OPERATOR)],
  ])('does nothing more for a caller who was %s after it was admitted', async (_, lower) => {
    const { of } = await twoServices()
    for (const id of ['ann', 'bea']) await put(of(0), id, ['admin'])
    await Promise.all(MANY.map((id, n) => put(of(n), id)))
    const ann = { ...(await admitted('ann')), tokenId: TOKEN_OF_ANN }
    const change = (id: string, n: number): Promise<unknown> => {
      const at = of(n)
      if (n % 5 === 0) return at.patchUser.execute({ userId: id, name: 'x' }, ann)
      if (n % 5 === 1) return at.suspendUser.execute({ userId: id }, ann)
      const { execute } = at.putUser
      if (n % 5 === 2)
        return execute.call(at.putUser, { userId: `new-${n}`, email: 'n@x.example', name: '', roles: [] }, ann)
      return at.deleteUser.execute({ userId: id, subscriptions: n % 5 === 3 ? 'keep' : 'erase' }, ann)
    }
    const lowered = lower(of(1))
    const beside = await Promise.all(MANY.map((id, n) => outcomeOf(change(id, n))))
    await lowered
    const done = await trail()
    const { items } = await readers.audit.list({ after: 0, limit: 1_000 })
    const last = items.findLastIndex(({ target }) => target === 'ann' || target === TOKEN_OF_ANN)
    expect(items.slice(last).filter(({ actor }) => actor === 'ann')).toEqual([])
    expect(items.filter(({ actor }) => actor === 'ann')).toHaveLength(
      beside.filter((outcome) => outcome === 'done').length,
    )
    const after = await Promise.all(MANY.map((id, n) => outcomeOf(change(id, n))))
    const REFUSALS = ['InsufficientPermissions', 'Unauthenticated', 'UserDeleted', 'EmailTaken', 'UserNotFound']
    expect(after.filter((outcome) => !REFUSALS.includes(outcome))).toEqual([])
    expect(await trail()).toEqual(done)
  })

  it('counts the subscriptions of each address, those that are kept and those that are erased', async () => {
    const { of } = await twoServices()
    const digests = memoryDigests('a secret for tests')
    const email = (id: string) => `${id}.mail@example.com`
    await Promise.all(MANY.map((id, n) => put(of(n), id)))
    const subscribed = MANY.filter((_, n) => n % 2 === 0)
    await run(async (stores) => {
      for (const id of subscribed) {
        const identity = subscriptionIdentity(digests, feedName('default'), email(id))
        const { id: subscription } = await stores.subscriptions.locate(identity)
        const lastMail = await stores.outbox.add(aMail(`${id}@localhost`, { subscriptionId: subscription }))
        const address = addressHash(digests, email(id))
        await begin(stores, aSubscription(subscription, { email: email(id), addressKey: email(id), address, lastMail }))
        await stores.keptMails.add(subscription, `kept-${id}@localhost`)
      }
    })
    const reports = await Promise.all(
      MANY.map((id, n) => of(n).deleteUser.execute({ userId: id, subscriptions: n % 4 ? 'keep' : 'erase' }, OPERATOR)),
    )
    expect(reports.map((report) => [report.subscriptionsKept, report.subscriptionsErased])).toEqual(
      MANY.map((_, n) => (n % 2 ? [0, 0] : n % 4 ? [1, 0] : [0, 1])),
    )
    expect((await readers.subscriptions.list({ after: 0, limit: 100 })).items).toHaveLength(7)
    expect((await readers.outbox.list({ after: 0, limit: 100, parked: false })).items).toHaveLength(7)
    const events = (await readers.events.list({ after: 0, limit: 200 })).items
    expect(events.filter(({ type }) => type === 'subscription.erased')).toHaveLength(8)
    const tombstones = await readers.tombstones.list({ after: undefined, limit: 100 })
    expect(tombstones.filter(({ tombstone }) => tombstone.erased.mails === 2)).toHaveLength(8)
    await trail()
  })

  it('holds those whose deletion can be undone', async () => {
    const { of } = await twoServices({ deleteGrace: 60_000 })
    await Promise.all(MANY.map((id, n) => put(of(n), id, ['auditor'])))
    await Promise.all(MANY.map((id, n) => drop(of(n + 1), id)))
    expect((await stores.heldUsers.due(Number.MAX_SAFE_INTEGER, 100)).map(({ user }) => user.id).toSorted()).toEqual(
      MANY.toSorted(),
    )
    await Promise.all(MANY.map((id, n) => of(n).restoreUser.execute({ userId: id }, OPERATOR)))
    expect(await readers.users.countWithRole('auditor')).toBe(30)
    expect(await trail()).toHaveLength(90)
  })
})
