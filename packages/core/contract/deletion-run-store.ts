import { expect, it } from 'vitest'
import type { DeletionRun, RunRow } from '../src/index.ts'
import { TEXTS, THEN } from './samples.ts'
import { storageSuite } from './storage-under-test.ts'

const aRun = (id: string, changes: Partial<DeletionRun> = {}): DeletionRun => ({
  id,
  owner: 'ada',
  phase: 'planning',
  next: 0,
  parts: 1,
  rows: 1,
  reason: undefined,
  subscriptions: 'keep',
  administrators: 0,
  counts: { listed: 1, ready: 0, refused: 0, deleted: 0, failed: 0, restored: 0, kept: 0 },
  createdAt: THEN,
  expiresAt: THEN + 1_000,
  busyUntil: 0,
  ...changes,
})

export const deletionRunStoreContract = storageSuite('a deletion run store', ({ alike, atOnce, stores, undone }) => {
  const { deletionRuns } = stores
  const find = (id: string) => alike((from) => from.deletionRuns.find(id))
  const part = (id: string, n: number) => alike((from) => from.deletionRuns.part(id, n))

  it('gives back every run and part exactly as it was put last', async () => {
    await deletionRuns.put(aRun('a'))
    const rows = TEXTS.map((userId, line): RunRow => ({ line, userId, state: 'refused', because: 'UserNotFound' }))
    await deletionRuns.putPart('a', 0, [{ line: 1, userId: 'u', state: 'listed' }])
    await deletionRuns.putPart('a', 0, rows)
    await deletionRuns.putPart('a', 1, [])
    const changed = aRun('a', { phase: 'done', next: 1, reason: 'left', subscriptions: 'erase', administrators: 2 })
    await deletionRuns.put(changed)
    expect(await find('a')).toEqual(changed)
    expect([await part('a', 0), await part('a', 1), await part('a', 2), await part('b', 0)]).toEqual([rows, [], [], []])
    expect(await find('b')).toBeUndefined()
  })

  it('lists those of an owner, newest first, up to the limit', async () => {
    for (const [id, createdAt] of Object.entries({ a: 1, b: 3, c: 2 })) await deletionRuns.put(aRun(id, { createdAt }))
    await deletionRuns.put(aRun('d', { owner: 'bob' }))
    const of = async (owner: string, limit: number) =>
      (await alike((from) => from.deletionRuns.listOf(owner, limit))).map(({ id }) => id)
    expect([await of('ada', 2), await of('bob', 9), await of('eve', 9)]).toEqual([['b', 'c'], ['d'], []])
  })

  it('is claimed by exactly one of many at the same time, on any number of handles', async () => {
    await deletionRuns.put(aRun('a'))
    const claims = await atOnce(20, async (unit) => {
      const run = await unit.deletionRuns.find('a')
      if (run === undefined || run.busyUntil > 0) return false
      await unit.deletionRuns.put({ ...run, busyUntil: THEN })
      return true
    })
    expect(claims.filter(Boolean)).toHaveLength(1)
  })

  it('forgets what a unit did that threw', async () => {
    await deletionRuns.put(aRun('a'))
    await undone((unit) => unit.deletionRuns.put(aRun('a', { next: 5 })))
    expect(await find('a')).toEqual(aRun('a'))
  })

  it('prunes those that expire before the given time with their parts, and no more than the limit', async () => {
    for (const [id, expiresAt] of Object.entries({ a: 99, b: 100, c: 1, d: 50 })) {
      await deletionRuns.put(aRun(id, { expiresAt }))
      await deletionRuns.putPart(id, 0, [{ line: 1, userId: 'u', state: 'listed' }])
    }
    const prune = () => deletionRuns.prune(100, 2)
    expect([await prune(), await prune(), await prune()]).toEqual([2, 1, 0])
    expect([await part('a', 0), await part('c', 0)]).toEqual([[], []])
    expect(await part('b', 0)).toHaveLength(1)
  })
})
