import { expect, it } from 'vitest'
import type { ConsoleSession, DeletionRun, RunRow } from '../src/all.ts'
import { TEXTS, THEN } from './samples.ts'
import { storageSuite } from './storage-under-test.ts'

const secretHash = (id: string): string => `hash of ${id}`

const aSession = (id: string, changes: Partial<ConsoleSession> = {}): ConsoleSession => ({
  id,
  secretHash: secretHash(id),
  subject: 'ada',
  roleSource: 'stored',
  roles: [],
  tokenId: undefined,
  issuedAt: THEN,
  createdAt: THEN + 1,
  seenAt: THEN + 2,
  expiresAt: THEN + 3,
  ...changes,
})

export const consoleSessionStoreContract = storageSuite('a console session store', ({ alike, undone, stores }) => {
  const { consoleSessions } = stores
  const find = (id: string) => alike((from) => from.consoleSessions.find(secretHash(id)))
  const list = (after = 0, limit = 50) => alike((from) => from.consoleSessions.list({ after, limit }))

  it('finds a session by the hash of its secret alone, exactly as it was added', async () => {
    const full = aSession('b', { subject: 'operator:ops', roleSource: 'token', roles: ['admin', 'x'], tokenId: 'jti' })
    await consoleSessions.add(aSession('a'))
    await consoleSessions.add(full)
    expect(await find('a')).toEqual(aSession('a'))
    expect(await find('b')).toEqual(full)
    expect(await alike((from) => from.consoleSessions.find('b'))).toBeUndefined()
  })

  it('adds no session twice', async () => {
    await consoleSessions.add(aSession('a'))
    await expect(consoleSessions.add(aSession('b', { secretHash: secretHash('a') }))).rejects.toThrow()
  })

  it('lists them oldest first, stretch by stretch', async () => {
    for (const id of ['c', 'a', 'b']) await consoleSessions.add(aSession(id))
    const start = await list(0, 2)
    expect(start.items.map(({ id }) => id)).toEqual(['c', 'a'])
    const rest = await list(start.next, 2)
    expect([rest.items.map(({ id }) => id), rest.next]).toEqual([['b'], undefined])
  })

  it('keeps when one was seen last, and does nothing for one that has ended', async () => {
    await consoleSessions.add(aSession('a'))
    await consoleSessions.touch('a', THEN + 50)
    await consoleSessions.touch('b', THEN + 50)
    expect(await find('a')).toEqual(aSession('a', { seenAt: THEN + 50 }))
    expect((await list()).items).toHaveLength(1)
  })

  it('finds no longer what was removed, and says whether it was there', async () => {
    await consoleSessions.add(aSession('a'))
    expect([await consoleSessions.remove('a'), await consoleSessions.remove('a')]).toEqual([true, false])
    expect(await find('a')).toBeUndefined()
  })

  it('forgets what a unit did that threw', async () => {
    await consoleSessions.add(aSession('a'))
    await undone(async (unit) => {
      await unit.consoleSessions.remove('a')
      await unit.consoleSessions.add(aSession('b'))
    })
    expect((await list()).items.map(({ id }) => id)).toEqual(['a'])
  })

  it('prunes what expired or was not seen, and no more than the limit', async () => {
    const times = { a: [99, 500], b: [100, 500], c: [500, 9], d: [500, 10], e: [1, 1] }
    for (const [id, [expiresAt = 0, seenAt = 0]] of Object.entries(times))
      await consoleSessions.add(aSession(id, { expiresAt, seenAt }))
    const prune = () => consoleSessions.prune({ now: 100, idleSince: 10 }, 2)
    expect([await prune(), await prune(), await prune()]).toEqual([2, 1, 0])
    expect((await list()).items.map(({ id }) => id)).toEqual(['b', 'd'])
  })
})

export const loginLinkStoreContract = storageSuite('a login link store', ({ stores, atOnce }) => {
  const { loginLinks } = stores
  const add = (hash: string, expiresAt = THEN) => loginLinks.add({ secretHash: hash, subject: 'ada', expiresAt })

  it('finds a link until it is removed', async () => {
    await add('a')
    expect(await loginLinks.find('a')).toEqual({ secretHash: 'a', subject: 'ada', expiresAt: THEN })
    expect([await loginLinks.remove('a'), await loginLinks.remove('a')]).toEqual([true, false])
    expect(await loginLinks.find('a')).toBeUndefined()
  })

  it('is removed by exactly one of many at the same time, on any number of handles', async () => {
    await add('a')
    const removed = await atOnce(20, async (unit) => {
      const found = await unit.loginLinks.find('a')
      return found !== undefined && (await unit.loginLinks.remove('a'))
    })
    expect(removed.filter(Boolean)).toHaveLength(1)
  })

  it('prunes those that expire before the given time, and no more than the limit', async () => {
    for (const [hash, expiresAt] of Object.entries({ a: 99, b: 100, c: 1, d: 50 })) await add(hash, expiresAt)
    const prune = () => loginLinks.prune(100, 2)
    expect([await prune(), await prune(), await prune()]).toEqual([2, 1, 0])
    expect(await loginLinks.find('b')).toBeDefined()
  })
})

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

export const eventCountStoreContract = storageSuite('an event count store', ({ alike, atOnce, stores }) => {
  const { eventCounts } = stores
  const since = async (day: number) =>
    (await alike((from) => from.eventCounts.since(day))).map(({ day, type, count }) => `${day} ${type} ${count}`).sort()

  it('adds up the events of each day and type', async () => {
    await eventCounts.add({ day: 5, type: 'user.created', count: 2 })
    await eventCounts.add({ day: 5, type: 'user.created', count: 3 })
    await eventCounts.add({ day: 5, type: 'user.deleted', count: 1 })
    await eventCounts.add({ day: 6, type: 'user.created', count: 7 })
    expect(await since(5)).toEqual(['5 user.created 5', '5 user.deleted 1', '6 user.created 7'])
    expect(await since(6)).toEqual(['6 user.created 7'])
  })

  it('remembers where the counting has come to, apart from the counts', async () => {
    expect(await eventCounts.position()).toBe(0)
    await eventCounts.setPosition(40)
    await eventCounts.setPosition(50)
    expect(await eventCounts.position()).toBe(50)
    expect(await since(0)).toEqual([])
  })

  it('is counted by one at a time, on any number of handles', async () => {
    await atOnce(20, async (unit) => {
      const position = await unit.eventCounts.position()
      await unit.eventCounts.add({ day: 1, type: 'user.created', count: 1 })
      await unit.eventCounts.setPosition(position + 1)
    })
    expect([await eventCounts.position(), await since(0)]).toEqual([20, ['1 user.created 20']])
  })

  it('forgets days, and not where it has come to', async () => {
    await eventCounts.setPosition(9)
    for (const day of [1, 2, 3]) await eventCounts.add({ day, type: 'user.created', count: 1 })
    expect(await eventCounts.prune(3)).toBe(2)
    expect([await eventCounts.position(), await since(0)]).toEqual([9, ['3 user.created 1']])
  })
})
