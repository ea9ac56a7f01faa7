import { expect, it } from 'vitest'
import type { ListedToken } from '../src/index.ts'
import { aTombstone, aUser, feedName, stretchesOf, TEXTS, THEN, upTo, userId, VISIBLE_ASCII } from './samples.ts'
import { storageSuite } from './storage-under-test.ts'

const HOUR = 3_600_000

const aToken = (tokenId: string, changes: Partial<ListedToken> = {}): ListedToken => ({
  tokenId,
  subject: 'mailer',
  roles: ['sender'],
  feeds: undefined,
  label: '',
  issuedBy: 'operator:root',
  issuedAt: THEN,
  expiresAt: THEN + HOUR,
  lastUsedAt: undefined,
  revokedAt: undefined,
  ...changes,
})

export const accessTokenStoreContract = storageSuite('an access token store', (storage) => {
  const { run, runEach, undone, alike, stores, readers, another } = storage
  const add = (...all: ListedToken[]) => runEach(all, ({ accessTokens }, one) => accessTokens.add(one))
  const find = (tokenId: string) => alike(({ accessTokens }) => accessTokens.find(tokenId))
  const isRevoked = (tokenId: string) => alike(({ accessTokens }) => accessTokens.isRevoked(tokenId))
  const revoke = (tokenId: string, at = THEN, until = at + HOUR) => stores.accessTokens.revoke({ tokenId, at, until })
  const statusOf = (subject: string, tokenId?: string) => readers.users.accountStatus(subject, tokenId)

  it('gives back every token exactly as it was added', async () => {
    const all = TEXTS.map((label, n) =>
      aToken(n === 0 ? VISIBLE_ASCII : `t${n}`, {
        label,
        roles: n % 2 ? ['admin', 'auditor'] : [],
        feeds: n % 3 ? upTo(n % 3).map((feed) => feedName(`feed-${feed}`)) : undefined,
        ...(n % 2 ? { lastUsedAt: THEN + n, revokedAt: THEN - n } : {}),
      }),
    )
    await add(...all, aToken('bound-to-nothing', { feeds: [] }))
    for (const one of all) expect(await find(one.tokenId)).toEqual(one)
    expect((await find('bound-to-nothing'))?.feeds).toEqual([])
    for (const other of ['T1', 't1 ', '', '%', ...TEXTS]) expect(await find(other)).toBeUndefined()
  })

  it('has each id once', async () => {
    await add(aToken('a'))
    await expect(add(aToken('a', { subject: 'another' }))).rejects.toThrow()
    expect((await find('a'))?.subject).toBe('mailer')
  })

  it('lists them in the order in which they were issued, all or those of a subject', async () => {
    await add(...upTo(5).map((n) => aToken(`t${6 - n}`, { subject: n % 2 ? 'odd' : 'even' })))
    const list = (limit: number, subject?: string) =>
      stretchesOf((stretch) => readers.accessTokens.list({ ...stretch, subject }), limit)
    const ids = async (limit: number, subject?: string) =>
      (await list(limit, subject)).map((items) => items.map(({ tokenId }) => tokenId))
    expect(await ids(2)).toEqual([['t5', 't4'], ['t3', 't2'], ['t1']])
    expect(await ids(2, 'odd')).toEqual([['t5', 't3'], ['t1']])
    expect(await ids(2, 'ODD')).toEqual([[]])
    await stores.accessTokens.revoke({ tokenId: 't5', at: THEN, until: THEN })
    expect((await ids(9)).flat()[0]).toBe('t5')
  })

  it('shows a revocation with the status of the subject, on every handle, as soon as it is done', async () => {
    await add(aToken('a'), aToken('b'))
    expect(await statusOf('mailer', 'a')).toBeUndefined()
    await revoke('a', THEN + 5)
    expect(await statusOf('mailer', 'a')).toBe('revoked')
    expect(await (await another()).readers.users.accountStatus('mailer', 'a')).toBe('revoked')
    expect([await statusOf('mailer', 'b'), await statusOf('mailer')]).toEqual([undefined, undefined])
    expect([await isRevoked('a'), await isRevoked('b'), await isRevoked('A')]).toEqual([true, false, false])
    expect((await find('a'))?.revokedAt).toBe(THEN + 5)
    expect((await find('b'))?.revokedAt).toBeUndefined()
  })

  it('shows the roles of a stored user with a token that is not revoked, and that a user was deleted', async () => {
    await stores.users.put(aUser('ada', { roles: ['admin'] }))
    await revoke('stolen')
    expect(await statusOf('ada', 'good')).toMatchObject({ roles: ['admin'] })
    expect(await statusOf('ada', 'stolen')).toBe('revoked')
    expect(await statusOf('ada')).toMatchObject({ roles: ['admin'] })
    await stores.tombstones.put(userId('bob'), aTombstone)
    expect([await statusOf('bob', 'good'), await statusOf('bob', 'stolen')]).toEqual(['deleted', 'deleted'])
  })

  it('tells a subject and a token apart, whatever they are made of', async () => {
    await revoke('b c')
    await revoke(VISIBLE_ASCII)
    expect(await statusOf('a', 'b c')).toBe('revoked')
    expect(await statusOf('a b', 'c')).toBeUndefined()
    for (const text of TEXTS) expect(await statusOf('a', text)).toBeUndefined()
    expect(await statusOf('a', VISIBLE_ASCII)).toBe('revoked')
  })

  it('keeps the first time of a revocation, and the longest end', async () => {
    await add(aToken('a'))
    await revoke('a', THEN, THEN + HOUR)
    await revoke('a', THEN + 5, THEN + 2 * HOUR)
    await revoke('a', THEN + 6, THEN + 9)
    expect((await find('a'))?.revokedAt).toBe(THEN)
    await stores.accessTokens.pruneRevocations(THEN + 2 * HOUR, 9)
    expect(await isRevoked('a')).toBe(true)
  })

  it('revokes what is not listed', async () => {
    await revoke('elsewhere')
    expect([await isRevoked('elsewhere'), await find('elsewhere')]).toEqual([true, undefined])
  })

  it('undoes a revocation with its unit', async () => {
    await add(aToken('a'))
    await undone(({ accessTokens }) => accessTokens.revoke({ tokenId: 'a', at: THEN, until: THEN }))
    expect([await isRevoked('a'), (await find('a'))?.revokedAt]).toEqual([false, undefined])
    expect(await statusOf('mailer', 'a')).toBeUndefined()
  })

  it('lists as revoked what was issued before the keys were, and refuses nothing for that', async () => {
    await add(aToken('a'), aToken('b', { revokedAt: THEN + 1 }), aToken('c', { issuedAt: THEN + 5 }))
    await stores.accessTokens.noteKeysRevoked(THEN + 5)
    const revokedAt = async (tokenId: string) => (await find(tokenId))?.revokedAt
    expect([await revokedAt('a'), await revokedAt('b'), await revokedAt('c')]).toEqual([THEN + 5, THEN + 1, undefined])
    expect([await isRevoked('a'), await statusOf('mailer', 'a')]).toEqual([false, undefined])
  })

  it('notes when a token was used last, and nothing where it is not listed', async () => {
    await add(aToken('a'), aToken('b'))
    await run(async ({ accessTokens }) => {
      await accessTokens.noteUse('a', THEN + HOUR)
      await accessTokens.noteUse('a', THEN)
      await accessTokens.noteUse('elsewhere', THEN)
    })
    expect((await find('a'))?.lastUsedAt).toBe(THEN + HOUR)
    expect((await find('b'))?.lastUsedAt).toBeUndefined()
    expect(await find('elsewhere')).toBeUndefined()
  })

  it('erases the tokens of a subject, which stay revoked, and says how many there were', async () => {
    await add(aToken('a'), aToken('b'), aToken('c', { subject: 'Mailer' }))
    await revoke('a')
    expect(await stores.accessTokens.eraseOf('mailer')).toBe(2)
    expect(await stores.accessTokens.eraseOf('mailer')).toBe(0)
    expect([await find('a'), await find('b'), (await find('c'))?.subject]).toEqual([undefined, undefined, 'Mailer'])
    expect(await statusOf('mailer', 'a')).toBe('revoked')
  })

  it('removes what expired before a time, oldest first and up to the limit, and keeps its revocation', async () => {
    await add(...upTo(3).map((n) => aToken(`t${n}`, { expiresAt: THEN + n })))
    await revoke('t1')
    expect(await stores.accessTokens.prune(THEN + 1, 9)).toBe(0)
    expect(await stores.accessTokens.prune(THEN + 9, 2)).toBe(2)
    expect([await find('t1'), (await find('t3'))?.expiresAt, await isRevoked('t1')]).toEqual([
      undefined,
      THEN + 3,
      true,
    ])
    expect(await stores.accessTokens.prune(THEN + 9, 2)).toBe(1)
    expect(await stores.accessTokens.prune(THEN + 9, 2)).toBe(0)
  })

  it('removes revocations that ended before a time, up to the limit, and keeps what is listed', async () => {
    await add(aToken('t1'))
    for (const n of upTo(3)) await revoke(`t${n}`, THEN, THEN + n)
    expect(await stores.accessTokens.pruneRevocations(THEN + 1, 9)).toBe(0)
    expect(await stores.accessTokens.pruneRevocations(THEN + 9, 2)).toBe(2)
    expect([await isRevoked('t1'), await isRevoked('t2'), await isRevoked('t3')]).toEqual([false, false, true])
    expect((await find('t1'))?.revokedAt).toBe(THEN)
    expect(await stores.accessTokens.pruneRevocations(THEN + 9, 2)).toBe(1)
  })
})
