import { describe, expect, it } from 'vitest'
import { openMemoryService } from '../memory/index.ts'
import { type DeletionRun, HOUR, InsufficientPermissions, InvalidInput, MOST_ROWS, operator } from '../src/index.ts'
import { ADMIN, AUDITOR, auditOf, putUser, type Service, subscribe } from './cast.ts'

const OPS = { ...operator('ops'), channel: 'console' } as const

const ids = (count: number) => Array.from({ length: count }, (_, n) => `u${n}`)
const filled = async (count: number, settings = {}): Promise<Service> => {
  const at = openMemoryService(settings)
  await putUser(at, 'root', ['admin'])
  for (const id of ids(count)) await putUser(at, id)
  return at
}
const plan = async (at: Service, userIds: readonly string[], more = {}) => {
  const rows = userIds.map((userId, n) => ({ line: n + 1, userId }))
  const run = await at.useCases.planDeletions.execute({ rows, ...more }, OPS)
  return await over(at, run, 'planning')
}
const step = async (at: Service, id: string, more = {}): Promise<DeletionRun> => {
  const run = await at.useCases.continueDeletions.execute({ id, ...more }, OPS)
  if (run === undefined) throw new Error('There is no such run.')
  return run
}
const over = async (at: Service, run: DeletionRun, phase: DeletionRun['phase']) => {
  for (; run.phase === phase; run = await step(at, run.id));
  return run
}
const begin = async (at: Service, { id, counts }: DeletionRun) =>
  await step(at, id, { begin: 'deleting', typed: String(counts.ready) })
const rowsOf = async (at: Service, id: string, more = {}) =>
  (await at.useCases.showDeletionRun.execute({ id, ...more }, OPS))?.rows ?? []
const countUsers = async (at: Service) => (await at.useCases.listUsers.execute({ limit: 200 }, ADMIN)).items.length

describe('a deletion of many users', () => {
  it('is planned first: who goes, who does not and why, and nothing is done', async () => {
    const at = await filled(3)
    await at.useCases.deleteUser.execute({ userId: 'u2' }, ADMIN)
    const run = await plan(at, ['u0', 'unknown', 'u2', 'root', 'u0', 'not an id', 'ada@example.com', 'u1'])
    expect(run).toMatchObject({ phase: 'planned', counts: { ready: 2, refused: 6, listed: 0 } })
    const rows = await rowsOf(at, run.id)
    expect(rows.map(({ userId, state, because }) => [userId, because ?? state])).toEqual([
      ['u0', 'ready'],
      ['unknown', 'UserNotFound'],
      ['u2', 'UserDeleted'],
      ['root', 'LastAdministrator'],
      ['u0', 'ListedBefore'],
      ['', 'NotAnId'],
      ['', 'NotAnId'],
      ['u1', 'ready'],
    ])
    expect(await countUsers(at)).toBe(3)
  })

  it('needs the number of those that go, typed', async () => {
    const at = await filled(3)
    const run = await plan(at, ids(3))
    const details = [{ field: 'typed', message: 'Type the number of users that go: 3.' }]
    for (const typed of [undefined, '', '2', '33', 'three'])
      await expect(step(at, run.id, { begin: 'deleting', typed })).rejects.toMatchObject({ details })
    for (const more of [{}, { begin: 'restoring' }, { typed: '3' }]) expect(await step(at, run.id, more)).toEqual(run)
    const first = await step(at, run.id, { begin: 'deleting', typed: ' 3\n' })
    expect((await over(at, first, 'deleting')).counts.deleted).toBe(3)
  })

  it('leaves the rest to the next step after five seconds', async () => {
    const at = await filled(60)
    const run = await plan(at, ids(60))
    const now = at.clock.now.bind(at.clock)
    Object.assign(at.clock, {
      now: () => {
        at.clock.advance(200)
        return now()
      },
    })
    const first = await begin(at, run)
    expect(first).toMatchObject({ phase: 'deleting', next: 0, counts: { ready: 60 - first.counts.deleted } })
    expect([0, 60]).not.toContain(first.counts.deleted)
    expect(await over(at, first, 'deleting')).toMatchObject({ phase: 'done', counts: { deleted: 60, ready: 0 } })
  })

  it('does at most 200 rows in a step, and tells the whole in the end', async () => {
    const at = await filled(450)
    const run = await plan(at, ids(450), { reason: 'left' })
    const first = await begin(at, run)
    expect(first).toMatchObject({ phase: 'deleting', counts: { deleted: 200, ready: 250 } })
    expect(await over(at, first, 'deleting')).toMatchObject({ phase: 'done', counts: { deleted: 450, ready: 0 } })
    expect(await countUsers(at)).toBe(1)
    expect((await rowsOf(at, run.id, { state: 'deleted', after: 400 })).map(({ userId }) => userId)).toEqual(
      ids(450).slice(400),
    )
  })

  it('shows its rows by the hundred, all of them or those in one state, with the users that there are', async () => {
    const at = await filled(2)
    const { id } = await plan(at, ids(310))
    const pages = async (more = {}) => {
      const found: (readonly [count: number, first: string | undefined, next: number | undefined])[] = []
      for (let after: number | undefined = 0; after !== undefined; ) {
        const shown = await at.useCases.showDeletionRun.execute({ id, after, ...more }, OPS)
        found.push([shown?.rows.length ?? 0, shown?.rows[0]?.userId, shown?.next])
        after = shown?.next
      }
      return found
    }
    expect(await pages()).toEqual([
      [100, 'u0', 100],
      [100, 'u100', 200],
      [100, 'u200', 300],
      [10, 'u300', undefined],
    ])
    expect(await pages({ state: 'refused' })).toEqual([
      [100, 'u2', 102],
      [100, 'u102', 202],
      [100, 'u202', 302],
      [8, 'u302', undefined],
    ])
    expect(await pages({ state: 'deleted' })).toEqual([[0, undefined, undefined]])
    expect((await rowsOf(at, id)).slice(0, 3).map(({ user }) => user?.id)).toEqual(['u0', 'u1', undefined])
  })

  it('erases the subscriptions if it is to, those that were planned and no other', async () => {
    const at = await filled(2)
    for (const id of ids(2)) await subscribe(at, `${id}.mail@example.com`)
    const run = await plan(at, ids(2), { subscriptions: 'erase' })
    expect(await rowsOf(at, run.id)).toMatchObject([{ subscriptions: 1 }, { subscriptions: 1 }])
    await at.useCases.putFeed.execute({ name: 'news' }, ADMIN)
    await subscribe(at, 'u1.mail@example.com', { feed: 'news' })
    await over(at, await begin(at, run), 'deleting')
    expect(await rowsOf(at, run.id)).toMatchObject([{ state: 'deleted' }, { because: 'PreconditionFailed' }])
    const left = await at.useCases.listSubscriptions.execute({}, ADMIN)
    expect(left.items.map(({ email }) => email)).toEqual(['u1.mail@example.com', 'u1.mail@example.com'])
    const keeping = await plan(at, ['u1'])
    await subscribe(at, 'u1.mail@example.com', { feed: 'news' })
    expect((await over(at, await begin(at, keeping), 'deleting')).counts.deleted).toBe(1)
  })

  it('leaves out one that has changed since it was planned', async () => {
    const at = await filled(2)
    const run = await plan(at, ids(2))
    at.clock.advance(5)
    await putUser(at, 'u0', [], 'Other')
    const done = await over(at, await begin(at, run), 'deleting')
    expect(done.counts).toMatchObject({ deleted: 1, failed: 1 })
    expect(await rowsOf(at, run.id, { state: 'failed' })).toMatchObject([
      { userId: 'u0', because: 'PreconditionFailed' },
    ])
  })

  it('keeps the last of several administrators that are listed', async () => {
    const at = await filled(0)
    for (const id of ['a', 'b']) await putUser(at, id, ['admin'])
    const run = await plan(at, ['a', 'b', 'root'])
    expect(run.counts).toMatchObject({ ready: 2, refused: 1 })
  })

  it('does nothing twice and leaves nothing untold where a step broke off before it was written down', async () => {
    const at = await filled(3)
    const run = await plan(at, ids(3), { reason: 'left' })
    // What the step that broke off has done.
    at.clock.advance(1)
    await at.useCases.deleteUser.execute({ userId: 'u1', reason: 'left' }, { ...OPS, requestId: run.id })
    const done = await over(at, await begin(at, run), 'deleting')
    expect(done.counts).toMatchObject({ deleted: 3, failed: 0 })
    const deleted = (await auditOf(at)).filter(({ action }) => action === 'user.delete')
    expect(deleted.map(({ reason, requestId }) => [reason, requestId])).toEqual(ids(3).map(() => ['left', run.id]))
  })

  it('does not take the deletion of another for its own', async () => {
    const at = await filled(2)
    const run = await plan(at, ids(2))
    at.clock.advance(1)
    await at.useCases.deleteUser.execute({ userId: 'u1' }, ADMIN)
    const done = await over(at, await begin(at, run), 'deleting')
    expect(done.counts).toMatchObject({ deleted: 1, failed: 1 })
  })

  it('goes on in one request at a time, and again where that one was lost', async () => {
    const at = await filled(1)
    const run = await plan(at, ids(1))
    const busy = { ...run, phase: 'deleting' as const, next: 0, busyUntil: at.clock.now() + 10 }
    await at.storage.unitOfWork.run(({ deletionRuns }) => deletionRuns.put(busy))
    expect(await step(at, run.id)).toEqual(busy)
    at.clock.advance(10)
    expect((await step(at, run.id)).counts.deleted).toBe(1)
    const both = await plan(at, ids(1))
    const [, meanwhile] = await Promise.all([begin(at, both), step(at, both.id)])
    expect(meanwhile).toMatchObject({ phase: 'deleting', busyUntil: at.clock.now() + 15_000 })
  })

  it('is undone within the grace', async () => {
    const at = await filled(2, { deleteGrace: HOUR })
    const run = await plan(at, ids(2))
    await over(at, await begin(at, run), 'deleting')
    expect(await countUsers(at)).toBe(1)
    const restored = await over(at, await step(at, run.id, { begin: 'restoring' }), 'restoring')
    expect(restored).toMatchObject({ phase: 'restored', counts: { restored: 2 } })
    expect(await countUsers(at)).toBe(3)
  })

  it('tells of all that were restored, also by a step that broke off before it was written down', async () => {
    const at = await filled(2, { deleteGrace: HOUR })
    const run = await plan(at, ids(2))
    await over(at, await begin(at, run), 'deleting')
    await at.useCases.restoreUser.execute({ userId: 'u0' }, { ...OPS, requestId: run.id })
    const restored = await over(at, await step(at, run.id, { begin: 'restoring' }), 'restoring')
    expect(restored.counts).toMatchObject({ restored: 2, kept: 0 })
  })

  it('brings nobody back whom another has deleted since', async () => {
    const at = await filled(2, { deleteGrace: HOUR })
    const run = await plan(at, ids(2))
    await over(at, await begin(at, run), 'deleting')
    await at.useCases.restoreUser.execute({ userId: 'u0' }, ADMIN)
    await at.useCases.deleteUser.execute({ userId: 'u0' }, ADMIN)
    const restored = await over(at, await step(at, run.id, { begin: 'restoring' }), 'restoring')
    expect(restored.counts).toMatchObject({ restored: 1, kept: 1 })
    expect(await rowsOf(at, run.id)).toMatchObject([
      { userId: 'u0', state: 'kept', because: 'UserDeleted', user: undefined },
      { userId: 'u1', state: 'restored' },
    ])
  })

  it('does not begin if the reason names one of the list, whose name would be kept in the records of the others', async () => {
    const at = await filled(1)
    await putUser(at, 'ada', [], 'Ada Lovelace')
    const run = await plan(at, ['u0', 'ada'], { reason: 'Ada Lovelace and others left' })
    expect(await rowsOf(at, run.id)).toMatchObject([{ state: 'ready' }, { because: 'InvalidInput' }])
    const details = [{ field: 'typed', message: 'The reason names a user of the list. Make a new plan with another.' }]
    await expect(begin(at, run)).rejects.toMatchObject({ details })
    expect(await step(at, run.id)).toEqual(run)
    expect(await countUsers(at)).toBe(3)
  })

  it('deletes nobody together with one whom the reason names since it was planned', async () => {
    const at = await filled(2)
    const run = await plan(at, ids(2), { reason: 'Ada Lovelace and others left' })
    at.clock.advance(5)
    await putUser(at, 'u1', [], 'Ada Lovelace')
    const done = await over(at, await begin(at, run), 'deleting')
    expect(done.counts).toMatchObject({ deleted: 0, failed: 2 })
    expect(await rowsOf(at, run.id)).toMatchObject([{ because: 'InvalidInput' }, { because: 'InvalidInput' }])
  })

  it('cannot be undone without a grace, and says so', async () => {
    const at = await filled(1)
    const run = await plan(at, ids(1))
    await over(at, await begin(at, run), 'deleting')
    const kept = await over(at, await step(at, run.id, { begin: 'restoring' }), 'restoring')
    expect(kept.counts).toMatchObject({ restored: 0, kept: 1 })
  })

  it('belongs to who planned it, for an hour', async () => {
    const at = await filled(1)
    const run = await plan(at, ids(1))
    expect(await at.useCases.continueDeletions.execute({ id: run.id }, ADMIN)).toBeUndefined()
    expect(await at.useCases.showDeletionRun.execute({ id: run.id }, ADMIN)).toBeUndefined()
    expect(await at.useCases.listDeletionRuns.execute({}, OPS)).toEqual([run])
    at.clock.advance(HOUR)
    expect(await at.useCases.continueDeletions.execute({ id: run.id }, OPS)).toBeUndefined()
    expect(await at.useCases.showDeletionRun.execute({ id: run.id }, OPS)).toBeUndefined()
    expect(await at.useCases.listDeletionRuns.execute({}, OPS)).toEqual([])
  })

  it('is kept for an hour from its last step on', async () => {
    const at = await filled(201)
    const run = await plan(at, ids(201))
    at.clock.advance(HOUR - 1)
    const first = await begin(at, run)
    at.clock.advance(HOUR - 1)
    const done = await over(at, first, 'deleting')
    expect(done).toMatchObject({ phase: 'done', counts: { deleted: 201 } })
    at.clock.advance(HOUR - 1)
    expect(await at.useCases.listDeletionRuns.execute({}, OPS)).toEqual([done])
  })

  it('takes neither an empty list nor one that is too long, nor a caller who may not delete', async () => {
    const at = await filled(0)
    const problem = (message: unknown) => ({ details: [{ field: 'ids', message }] })
    await expect(plan(at, [])).rejects.toMatchObject(problem('Give at least one id.'))
    const tooMany = problem(expect.stringMatching(/^Give at most 10000 ids at once, or use/))
    await expect(plan(at, ids(MOST_ROWS + 1))).rejects.toMatchObject(tooMany)
    const rows = ids(MOST_ROWS).map((userId, n) => ({ line: n + 1, userId }))
    expect(await at.useCases.planDeletions.execute({ rows }, OPS)).toMatchObject({ rows: MOST_ROWS, parts: 50 })
    await expect(plan(at, ['u'], { reason: 'x'.repeat(1_000) })).rejects.toThrow(InvalidInput)
    const { planDeletions, continueDeletions, showDeletionRun, listDeletionRuns } = at.useCases
    for (const refused of [
      planDeletions.execute({ rows: [] }, AUDITOR),
      continueDeletions.execute({ id: 'x' }, AUDITOR),
      showDeletionRun.execute({ id: 'x' }, AUDITOR),
      listDeletionRuns.execute({}, AUDITOR),
    ])
      await expect(refused).rejects.toThrow(InsufficientPermissions)
  })
})
