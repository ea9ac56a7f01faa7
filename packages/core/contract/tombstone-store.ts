import { expect, it } from 'vitest'
import { type HeldUser, type Stores, type Tombstone, UserDeleted } from '../src/index.ts'
import { aTombstone, aUser, outcomesOf, pause, TEXTS, THEN, userId, VISIBLE_ASCII } from './samples.ts'
import { storageSuite } from './storage-under-test.ts'

export const tombstoneStoreContract = storageSuite('a tombstone store', (storage) => {
  const { run, alike, stores, readers } = storage
  const has = (id: string) => stores.tombstones.has(userId(id))
  const put = (id: string, tombstone: Tombstone = aTombstone) => stores.tombstones.put(userId(id), tombstone)
  const find = (id: string) => alike(({ tombstones }) => tombstones.find(userId(id)))

  it('has the ids that were put, in every unit afterwards and within the same one', async () => {
    const within = await run(async ({ tombstones }) => {
      await tombstones.put(userId('a'), aTombstone)
      return await tombstones.has(userId('a'))
    })
    expect(within).toBe(true)
    expect(await has('a')).toBe(true)
  })

  it('has no other: ids differ by every character and its case', async () => {
    await put('Ada')
    for (const id of ['ada', 'Ad', 'Ada ', 'Ada%', '%', ...TEXTS]) expect(await has(id)).toBe(false)
    expect(await find('ada')).toBeUndefined()
  })

  it('gives back every tombstone exactly as it was put last', async () => {
    const full: Tombstone = {
      deletedAt: Date.UTC(2026, 0, 1) + 123,
      audit: Number.MAX_SAFE_INTEGER,
      erasesAt: Date.UTC(2027, 0, 1),
      erased: { users: 1, roles: 2, subscriptions: 30_000, mails: 4, tokens: 6 },
      subscriptionsKept: 5,
    }
    await put('a', full)
    expect(await find('a')).toEqual(full)
    const changed = { ...full, erasesAt: undefined, subscriptionsKept: 0 }
    await put('a', changed)
    expect(await find('a')).toEqual(changed)
  })

  it('forgets who was restored', async () => {
    await put('a')
    await put('b')
    await stores.tombstones.remove(userId('a'))
    expect([await has('a'), await has('b')]).toEqual([false, true])
  })

  it('lists them all in the order of their ids, from any id on', async () => {
    for (const id of ['b', 'a', 'B', '~', '-', 'ab']) await put(id, { ...aTombstone, audit: id.charCodeAt(0) })
    const list = (after: string | undefined, limit: number) =>
      readers.tombstones.list({ after: after === undefined ? undefined : userId(after), limit })
    const all = await list(undefined, 9)
    expect(all.map(({ id }) => id)).toEqual(['-', 'B', 'a', 'ab', 'b', '~'])
    expect(all[1]).toEqual({ id: 'B', tombstone: { ...aTombstone, audit: 66 } })
    expect(await list('B', 2)).toEqual(all.slice(2, 4))
    expect(await list('b0', 9)).toEqual(all.slice(5))
    expect(await list('~', 9)).toEqual([])
  })

  const store = ({ users }: Stores) => users.put(aUser('ada'))
  const bury = async ({ users, tombstones }: Stores) => {
    await users.erase(userId('ada'))
    await tombstones.put(userId('ada'), aTombstone)
  }

  it('keeps its id from ever being stored again, until the user is restored', async () => {
    await run(store)
    await run(bury)
    await expect(run(store)).rejects.toBeInstanceOf(UserDeleted)
    expect(await readers.users.find(userId('ada'))).toBeUndefined()
    const back = run(async (stores) => {
      await stores.tombstones.remove(userId('ada'))
      await store(stores)
    })
    await expect(back).resolves.toBeUndefined()
    expect(await readers.users.find(userId('ada'))).toEqual(aUser('ada'))
  })

  for (const [name, isStored, order] of [
    ['the deletion is under way', true, [bury, store]],
    ['the deletion is under way, and there was no user', false, [bury, store]],
    ['the PUT is under way', true, [store, bury]],
    ['the PUT is under way, and there was no user', false, [store, bury]],
  ] as const)
    it(`is what stays of a deletion and a PUT that come at once, where ${name}`, async () => {
      if (isStored) await run(store)
      const { unitOfWork } = await storage.another()
      const { promise: begun, resolve: hasBegun } = Promise.withResolvers<void>()
      const first = run(async (stores) => {
        await order[0](stores)
        hasBegun()
        await pause(50)
      })
      await begun
      // Without a look before: what is found then is of no use.
      const { errors } = await outcomesOf([first, unitOfWork.run(order[1])])
      expect(errors.map((error) => error instanceof UserDeleted)).toEqual(order[1] === store ? [true] : [])
      expect(await readers.users.find(userId('ada'))).toBeUndefined()
      expect(await has('ada')).toBe(true)
    })

  it('takes ids of 255 characters and of every visible ASCII character', async () => {
    for (const id of ['a'.repeat(255), VISIBLE_ASCII]) {
      await put(id)
      expect(await has(id)).toBe(true)
    }
  })
})

const held = (id: string, changes: Partial<HeldUser> = {}): HeldUser => ({
  user: aUser(id),
  deletedAt: THEN,
  erasesAt: THEN + 1_000,
  subscriptions: 'keep',
  ...changes,
})

export const heldUserStoreContract = storageSuite('a held user store', ({ runEach, stores, readers }) => {
  const add = (...all: HeldUser[]) => runEach(all, ({ heldUsers }, one) => heldUsers.add(one))
  const find = (id: string) => stores.heldUsers.find(userId(id))
  const due = async (now: number, limit = 10) => (await stores.heldUsers.due(now, limit)).map(({ user }) => user.id)

  it('gives back every held user exactly as it was added', async () => {
    const all = TEXTS.map((text, n) =>
      held(`u${n}`, {
        user: aUser(`u${n}`, {
          name: text,
          roles: n % 2 ? ['admin', 'auditor'] : [],
          ...(n % 3 ? { tokensNotBefore: n } : {}),
        }),
        subscriptions: n % 2 ? 'erase' : 'keep',
      }),
    )
    await add(...all)
    for (const one of all) expect(await find(one.user.id)).toEqual(one)
    expect(await find('another')).toBeUndefined()
  })

  it('is known to no other store: neither the user, nor the role, nor the address', async () => {
    await add(held('ada', { user: aUser('ada', { roles: ['admin'] }) }))
    expect(await readers.users.find(userId('ada'))).toBeUndefined()
    expect(await stores.users.countWithRole('admin')).toBe(0)
    await stores.users.put(aUser('bob', { emailKey: 'ada@example.com' }))
  })

  it('holds no user twice', async () => {
    await add(held('ada'))
    await expect(add(held('ada', { deletedAt: THEN + 5 }))).rejects.toThrow()
    expect((await find('ada'))?.deletedAt).toBe(THEN)
  })

  it('forgets who was removed', async () => {
    await add(held('ada'), held('bob'))
    await stores.heldUsers.remove(userId('ada'))
    expect(await find('ada')).toBeUndefined()
    expect(await due(THEN + 9_999)).toEqual(['bob'])
  })

  it('lists them all in the order of their ids, from any id on', async () => {
    await add(...['b', 'a', 'B', '~'].map((id) => held(id)))
    const list = async (after: string | undefined, limit: number) =>
      (await readers.heldUsers.list({ after, limit })).map(({ user }) => user.id)
    expect(await list(undefined, 9)).toEqual(['B', 'a', 'b', '~'])
    expect(await list('B', 2)).toEqual(['a', 'b'])
    expect(await list('a0', 9)).toEqual(['b', '~'])
    expect((await readers.heldUsers.list({ after: 'b', limit: 9 }))[0]).toEqual(held('~'))
    await stores.heldUsers.remove(userId('a'))
    expect(await list(undefined, 9)).toEqual(['B', 'b', '~'])
  })

  it('gives users whose grace is over, soonest first, up to the limit', async () => {
    await add(...Object.entries({ c: 30, a: 10, d: 40, b: 20 }).map(([id, erasesAt]) => held(id, { erasesAt })))
    expect([await due(30), await due(30, 2), await due(9)]).toEqual([['a', 'b', 'c'], ['a', 'b'], []])
  })
})
