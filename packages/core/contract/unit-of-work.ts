import { expect, it } from 'vitest'
import { counted, Unavailable, type User } from '../src/index.ts'
import {
  aConsent,
  aFeed,
  aMail,
  anAuditEntry,
  anEvent,
  aSubscription,
  aTombstone,
  aUser,
  begin,
  hashOf,
  outcomesOf,
  THEN,
  upTo,
  userId,
} from './samples.ts'
import { storageSuite } from './storage-under-test.ts'

export const unitOfWorkContract = storageSuite('a unit of work', (storage) => {
  const { run, undone, atOnce, stores, readers, another, dispose } = storage
  const nameOf = async (id: string) => (await readers.users.find(userId(id)))?.name

  it('resolves with what the work resolves with', async () => {
    const result = { any: 'value' }
    expect(await run(async () => result)).toBe(result)
    expect(await run(async () => undefined)).toBeUndefined()
  })

  it('shows readers everything it did as soon as it has resolved, on every handle', async () => {
    const other = await another()
    for (const id of ['a', 'b', 'c']) {
      await stores.users.put(aUser(id))
      expect(await readers.users.find(userId(id))).toEqual(aUser(id))
      expect(await other.readers.users.find(userId(id))).toEqual(aUser(id))
    }
  })

  it('sees its own changes before they are committed', async () => {
    const seen = await run(async ({ users }) => {
      await users.put(aUser('a'))
      await users.put(aUser('a', { name: 'Changed' }))
      return await users.find(userId('a'))
    })
    expect(seen?.name).toBe('Changed')
  })

  it('leaves nothing in any store if it throws', async () => {
    const before = aSubscription(1, { expiresAt: undefined })
    await run((stores) => begin(stores, before))
    await stores.users.put(aUser('before'))
    await undone(async (stores) => {
      await stores.audit.append(anAuditEntry())
      await stores.consents.append(1, aConsent())
      await stores.events.append(anEvent('1'))
      await stores.feeds.put(aFeed('news'))
      await stores.keptMails.add(1, 'kept')
      await stores.mailCaps.put(new Map([[hashOf('a'), [{ at: 1, messageId: 'm' }]]]))
      await stores.outbox.add(aMail('m'))
      await stores.numbers.add([counted('turned-away:honeypot', undefined, THEN)])
      await stores.spentChallenges.spend('a', THEN)
      await stores.subscriptions.erase(1)
      await begin(stores, aSubscription(2))
      await stores.suppressions.add(hashOf('a'), { cause: 'refused', since: 1 })
      await stores.tombstones.put(userId('gone'), aTombstone)
      await stores.users.put(aUser('after'))
      await stores.users.erase(userId('before'))
    })
    const found = await run(async (stores) => [
      ...(await stores.audit.unsealed({ after: 0, limit: 1 })).items,
      (await stores.consents.lastOf([1])).get(1),
      (await stores.events.hasUnnumbered()) || undefined,
      await stores.feeds.find(aFeed('news').name),
      ...(await stores.keptMails.list(1)),
      ...(await stores.mailCaps.slotsOf([hashOf('a')])),
      ...(await stores.outbox.list({ after: 0, limit: 1 })).items,
      await stores.subscriptions.find(2),
      (await stores.spentChallenges.spend('a', THEN)) ? undefined : 'spent',
      ...(await stores.suppressions.findMany([hashOf('a')])),
      (await stores.tombstones.has(userId('gone'))) || undefined,
      await stores.users.find(userId('after')),
    ])
    expect(found.filter((value) => value !== undefined)).toEqual([])
    // What the subscription is counted by, and nothing else.
    expect(await stores.numbers.fold(9)).toBe(1)
    expect(await readers.numbers.ever()).toEqual([])
    expect(await readers.subscriptions.find(1)).toEqual(before)
    expect(await readers.users.find(userId('before'))).toEqual(aUser('before'))
  })

  it('comes out with the very error that the work threw, whether it was thrown or rejected', async () => {
    const thrown = Object.freeze(new TypeError('as it was'))
    const after = run(async ({ users }) => {
      await users.put(aUser('a'))
      throw thrown
    })
    const atOnce = run(() => {
      throw thrown
    })
    const { errors } = await outcomesOf([after, atOnce])
    for (const error of errors) expect(error).toBe(thrown)
    expect(errors).toHaveLength(2)
  })

  it('undoes only itself when it throws, while its neighbours commit', async () => {
    const write = (n: number) =>
      run(async ({ users }) => {
        await users.put(aUser(`u${n}`))
        if (n % 3 === 0) throw new Error(`unit ${n}`)
        await users.put(aUser(`u${n}`, { name: 'whole' }))
        return n
      })
    const { values, errors } = await outcomesOf(upTo(60).map(write))
    expect(values).toEqual(upTo(60).filter((n) => n % 3 !== 0))
    expect(errors.map((error) => (error as Error).message)).toEqual(upTo(20).map((n) => `unit ${3 * n}`))
    for (const n of upTo(60)) expect(await nameOf(`u${n}`)).toBe(n % 3 === 0 ? undefined : 'whole')
  })

  it('goes on after a unit whose store refused', async () => {
    await stores.users.put(aUser('a'))
    const taken = stores.users.put(aUser('b', { emailKey: aUser('a').emailKey }))
    const next = stores.users.put(aUser('c'))
    await expect(taken).rejects.toThrow()
    await next
    expect(await nameOf('c')).toBe('')
  })

  it('acts as if units ran one after another: no change gets lost, on any number of handles', async () => {
    await stores.users.put(aUser('counter', { name: '0' }))
    await atOnce(60, async ({ users }) => {
      const counter = await users.find(userId('counter'))
      await users.countWithRole('admin')
      await users.put(aUser('counter', { name: String(Number(counter?.name) + 1) }))
    })
    expect(await nameOf('counter')).toBe('60')
  })

  it('keeps true until its end what it has read', async () => {
    const other = await another()
    await stores.users.put(aUser('a', { name: '0', roles: ['admin'] }))
    const reading = run(async ({ users }) => {
      const seen = new Set<string | undefined>()
      for (const _ of upTo(20)) {
        seen.add((await users.find(userId('a')))?.name)
        seen.add(`${await users.countWithRole('admin')} administrators`)
      }
      return seen.size
    })
    const writing = [storage, other].flatMap(({ unitOfWork }) =>
      upTo(5).map((n) =>
        unitOfWork.run(async ({ users }) => {
          await users.put(aUser('a', { name: `${n}`, roles: [] }))
          await users.put(aUser(`b${n}`, { roles: ['admin'] }))
        }),
      ),
    )
    expect(await reading).toBe(2)
    await Promise.all(writing)
  })

  it('shows no reader what is not committed', async () => {
    let reading: Promise<unknown> = Promise.resolve()
    await undone(async ({ users }) => {
      await users.put(aUser('a'))
      reading = readers.users.find(userId('a'))
      await users.put(aUser('b'))
      await users.find(userId('b'))
    })
    expect(await reading).toBeUndefined()
  })

  it('shows no reader the middle of a unit', async () => {
    const handles = [storage, await another()]
    const readings: Promise<User | undefined>[] = []
    // Begun, not awaited: a reader may wait for the unit, but the unit may wait for no reader.
    const look = () => {
      for (const { readers } of handles) readings.push(readers.users.find(userId('a')))
    }
    for (const _ of upTo(20)) {
      await run(async ({ users }) => {
        await users.put(aUser('a', { name: 'half' }))
        look()
        await users.find(userId('a'))
        look()
        await users.put(aUser('a', { name: 'whole' }))
      })
      look()
    }
    const seen = new Set((await Promise.all(readings)).map((user) => user?.name))
    seen.delete(undefined)
    expect([...seen]).toEqual(['whole'])
  })

  it('is `Unavailable` once its storage is closed, and so is every reader', async () => {
    await dispose()
    await expect(run(async ({ users }) => users.find(userId('a')))).rejects.toBeInstanceOf(Unavailable)
    const { audit, events, feeds, numbers, outbox, subscriptions, suppressions, users } = readers
    const stretch = { after: 0, limit: 1 }
    const lists = [audit, events, feeds, subscriptions, suppressions].map((reader) => reader.list(stretch))
    const looks = [outbox.health(), subscriptions.find(1), numbers.ever(), users.accountStatus('a')]
    const { values, errors } = await outcomesOf<unknown>([...lists, ...looks])
    expect(values).toEqual([])
    for (const error of errors) expect(error).toBeInstanceOf(Unavailable)
  })
})
