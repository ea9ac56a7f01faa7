import { expect, it } from 'vitest'
import { EmailTaken, type Provisioned, type User, type UserFilter } from '../src/index.ts'
import { aTombstone, aUser, stretchesOf, TEXTS, upTo, userId, VISIBLE_ASCII } from './samples.ts'
import { storageSuite } from './storage-under-test.ts'

export const userStoreContract = storageSuite('a user store', (storage) => {
  const { run, runEach, alike, outcomesAtOnce, stores, readers } = storage
  const put = (...all: User[]) => runEach(all, ({ users }, user) => users.put(user))
  const all = async () => (await readers.users.list({ after: 0, limit: 200 })).items
  const find = (id: string) => alike(({ users }) => users.find(userId(id)))

  it('finds a user by its whole e-mail key, where it can', async () => {
    await stores.users.put(aUser('ada', { emailKey: 'ada@example.com' }))
    if (readers.users.withEmail === undefined) return
    const found = async (key: string) => (await readers.users.withEmail?.(key))?.id
    expect(await found('ada@example.com')).toBe('ada')
    for (const key of ['Ada@example.com', 'ada@example.co', '', '%']) expect(await found(key)).toBeUndefined()
  })

  it('finds nothing when it is empty', async () => {
    expect(await find('missing')).toBeUndefined()
  })

  it('gives back every user exactly as it was put', async () => {
    const everything = TEXTS.map((text, n) =>
      aUser(`u${n}`, {
        email: `${text}@x`,
        emailKey: `${n} ${text}@x`,
        name: text,
        roles: ['admin', 'auditor'],
        createdAt: n,
        updatedAt: Date.now() + n,
      }),
    )
    await put(...everything)
    for (const user of everything) expect(await find(user.id)).toEqual(user)
  })

  it('gives back everything that may be known of a user', async () => {
    // A store of a host's own keeps what that knows.
    if (readers.users.keptByHost) return
    const provisioned: Required<Provisioned> = {
      userName: 'ada',
      externalId: 'E1',
      formatted: 'Ada King',
      givenName: 'Ada',
      familyName: 'King',
      emailType: 'work',
      emailPrimary: true,
    }
    const everything: Required<User> = {
      id: userId('ada'),
      email: 'Ada@x',
      emailKey: 'ada@x',
      name: 'Ada',
      roles: ['admin'],
      createdAt: 1,
      updatedAt: 2,
      tokensNotBefore: 3,
      suspendedAt: 4,
      lastSeenAt: 5,
      provisioned,
    }
    await put(everything)
    expect(await find('ada')).toEqual(everything)
  })

  it('takes ids of 255 characters and of every visible ASCII character, and distinguishes upper from lower case', async () => {
    const ids = ['a'.repeat(255), `${'a'.repeat(254)}b`, VISIBLE_ASCII, 'Ada', 'ada', "'", '%', '0', '00']
    await put(...ids.map((id, n) => aUser(id, { emailKey: `${n}@x`, name: `${n}` })))
    for (const [n, id] of ids.entries()) expect((await find(id))?.name).toBe(`${n}`)
    expect(await find('ADA')).toBeUndefined()
  })

  it('gives back role names of any shape, an empty list included', async () => {
    const roles = ['', ' ', '"', ',', '[]', 'a,b', 'ä', '😀']
    await put(aUser('many', { roles }), aUser('none', { roles: [] }))
    expect((await find('many'))?.roles).toEqual(roles)
    expect((await find('none'))?.roles).toEqual([])
  })

  it('replaces the user with the same id', async () => {
    await stores.users.put(aUser('a', { roles: ['admin'] }))
    const changed = aUser('a', { name: 'B', email: 'b@x', emailKey: 'b@x', roles: ['auditor'], updatedAt: 5 })
    await stores.users.put(changed)
    expect(await find('a')).toEqual(changed)
    expect(await all()).toEqual([changed])
  })

  it('refuses an e-mail key that another user has, and undoes the unit', async () => {
    await stores.users.put(aUser('a', { emailKey: 'same@x' }))
    const taken = run(async ({ users, tombstones }) => {
      await tombstones.put(userId('trace'), aTombstone)
      await users.put(aUser('b', { emailKey: 'same@x' }))
    })
    await expect(taken).rejects.toBeInstanceOf(EmailTaken)
    expect(await find('b')).toBeUndefined()
    expect(await stores.tombstones.has(userId('trace'))).toBe(false)
  })

  it('refuses to change a user to an e-mail key that another user has', async () => {
    await put(aUser('a', { emailKey: 'same@x' }), aUser('b'))
    await expect(stores.users.put(aUser('b', { emailKey: 'same@x' }))).rejects.toBeInstanceOf(EmailTaken)
    expect(await find('b')).toEqual(aUser('b'))
  })

  it('looks at the e-mail key alone: neither the address as written nor its case matters', async () => {
    const users = Object.entries({ a: 'x@x', b: 'X@x', c: 'x@xx' })
    await put(...users.map(([id, emailKey]) => aUser(id, { email: 'x@x', emailKey })))
    expect(await all()).toHaveLength(3)
  })

  it('lets a user keep its own e-mail key, and frees one that was given up or erased', async () => {
    await stores.users.put(aUser('a', { emailKey: 'one@x' }))
    await stores.users.put(aUser('a', { emailKey: 'one@x', name: 'again' }))
    await stores.users.put(aUser('a', { emailKey: 'two@x' }))
    await stores.users.put(aUser('b', { emailKey: 'one@x' }))
    await run(async ({ users }) => {
      await users.erase(userId('b'))
      await users.put(aUser('c', { emailKey: 'one@x' }))
    })
    expect((await find('c'))?.emailKey).toBe('one@x')
  })

  it('lets one of a hundred simultaneous users with the same e-mail key win, on any number of handles', async () => {
    const { values, errors } = await outcomesAtOnce(100, ({ users }, n) =>
      users.put(aUser(`u${n}`, { emailKey: 'same@x' })),
    )
    expect(values).toHaveLength(1)
    expect(errors.filter((error) => error instanceof EmailTaken)).toHaveLength(99)
    expect(await all()).toHaveLength(1)
  })

  it('erases a user, and nothing else', async () => {
    await put(aUser('a', { roles: ['admin'] }), aUser('b', { roles: ['admin'] }))
    await stores.users.erase(userId('a'))
    await stores.users.erase(userId('missing'))
    expect(await find('a')).toBeUndefined()
    expect(await all()).toEqual([aUser('b', { roles: ['admin'] })])
    expect(await alike(({ users }) => users.countWithRole('admin'))).toBe(1)
  })

  it('counts who has a role, by its whole name, within a unit as it goes', async () => {
    const counts = await run(async ({ users }) => {
      const seen = [await users.countWithRole('admin')]
      await users.put(aUser('a', { roles: ['admin', 'auditor'] }))
      await users.put(aUser('b', { roles: ['administrator', 'adm', 'ADMIN', '%'] }))
      seen.push(await users.countWithRole('admin'))
      await users.put(aUser('c', { roles: ['admin'] }))
      seen.push(await users.countWithRole('admin'))
      await users.put(aUser('a', { roles: ['auditor'] }))
      seen.push(await users.countWithRole('admin'))
      await users.erase(userId('c'))
      return [...seen, await users.countWithRole('admin')]
    })
    expect(counts).toEqual([0, 1, 2, 1, 0])
  })

  it('knows the account status of a subject: its stored roles, that it was deleted, or nothing', async () => {
    await run(async ({ users, tombstones }) => {
      await users.put(aUser('a', { roles: ['admin', 'auditor'] }))
      await users.put(aUser('b'))
      await tombstones.put(userId('gone'), aTombstone)
    })
    const statuses = ['a', 'b', 'gone', 'A'].map((subject) => readers.users.accountStatus(subject))
    expect(await Promise.all(statuses)).toMatchObject([
      ...[{ roles: ['admin', 'auditor'] }, { roles: [] }],
      ...['deleted', undefined],
    ])
  })

  it('takes any text for a subject', async () => {
    const texts = [...TEXTS, '\u0000', 'a\u0000', '\ud800', 'operator:root', '.', 'x'.repeat(100_000)]
    await stores.users.put(aUser('a'))
    for (const text of texts) expect(await readers.users.accountStatus(text)).toBeUndefined()
  })
})

export const userListContract = storageSuite('a list of users', ({ runEach, readers }) => {
  const put = (...all: User[]) => runEach(all, ({ users }, user) => users.put(user))
  const erase = (...ids: string[]) => runEach(ids, ({ users }, id) => users.erase(userId(id)))
  const list = (filter: Partial<UserFilter> = {}) => readers.users.list({ after: 0, limit: 50, ...filter })
  const idsOf = async (filter: Partial<UserFilter> = {}) => (await list(filter)).items.map(({ id }) => id)

  it('is empty without users, and says that it is at its end', async () => {
    expect(await list()).toEqual({ items: [], next: undefined })
  })

  it('goes from the oldest to the newest, stretch by stretch, each user once', async () => {
    const ids = upTo(23).map((n) => `u${(n * 7) % 23}`)
    await put(...ids.map((id) => aUser(id)))
    const stretches = await stretchesOf(list, 5)
    expect(stretches.flat().map(({ id }) => id)).toEqual(ids)
  })

  it('is at its end with the last user that matches, even if the stretch is full or others follow', async () => {
    await put(aUser('a', { roles: ['admin'] }), aUser('b', { roles: ['admin'] }), aUser('c'))
    expect((await list({ limit: 3 })).next).toBeUndefined()
    expect((await list({ limit: 2, role: 'admin' })).next).toBeUndefined()
    expect((await list({ limit: 2 })).next).toBeDefined()
  })

  it('keeps the place of a user who is replaced', async () => {
    await put(aUser('a'), aUser('b'), aUser('c'))
    await put(aUser('a', { name: 'changed', emailKey: 'other@x' }))
    expect(await idsOf()).toEqual(['a', 'b', 'c'])
  })

  it('stays in step when users are added and erased between two stretches', async () => {
    await put(aUser('a'), aUser('b'), aUser('c'), aUser('d'))
    const { next } = await list({ limit: 2 })
    await erase('a', 'b', 'c')
    await put(aUser('e'))
    expect(await idsOf({ after: next ?? 0 })).toEqual(['d', 'e'])
  })

  it('never gives the place of an erased user to another', async () => {
    await put(aUser('a'), aUser('b'), aUser('c'))
    const { next } = await list({ limit: 2 })
    await erase('a', 'b', 'c')
    await put(aUser('d'), aUser('a'))
    expect(await idsOf({ after: next ?? 0 })).toEqual(['d', 'a'])
  })

  it('finds by the beginning of the id, of a word of the name, of the address or of its domain', async () => {
    await put(
      aUser('needle-1', { name: 'n1', email: 'e1@x.example' }),
      aUser('u2', { name: 'a Needle b', email: 'e2@x.example' }),
      aUser('u3', { name: 'n3', email: 'Needle@x.example' }),
      aUser('u4', { name: 'n4', email: 'e4@needle.example' }),
      aUser('u5', { name: 'xneedle', email: 'e5.needle@x.example', emailKey: 'needle', roles: ['needle'] }),
    )
    expect(await idsOf({ words: ['needle'] })).toEqual(['needle-1', 'u2', 'u3', 'u4'])
    expect(await idsOf({ words: ['nee'] })).toEqual(['needle-1', 'u2', 'u3', 'u4'])
    expect(await idsOf({ words: ['needle', 'u2'] })).toEqual(['u2'])
    expect(await idsOf({ words: ['needle@x.example'] })).toEqual(['u3'])
    for (const word of ['needles', 'eedle', 'example', 'u2needle', '%', '_'])
      expect(await idsOf({ words: [word] })).toEqual([])
  })

  it('finds whatever the case of the letters and their accents, beyond ASCII too', async () => {
    const names = ['École', 'ПРИВЕТ', 'Ελλάδα', 'ŁÓDŹ', '\u{10400}']
    await put(...names.map((name, n) => aUser(`u${n}`, { name })))
    const words = ['ecole', 'привет', 'ελλαδα', 'lodz', '\u{10428}']
    for (const [n, word] of words.entries()) expect(await idsOf({ words: [word] })).toEqual([`u${n}`])
  })

  it('has no wildcards: every character of a word is itself', async () => {
    const names = ['100%1', 'a_b', 'a*b', 'a?b', 'a[b', "a'b", 'a^b', 'a.b', 'axb']
    await put(...names.map((name, n) => aUser(`id-${n}`, { name, email: `${n}0@x` })))
    for (const [n, name] of names.entries()) expect(await idsOf({ words: [name] })).toEqual([`id-${n}`])
  })

  it('forgets what a user was found by once it changes, or is erased', async () => {
    await put(aUser('a', { name: 'Before' }), aUser('b', { name: 'Before' }))
    await put(aUser('a', { name: 'Behind', email: 'new@x', emailKey: 'new@x' }))
    expect(await idsOf({ words: ['before'] })).toEqual(['b'])
    expect(await idsOf({ words: ['a@example.com'] })).toEqual([])
    expect(await idsOf({ words: ['behind', 'new'] })).toEqual(['a'])
    await erase('a')
    await put(aUser('a'))
    expect(await idsOf({ words: ['behind'] })).toEqual([])
  })

  it('goes from the newest to the oldest where it is asked to, with every filter', async () => {
    await put(...upTo(9).map((n) => aUser(`u${n}`, { name: 'Ada', roles: n % 2 ? ['admin'] : [] })))
    const odd = ['u9', 'u7', 'u5', 'u3', 'u1']
    const from = { after: Number.MAX_SAFE_INTEGER, downwards: true }
    expect(await idsOf(from)).toEqual(upTo(9).map((n) => `u${10 - n}`))
    for (const filter of [{ role: 'admin' }, { role: 'admin', words: ['ada'] }]) {
      const first = await list({ ...from, ...filter, limit: 2 })
      expect(first.items.map(({ id }) => id)).toEqual(odd.slice(0, 2))
      expect(await idsOf({ ...from, ...filter, after: first.next ?? 0 })).toEqual(odd.slice(2))
    }
    await put(aUser('u5', { suspendedAt: 1 }))
    expect(await idsOf({ ...from, suspended: true, words: ['u'] })).toEqual(['u5'])
  })

  it('finds by role, by its whole name', async () => {
    await put(aUser('a', { roles: ['admin', 'auditor'] }), aUser('b', { roles: ['administrator'] }), aUser('c'))
    expect(await idsOf({ role: 'admin' })).toEqual(['a'])
    expect(await idsOf({ role: 'auditor' })).toEqual(['a'])
    expect(await idsOf({ role: 'adm' })).toEqual([])
  })

  it('finds by words and role together, over several stretches', async () => {
    await put(...upTo(12).map((n) => aUser(`u${n}`, { name: n % 2 ? 'odd' : 'even', roles: n % 3 ? [] : ['admin'] })))
    const first = await list({ words: ['odd'], role: 'admin', limit: 1 })
    expect(first.items.map(({ id }) => id)).toEqual(['u3'])
    expect(await list({ words: ['odd'], role: 'admin', limit: 1, after: first.next ?? 0 })).toEqual({
      items: [aUser('u9', { name: 'odd', roles: ['admin'] })],
      next: undefined,
    })
  })
})
