import { setTimeout as sleep } from 'node:timers/promises'
import type { Caller, Stores, UserChanges, UserId } from '@rollcall/core'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { PostgresStorage } from '../../src/postgres/index.ts'
import { aTombstone } from '../a-tombstone.ts'
import { aUser, deleting, storing } from '../a-user-change.ts'
import { lookAt } from '../postgres-server/databases.ts'
import { addressOf, aSubscription, countCommits, eventsOf, trailOf } from './changes-of-users.ts'
import { openStorage, sharedDatabase } from './temporary-storage.ts'

const MANY = Array.from({ length: 38 }, (_, n) => `user-${n}`)

const open = async () => {
  const storage = await openStorage(await sharedDatabase())
  return { ...storage, changes: storage.userChanges as UserChanges }
}

const find = ({ readers }: Pick<PostgresStorage, 'readers'>, id: string) => readers.users.find(id as UserId)

/** What a stored caller is known by. */
const callerOf = async ({ readers }: PostgresStorage, id: string): Promise<Caller> => {
  const status = await readers.users.accountStatus(id)
  if (typeof status !== 'object') throw new Error(`There is no ${id}.`)
  const { roles, version } = status
  return { id, roles, roleSource: 'stored', channel: 'library', identityVersion: version }
}

/** Makes the change while a unit of work holds its user, which changes it then. */
const beside = async <Made>(
  { unitOfWork }: PostgresStorage,
  hold: Parameters<PostgresStorage['unitOfWork']['run']>[0],
  make: () => Promise<Made>,
): Promise<Made> => {
  let making: Promise<Made> | undefined
  await unitOfWork.run(async (stores) => {
    await stores.users.find('ada' as UserId)
    // It waits for nobody. Nothing outside of the stores may be awaited, but this is a test.
    making ??= make()
    await making
    await hold(stores)
  })
  return await (making as Promise<Made>)
}

let bob: Promise<unknown> | undefined

describe('changes of users, set by set', () => {
  it('share a transaction, one trail, and what hangs on the users goes with them', async () => {
    const storage = await open()
    const { changes, unitOfWork, readers } = storage
    const commits = countCommits()
    const added = await Promise.all(MANY.map((id) => changes.make(storing(aUser(id, { roles: ['admin', 'sender'] })))))
    expect(added.map((made) => made?.user.id)).toEqual(MANY)
    expect(commits()).toBe(1)
    const token = { roles: [], feeds: undefined, label: '', issuedBy: 'root', issuedAt: 1, expiresAt: 2 }
    const session = {
      ...{ door: 'link' as const, roleSource: 'stored' as const, roles: [], feeds: undefined, tokenId: undefined },
      ...{ issuedAt: 1, createdAt: 1, seenAt: 1, expiresAt: 2 },
    }
    await unitOfWork.run(async ({ accessTokens, consoleSessions, loginLinks, subscriptions }) => {
      for (const subject of [MANY[1], MANY[1], MANY[3], 'stays'] as string[]) {
        const [tokenId, secretHash] = [`t ${Math.random()}`, `h ${Math.random()}`]
        await accessTokens.add({ ...token, tokenId, subject, lastUsedAt: undefined, revokedAt: undefined })
        await consoleSessions.add({ ...session, id: tokenId, subject, secretHash })
        await loginLinks.add({ ...session, secretHash, subject })
      }
      await subscriptions.put(aSubscription(7, 'user-1@example.com'))
    })
    const before = commits()
    const changed = await Promise.all(
      MANY.map((id, n) =>
        changes.make(
          n % 2
            ? deleting(id, addressOf(`${id}@example.com`))
            : storing(aUser(id, { name: 'changed', roles: ['auditor', 'sender'] })),
        ),
      ),
    )
    expect(commits() - before).toBe(1)
    expect(changed.map((made) => made?.subscriptionsKept)).toEqual(MANY.map((_, n) => (n === 1 ? 1 : 0)))
    expect((await trailOf(storage)).toSorted()).toEqual(
      MANY.flatMap((id, n) => [`user.put ${id}`, `user.${n % 2 ? 'delete' : 'put'} ${id}`]).toSorted(),
    )
    expect((await eventsOf(storage)).toSorted()).toEqual(
      MANY.flatMap((id, n) => [`user.created ${id}`, `user.${n % 2 ? 'deleted' : 'updated'} ${id}`]).toSorted(),
    )
    for (const [n, id] of MANY.entries()) {
      const found = await find(storage, id)
      expect([id, found?.name, found?.roles]).toEqual(
        n % 2 ? [id, undefined, undefined] : [id, 'changed', ['auditor', 'sender']],
      )
    }
    const roles = await Promise.all(['admin', 'auditor', 'sender'].map((role) => readers.users.countWithRole(role)))
    expect(roles).toEqual([0, 19, 19])
    const tombstone = await readers.tombstones.find(MANY[1] as UserId)
    expect(tombstone).toMatchObject({
      ...{ deletedAt: 1, erasesAt: undefined, subscriptionsKept: 1 },
      erased: { users: 1, roles: 2, subscriptions: 0, mails: 0, tokens: 2 },
    })
    const left = await Promise.all([
      readers.accessTokens.list({ after: 0, limit: 9 }),
      readers.consoleSessions.list({ after: 0, limit: 9 }),
    ])
    expect(left.map(({ items }) => items.map(({ subject }) => subject))).toEqual([['stays'], ['stays']])
  })

  it('are made one after another if they are of one user, or by a user that another of them changes', async () => {
    const storage = await open()
    const { changes } = storage
    await changes.make(storing(aUser('ada', { roles: ['admin'] })))
    const ada = await callerOf(storage, 'ada')
    const made = await Promise.all([
      changes.make(storing(aUser('ada', { name: '1' }))),
      changes.make(storing(aUser('ada', { name: '2' }))),
      changes.make(storing(aUser('bob'), ada)),
    ])
    // Ada is not who she was when she asked.
    expect(made.map((one) => one?.user.name)).toEqual(['1', '2', undefined])
    expect([(await find(storage, 'ada'))?.name, await find(storage, 'bob')]).toEqual(['2', undefined])
    expect(await changes.make(storing(aUser('bob'), await callerOf(storage, 'ada')))).toBeDefined()
    expect(await trailOf(storage)).toEqual(['user.put ada', 'user.put ada', 'user.put ada', 'user.put bob'])
  })

  it.each(['stores', 'deletes'])('are given back if a unit of work changes the user meanwhile (%s)', async (what) => {
    const storage = await open()
    const { changes } = storage
    await changes.make(storing(aUser('ada')))
    const made = await beside(
      storage,
      ({ users }) => users.put(aUser('ada', { name: 'by the unit' })),
      () => changes.make(what === 'stores' ? storing(aUser('ada', { name: 'late' })) : deleting('ada', 'a')),
    )
    expect([made, (await find(storage, 'ada'))?.name]).toEqual([undefined, 'by the unit'])
    expect(await trailOf(storage)).toEqual(['user.put ada'])
  })

  it('are given back if a unit of work stores the user whose absence it has seen', async () => {
    const storage = await open()
    const made = await beside(
      storage,
      ({ users }) => users.put(aUser('ada', { name: 'by the unit' })),
      () => storage.changes.make(storing(aUser('ada', { name: 'late' }))),
    )
    expect([made, (await find(storage, 'ada'))?.name]).toEqual([undefined, 'by the unit'])
  })

  it('wait for no user whom a unit of work holds, nor do others wait with it', async () => {
    const storage = await open()
    const { changes } = storage
    for (const id of ['ada', 'bob']) await changes.make(storing(aUser(id)))
    const made = await beside(
      storage,
      async () => expect(await Promise.race([bob, sleep(5_000)])).toMatchObject({ user: { id: 'bob' } }),
      () => {
        bob = changes.make(deleting('bob', 'b'))
        return changes.make(deleting('ada', 'a'))
      },
    )
    expect(made).toBeUndefined()
    expect(await trailOf(storage)).toEqual(['user.put ada', 'user.put bob', 'user.delete bob'])
  })

  it.each([
    ['its token was revoked', ({ accessTokens }: Stores) => accessTokens.revoke({ tokenId: 't', at: 1, until: 9e12 })],
    ['it was stored', ({ users }: Stores) => users.put(aUser('eve'))],
    ['it was stored and deleted', ({ tombstones }: Stores) => tombstones.put('eve' as UserId, aTombstone)],
  ])('are given back if their caller was known by its token alone, and %s', async (_, lower) => {
    const { changes, unitOfWork, readers } = await open()
    const eve = { id: 'eve', roles: ['admin'], roleSource: 'token', channel: 'http', tokenId: 't' } as const
    await changes.make(storing(aUser('ada'), eve))
    await unitOfWork.run(lower)
    const made = [await changes.make(storing(aUser('bob'), eve)), await changes.make(deleting('ada', 'a', eve))]
    expect(made).toEqual([undefined, undefined])
    expect([await readers.users.find('ada' as UserId), await readers.users.find('bob' as UserId)]).toMatchObject([
      { id: 'ada' },
      undefined,
    ])
  })

  it('are given back if another has the address, or two of them want the same, and others go on', async () => {
    const storage = await open()
    const { changes } = storage
    const at = (id: string, email: string) => changes.make(storing(aUser(id, { email, emailKey: email })))
    await at('old', 'x@y.example')
    const taken = await Promise.all([at('new', 'x@y.example'), ...MANY.map((id) => changes.make(storing(aUser(id))))])
    expect(taken.map((made) => made?.user.id)).toEqual([undefined, ...MANY])
    const both = await Promise.all(['one', 'two'].map((id) => at(id, 'z@y.example')))
    expect(both.map((made) => made?.user.id)).toEqual(['one', undefined])
    expect(await trailOf(storage)).toHaveLength(2 + MANY.length)
    expect(await find(storage, 'new')).toBeUndefined()
  })

  it('are refused one by one, and given back if it is not known who the caller is now', async () => {
    const storage = await open()
    const { changes } = storage
    await changes.make(storing(aUser('ada')))
    const refusal = new RangeError('refused')
    const refuse = () => {
      throw refusal
    }
    const settled = await Promise.allSettled([
      changes.make({ ...storing(aUser('bob')), decide: refuse }),
      changes.make({ ...storing(aUser('carol')), decide: () => undefined }),
      changes.make(storing(aUser('dan'))),
      changes.make(storing(aUser('eve'), { id: 'ada', roles: [], roleSource: 'stored', channel: 'http' })),
    ])
    expect(settled).toMatchObject([
      { status: 'rejected', reason: refusal },
      { status: 'fulfilled', value: undefined },
      { status: 'fulfilled', value: { user: { id: 'dan' } } },
      { status: 'fulfilled', value: undefined },
    ])
    expect((await trailOf(storage)).toSorted()).toEqual(['user.put ada', 'user.put dan'])
  })

  it.each(['repeatable read', 'serializable'])('leave one administrator, whatever the level (%s)', async (level) => {
    const url = await sharedDatabase()
    const name = new URL(url).pathname.slice(1)
    const set = (to: string) => lookAt(url, (client) => client.query(`ALTER DATABASE "${name}" ${to}`))
    await set(`SET default_transaction_isolation = '${level}'`)
    onTestFinished(async () => {
      await set('RESET default_transaction_isolation')
    })
    const [one, two] = [await openStorage(url), await openStorage(url)]
    for (const id of ['ada', 'bob']) await one.unitOfWork.run(({ users }) => users.put(aUser(id, { roles: ['admin'] })))
    const erase = (storage: PostgresStorage, id: string) =>
      storage.unitOfWork.run(async ({ users }) => {
        await users.find(id as UserId)
        const left = await users.countWithRole('admin')
        if (left > 1) await users.erase(id as UserId)
        return left
      })
    const left = await Promise.all([erase(one, 'ada'), erase(two, 'bob')])
    expect(left.toSorted()).toEqual([1, 2])
    expect(await one.readers.users.countWithRole('admin')).toBe(1)
  })

  it('go through no table, however many rows there are', async () => {
    const url = await sharedDatabase()
    const { userChanges } = await openStorage(url)
    const changes = userChanges as UserChanges
    await lookAt(url, async (client) => {
      await client.query(`INSERT INTO identity (id) SELECT 'u' || n FROM generate_series(1, 20000) AS n`)
      await client.query(
        `INSERT INTO user_account (id, email, email_key, name, roles, terms, created_at, updated_at)
          SELECT 'u' || n, n || '@x', n || '@x', '', '[]', '[]', 1, 1 FROM generate_series(1, 20000) AS n`,
      )
      const scans = async () => {
        await client.query('SELECT pg_stat_clear_snapshot()')
        const { rows } = await client.query(
          `SELECT coalesce(sum(seq_tup_read), 0)::int AS read FROM pg_stat_user_tables
            WHERE relname IN ('identity', 'user_account', 'access_token', 'subscription', 'audit_record', 'event')`,
        )
        return Number(rows[0]?.read)
      }
      const before = await scans()
      // More often than a plan is made for the values at hand.
      for (let round = 0; round < 8; round++)
        await Promise.all(
          MANY.map((_, n) => {
            const id = `u${1 + round * MANY.length + n}`
            return changes.make(n % 2 ? deleting(id, id) : storing(aUser(id, { name: 'x' })))
          }),
        )
      // Counts reach the server's statistics when the connection is idle.
      await sleep(1_500)
      expect(await scans()).toBe(before)
    })
  })
})
