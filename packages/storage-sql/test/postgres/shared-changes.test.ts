import type { FeedName, Stores, SubscriptionId, UserId } from '@rollcall/core'
import { describe, expect, it } from 'vitest'
import {
  addressOf,
  aSubscription,
  aUser,
  countCommits,
  erase,
  eventsOf,
  note,
  open,
  put,
  trailOf,
} from './changes-of-users.ts'
import { openStorage, sharedDatabase } from './temporary-storage.ts'

// Few enough for one batch.
const MANY = Array.from({ length: 38 }, (_, n) => `user-${n}`)

describe('changes of users at the same time', () => {
  it('share a transaction, and one trail', async () => {
    const storage = await open()
    const { unitOfWork, readers } = storage
    const commits = countCommits()
    const added = await Promise.all(MANY.map((id) => unitOfWork.run((stores) => put(stores, aUser(id)))))
    expect(new Set(added)).toEqual(new Set(['created']))
    expect(commits()).toBe(1)
    const mixed = await Promise.all(
      MANY.map((id, n) =>
        unitOfWork.run((stores) =>
          n % 2 ? erase(stores, id) : put(stores, aUser(id, { name: 'changed', roles: ['auditor', 'auditor'] })),
        ),
      ),
    )
    expect(mixed).toEqual(MANY.map((_, n) => (n % 2 ? 'erased' : 'updated')))
    expect(commits()).toBe(2)
    expect((await trailOf(storage)).toSorted()).toEqual(
      MANY.flatMap((id, n) => [`user.put ${id}`, `user.${n % 2 ? 'delete' : 'put'} ${id}`]).toSorted(),
    )
    expect(await eventsOf(storage)).toHaveLength(2 * MANY.length)
    expect(await readers.users.countWithRole('auditor')).toBe(MANY.length / 2)
    for (const [n, id] of MANY.entries()) {
      const found = await readers.users.find(id as UserId)
      expect([id, found?.name]).toEqual([id, n % 2 ? undefined : 'changed'])
      expect((await readers.tombstones.find(id as UserId)) !== undefined).toBe(n % 2 === 1)
    }
  })

  it('share one also where access tokens of the users are listed, which go with them', async () => {
    const { unitOfWork, readers } = await open()
    const tokens = (id: string) => (MANY.indexOf(id) % 3 === 0 ? [1, 2] : [])
    await Promise.all(MANY.map((id) => unitOfWork.run((stores) => put(stores, aUser(id)))))
    await unitOfWork.run(async ({ accessTokens }) => {
      const token = { roles: [], feeds: undefined, label: '', issuedBy: 'root', issuedAt: 1, expiresAt: 2 }
      for (const subject of [...MANY, 'stays'])
        for (const n of subject === 'stays' ? [1] : tokens(subject))
          await accessTokens.add({
            ...{ ...token, tokenId: `${subject} ${n}`, subject },
            ...{ lastUsedAt: undefined, revokedAt: undefined },
          })
    })
    const commits = countCommits()
    const erased = await Promise.all(
      MANY.map((id) =>
        unitOfWork.run(async (stores) => {
          await erase(stores, id)
          return await stores.accessTokens.eraseOf(id)
        }),
      ),
    )
    expect(erased).toEqual(MANY.map((id) => tokens(id).length))
    expect(commits()).toBe(1)
    const { items } = await readers.accessTokens.list({ after: 0, limit: 200 })
    expect(items.map(({ subject }) => subject)).toEqual(['stays'])
  })

  it('share one also where sessions of the console or links to it are of the users, which go with them', async () => {
    const { unitOfWork, readers } = await open()
    await Promise.all(MANY.map((id) => unitOfWork.run((stores) => put(stores, aUser(id)))))
    const session = {
      ...{ door: 'link' as const, roleSource: 'stored' as const, roles: [], feeds: undefined, tokenId: undefined },
      ...{ issuedAt: 1, createdAt: 1, seenAt: 1, expiresAt: 2 },
    }
    await unitOfWork.run(async ({ consoleSessions, loginLinks }) => {
      for (const subject of [MANY[0], MANY[1], 'stays'] as string[])
        for (const id of [`${subject} 1`, `${subject} 2`])
          await consoleSessions.add({ ...session, id, subject, secretHash: `hash of ${id}` })
      for (const subject of [MANY[1], MANY[2], 'stays'] as string[])
        await loginLinks.add({ ...session, secretHash: subject, subject })
    })
    const commits = countCommits()
    await Promise.all(
      MANY.map((id) =>
        unitOfWork.run(async (stores) => {
          await erase(stores, id)
          await stores.consoleSessions.eraseOf(id)
          await stores.loginLinks.eraseOf(id)
        }),
      ),
    )
    expect(commits()).toBe(1)
    const { items } = await readers.consoleSessions.list({ after: 0, limit: 9 })
    expect(items.map(({ id }) => id)).toEqual(['stays 1', 'stays 2'])
    const links = await unitOfWork.run(({ loginLinks }) =>
      Promise.all([MANY[1], MANY[2], 'stays'].map((hash = '') => loginLinks.find(hash))),
    )
    expect(links.map((link) => link?.subject)).toEqual([undefined, undefined, 'stays'])
  })

  it('do not share where tokens are erased of what is no stored user, or twice', async () => {
    const { unitOfWork } = await open()
    await unitOfWork.run((stores) => put(stores, aUser('ada')))
    const twice = unitOfWork.run(async ({ accessTokens }) => [
      await accessTokens.eraseOf('ada'),
      await accessTokens.eraseOf('ada'),
      await accessTokens.eraseOf('unknown'),
    ])
    expect(await twice).toEqual([0, 0, 0])
  })

  it('share one also where they are held for a while, or have subscriptions, kept or erased', async () => {
    const { unitOfWork, readers } = await open()
    const idOf = (id: string) => 1 + MANY.indexOf(id)
    const identityOf = (id: string) => ({
      feed: 'default' as FeedName,
      addressKey: `${id}@example.com`,
      fingerprint: id,
      candidate: () => idOf(id) as SubscriptionId,
    })
    await Promise.all(MANY.map((id) => unitOfWork.run((stores) => put(stores, aUser(id)))))
    await unitOfWork.run(async ({ subscriptions }) => {
      for (const id of MANY) {
        await subscriptions.locate(identityOf(id))
        await subscriptions.put(aSubscription(idOf(id), `${id}@example.com`))
      }
    })
    const commits = countCommits()
    const kept = await Promise.all(
      MANY.map((id, n) =>
        unitOfWork.run(async (stores) => {
          const user = await stores.users.find(id as UserId)
          const [subscription] = await stores.subscriptions.ofAddress(addressOf(`${id}@example.com`))
          if (subscription && n % 2) {
            expect(await stores.keptMails.list(subscription.id)).toEqual([])
            await stores.subscriptions.erase(subscription.id)
          }
          await erase(stores, id)
          if (user) await stores.heldUsers.add({ user, deletedAt: 1, erasesAt: 2, subscriptions: 'keep' })
          return subscription?.email
        }),
      ),
    )
    expect(kept).toEqual(MANY.map((id) => `${id}@example.com`))
    expect(commits()).toBe(1)
    expect((await readers.subscriptions.list({ after: 0, limit: 100 })).items).toHaveLength(MANY.length / 2)
    const held = await unitOfWork.run(({ heldUsers }) => heldUsers.due(2, 100))
    expect(held.map(({ user }) => user)).toEqual(MANY.toSorted().map((id) => aUser(id)))
    expect(await readers.users.list({ after: 0, limit: 1 })).toEqual({ items: [], next: undefined })
  })

  it('share one with as many subscriptions as have room in the lock table, and the others do not', async () => {
    const { unitOfWork, readers } = await open()
    const few = MANY.slice(0, 4)
    const addressKeyOf = (id: string) => `${id}@example.com`
    await Promise.all(few.map((id) => unitOfWork.run((stores) => put(stores, aUser(id)))))
    await unitOfWork.run(async ({ subscriptions }) => {
      for (const [n, id] of few.entries())
        for (let feed = 0; feed < 150; feed++)
          await subscriptions.put({
            ...aSubscription(1_000 * n + feed + 1, addressKeyOf(id)),
            feed: `f${feed}` as FeedName,
          })
    })
    const commits = countCommits()
    await Promise.all(
      few.map((id) =>
        unitOfWork.run(async (stores) => {
          await stores.users.find(id as UserId)
          const found = await stores.subscriptions.ofAddress(addressOf(addressKeyOf(id)))
          expect(found.map(({ feed }) => feed)).toEqual(found.map((_, n) => `f${n}`))
          for (const { id } of found) await stores.subscriptions.erase(id)
          await erase(stores, id)
        }),
      ),
    )
    expect(commits()).toBe(3)
    expect(await readers.subscriptions.list({ after: 0, limit: 1 })).toEqual({ items: [], next: undefined })
  })

  it('stay where another fails after its record, which is left out of the trail', async () => {
    const storage = await open()
    const { unitOfWork } = storage
    const commits = countCommits()
    const runs = MANY.map((id, n) =>
      unitOfWork.run(async (stores) => {
        await put(stores, aUser(id))
        if (n % 3 === 0) throw new RangeError(id)
      }),
    )
    const settled = await Promise.allSettled(runs)
    expect(commits()).toBe(1)
    expect(settled.map(({ status }) => status)).toEqual(MANY.map((_, n) => (n % 3 === 0 ? 'rejected' : 'fulfilled')))
    expect(settled[3]).toEqual({ status: 'rejected', reason: new RangeError('user-3') })
    const stayed = MANY.filter((_, n) => n % 3 !== 0)
    expect(await trailOf(storage)).toEqual(stayed.map((id) => `user.put ${id}`))
    expect(await eventsOf(storage)).toEqual(stayed.map((id) => `user.created ${id}`))
  })

  it('of one user act as if they had come one after another', async () => {
    const storage = await open()
    const { unitOfWork } = storage
    const outcomes = await Promise.all(
      Array.from({ length: 10 }, (_, n) =>
        unitOfWork.run((stores) => (n === 4 ? erase(stores, 'ada') : put(stores, aUser('ada', { name: `${n}` })))),
      ),
    )
    const trail = await trailOf(storage)
    // Whatever came after the deletion was refused.
    const expected: string[] = []
    for (const entry of trail)
      expected.push(entry.endsWith('delete ada') ? 'erased' : expected.length ? 'updated' : 'created')
    expect(outcomes.filter((outcome) => outcome !== 'deleted' && outcome !== 'absent').toSorted()).toEqual(
      expected.toSorted(),
    )
    const erased = trail.indexOf('user.delete ada')
    expect(erased === -1 || erased === trail.length - 1).toBe(true)
    expect(outcomes.includes('deleted')).toBe(erased !== -1 && trail.length < 10)
    expect(await eventsOf(storage)).toHaveLength(trail.length)
  })

  it('never take an address twice, nor one that is taken, and others go on', async () => {
    const storage = await open()
    const { unitOfWork, readers } = storage
    await unitOfWork.run((stores) => put(stores, aUser('old', { email: 'x@y.example', emailKey: 'x@y.example' })))
    const wanted = ['x', 'z', 'z', 'z', 'x'].map((name) => `${name}@y.example`)
    const runs = [
      ...wanted.map((email, n) => unitOfWork.run((stores) => put(stores, aUser(`n${n}`, { email, emailKey: email })))),
      ...MANY.map((id) => unitOfWork.run((stores) => put(stores, aUser(id)))),
    ]
    const settled = await Promise.allSettled(runs)
    const failed = settled.flatMap((run) => (run.status === 'rejected' ? [run.reason.name] : []))
    expect(failed).toEqual(Array(4).fill('EmailTaken'))
    expect(settled.slice(5).every(({ status }) => status === 'fulfilled')).toBe(true)
    expect((await readers.users.list({ after: 0, limit: 100 })).items).toHaveLength(MANY.length + 2)
    expect(await trailOf(storage)).toHaveLength(MANY.length + 2)
  })

  it('leave one administrator, also beside changes that share', async () => {
    const storage = await open()
    const { unitOfWork, readers } = storage
    for (const id of MANY)
      await unitOfWork.run((stores) => put(stores, aUser(id, { roles: MANY.indexOf(id) < 5 ? ['admin'] : [] })))
    const outcomes = await Promise.all(MANY.map((id) => unitOfWork.run((stores) => erase(stores, id))))
    expect(outcomes.slice(0, 5).toSorted()).toEqual(['erased', 'erased', 'erased', 'erased', 'last'])
    expect(outcomes.slice(5).every((outcome) => outcome === 'erased')).toBe(true)
    expect(await readers.users.countWithRole('admin')).toBe(1)
    expect(await trailOf(storage)).toHaveLength(2 * MANY.length - 1)
  })

  it('of two instances make one trail', async () => {
    const url = await sharedDatabase()
    const [one, two] = [await openStorage(url), await openStorage(url)]
    for (const change of [(stores: Stores, id: string) => put(stores, aUser(id)), erase]) {
      const runs = MANY.map((id, n) => (n % 2 ? one : two).unitOfWork.run((stores) => change(stores, id)))
      await Promise.all(runs)
    }
    expect(await trailOf(one)).toHaveLength(2 * MANY.length)
    expect((await eventsOf(two)).toSorted()).toEqual(
      MANY.flatMap((id) => [`user.created ${id}`, `user.deleted ${id}`]).toSorted(),
    )
  })

  it('see what they have written themselves, in a transaction of their own', async () => {
    const { unitOfWork } = await open()
    const seen = await unitOfWork.run(async (stores) => {
      await stores.users.put(aUser('ada'))
      const first = await note(stores, 'user.put', 'ada')
      const second = await note(stores, 'user.put', 'ada')
      await stores.users.put(aUser('ada', { name: 'Ada' }))
      const { name } = (await stores.users.find('ada' as UserId)) ?? {}
      await stores.users.erase('ada' as UserId)
      const gone = (await stores.users.find('ada' as UserId)) === undefined
      return { name, gone, inOrder: first < second }
    })
    expect(seen).toEqual({ name: 'Ada', gone: true, inOrder: true })
  })
})
