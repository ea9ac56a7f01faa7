import { expect, it } from 'vitest'
import type { ConsoleSession } from '../src/index.ts'
import { aTombstone, aUser, THEN, userId } from './samples.ts'
import { storageSuite } from './storage-under-test.ts'

const secretHash = (id: string): string => `hash of ${id}`

const aSession = (id: string, changes: Partial<ConsoleSession> = {}): ConsoleSession => ({
  id,
  secretHash: secretHash(id),
  door: 'link',
  subject: 'ada',
  roleSource: 'stored',
  roles: [],
  feeds: undefined,
  tokenId: undefined,
  issuedAt: THEN,
  createdAt: THEN + 1,
  seenAt: THEN + 2,
  expiresAt: THEN + 3,
  ...changes,
})

export const consoleSessionStoreContract = storageSuite('a console session store', (storage) => {
  const { alike, atOnce, undone, stores } = storage
  const { consoleSessions } = stores
  const find = (id: string) => alike((from) => from.consoleSessions.find(secretHash(id)))
  const list = (after = 0, limit = 50) => alike((from) => from.consoleSessions.list({ after, limit }))

  it('finds a session by the hash of its secret alone, exactly as it was added', async () => {
    const full = aSession('b', {
      door: 'token',
      subject: 'bob',
      roleSource: 'token',
      roles: ['admin', 'x'],
      feeds: ['weekly', 'daily'],
      tokenId: 'jti',
    })
    const ofOperator = aSession('c', { door: 'operator', subject: 'operator:ops', roleSource: 'operator', feeds: [] })
    await consoleSessions.add(aSession('a'))
    await consoleSessions.add(full)
    await consoleSessions.add(ofOperator)
    expect(await find('c')).toEqual(ofOperator)
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

  it('lists those of a subject alone where one is named', async () => {
    for (const [id, subject] of Object.entries({ a: 'ada', b: 'bob', c: 'ada', d: 'Ada' }))
      await consoleSessions.add(aSession(id, { subject }))
    const of = (after: number) => alike((from) => from.consoleSessions.list({ after, limit: 1, subject: 'ada' }))
    const start = await of(0)
    const rest = await of(start.next ?? 0)
    expect([...start.items, ...rest.items].map(({ id }) => id)).toEqual(['a', 'c'])
    expect(rest.next).toBeUndefined()
  })

  it('erases all of a subject, and no other', async () => {
    for (const [id, subject] of Object.entries({ a: 'ada', b: 'bob', c: 'ada', d: 'Ada' }))
      await consoleSessions.add(aSession(id, { subject }))
    await undone((unit) => unit.consoleSessions.eraseOf('ada'))
    expect((await list()).items).toHaveLength(4)
    await consoleSessions.eraseOf('ada')
    await consoleSessions.eraseOf('eve')
    expect((await list()).items.map(({ id }) => id)).toEqual(['b', 'd'])
  })

  it('leaves none of a user behind that is deleted while sessions begin, on any number of handles', async () => {
    await stores.users.put(aUser('ada'))
    const deleted = await atOnce(20, async (unit, n) => {
      if ((await unit.users.accountStatus('ada')) === 'deleted') return false
      if (n !== 10) return await unit.consoleSessions.add(aSession(`${n}`))
      await unit.users.erase(userId('ada'))
      await unit.consoleSessions.eraseOf('ada')
      await unit.tombstones.put(userId('ada'), aTombstone)
      return true
    })
    expect([deleted.includes(true), (await list()).items]).toEqual([true, []])
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

  it('prunes those of deleted users, which an instance of the release before leaves', async () => {
    for (const [id, subject] of Object.entries({ a: 'ada', b: 'bob', c: 'ada' }))
      await consoleSessions.add(aSession(id, { subject }))
    await stores.tombstones.put(userId('ada'), aTombstone)
    expect(await consoleSessions.prune({ now: 0, idleSince: 0 }, 9)).toBe(2)
    expect((await list()).items.map(({ id }) => id)).toEqual(['b'])
  })
})

export const loginLinkStoreContract = storageSuite('a login link store', ({ stores, atOnce }) => {
  const { loginLinks } = stores
  const aLink = { door: 'operator', issuedAt: THEN - 1 } as const
  const add = (hash: string, expiresAt = THEN, subject = 'ada') =>
    loginLinks.add({ ...aLink, secretHash: hash, subject, expiresAt })

  it('finds a link until it is removed', async () => {
    await add('a')
    expect(await loginLinks.find('a')).toEqual({ ...aLink, secretHash: 'a', subject: 'ada', expiresAt: THEN })
    expect([await loginLinks.remove('a'), await loginLinks.remove('a')]).toEqual([true, false])
    expect(await loginLinks.find('a')).toBeUndefined()
  })

  it('is erased with all of its subject, and with no other', async () => {
    await add('a')
    await add('b', THEN, 'Ada')
    await add('c')
    await loginLinks.eraseOf('ada')
    await loginLinks.eraseOf('eve')
    const found = await Promise.all(['a', 'b', 'c'].map((hash) => loginLinks.find(hash)))
    expect(found.map((link) => link?.subject)).toEqual([undefined, 'Ada', undefined])
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
