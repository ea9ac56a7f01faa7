import { readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import type { AddressHash, FeedName, Stores, Subscription, UserId } from '@rollcall/core'
import { describe, expect, it, onTestFinished } from 'vitest'
import { Connection } from '../src/sqlite/driver.ts'
import type { SqliteStorage } from '../src/sqlite/index.ts'
import { aTombstone } from './a-tombstone.ts'
import { newDatabase, openStorage } from './temporary-storage.ts'

const logOf = (file: string): number => statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0
// Raised whenever the log is written from its beginning again. @see https://sqlite.org/walformat.html
const generationOf = (file: string): number => readFileSync(`${file}-wal`).readUInt32BE(12)
const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1)
const MEBIBYTE = 2 ** 20

const subscribe = async ({ subscriptions, consents, outbox }: Stores, person: string, id: number): Promise<void> => {
  const feed = 'default' as FeedName
  const email = `${person}@example.com`
  await subscriptions.locate({ feed, addressKey: email, fingerprint: person, candidate: () => id })
  const times = { createdAt: 1, expiresAt: 2 }
  const mail = { kind: 'confirmation', messageId: `${id}.m`, notBefore: 1, address: 'hash' as AddressHash } as const
  const subscription: Subscription = {
    ...{
      id,
      feed,
      email,
      addressKey: email,
      address: mail.address,
      name: person,
      locale: undefined,
      status: 'pending',
      episode: 'e',
    },
    ...{ ...times, confirmedAt: undefined, endedAt: undefined },
    lastMail: await outbox.add({ ...mail, ...times, subscriptionId: id }),
  }
  await subscriptions.put(subscription)
  const source = { via: 'form', clientAddress: undefined, userAgent: `${person}'s browser` }
  await consents.append(id, { at: 1, deed: 'requested', wording: 'w', language: undefined, count: 1, ...source })
}

const addUser = ({ users }: Stores, person: string) =>
  users.put({
    ...{ id: `id-${person.length}-${person.slice(-3)}` as UserId, email: `${person}@Example.com`, name: person },
    ...{ emailKey: `${person}@example.com`, roles: ['admin'], createdAt: 1, updatedAt: 1 },
  })

/** The bytes of every file in the folder of the database. */
const bytesBeside = (file: string): string =>
  readdirSync(path.dirname(file))
    .map((name) => readFileSync(path.join(path.dirname(file), name), 'latin1'))
    .join('')

const spoken = (n: number): string => `zq${n.toString(36)}unmistakable${(n * 7919).toString(36)}zq`

describe('what was erased', () => {
  const fill = async (storage: SqliteStorage) => {
    const people = upTo(40).map(spoken)
    await Promise.all(
      people.map((person, n) =>
        storage.unitOfWork.run(async (stores) => {
          await subscribe(stores, person, 1_000 * (((n + 1) * 17) % 41) + n)
          await addUser(stores, `${person}x${n}`)
        }),
      ),
    )
    return people
  }

  it('is in no byte of any file, once the log has been emptied', async () => {
    const file = await newDatabase()
    const storage = await openStorage(file)
    const people = await fill(storage)
    await storage.truncateLog()
    const everything = bytesBeside(file)
    for (const person of people) expect(everything).toContain(person)
    const [gone = '', changed = '', ...others] = people
    await storage.unitOfWork.run(async (stores) => {
      const { items } = await stores.users.list({ after: 0, limit: 200 })
      for (const user of items) {
        if (user.name.includes(gone)) await stores.users.erase(user.id)
        if (user.name.includes(changed)) await stores.users.put({ ...user, name: '', email: 'n@x', emailKey: 'n@x' })
      }
      const expired = await stores.subscriptions.expired(2, 200)
      for (const subscription of expired) {
        const { id, name } = subscription
        if (name === gone) await stores.subscriptions.erase(id)
        // One longer, so that it moves within its page.
        else if (name !== changed) await stores.subscriptions.put({ ...subscription, locale: 'de-CH' })
        else {
          await stores.subscriptions.erase(id)
          await stores.outbox.remove(subscription.lastMail ?? 0)
        }
      }
    })
    expect(bytesBeside(file)).toContain(gone)
    expect(await storage.truncateLog()).toBe(true)
    const rest = bytesBeside(file)
    for (const person of [gone, changed]) expect(rest.includes(person)).toBe(false)
    for (const person of others) expect(rest).toContain(person)
  })

  it('is in no byte of any file after a stop, and after the start that follows a crash', async () => {
    const file = await newDatabase()
    const storage = await openStorage(file)
    const people = await fill(storage)
    const reading = new Connection(file)
    onTestFinished(() => {
      reading.close()
    })
    await storage.unitOfWork.run(async ({ users, subscriptions }) => {
      for (const { id } of (await users.list({ after: 0, limit: 200 })).items) await users.erase(id)
      for (const { id } of await subscriptions.expired(2, 200)) await subscriptions.erase(id)
    })
    // Another connection keeps the log alive, as a crash would.
    expect(logOf(file)).toBeGreaterThan(0)
    await storage.close()
    expect(logOf(file)).toBe(0)
    for (const person of people) expect(bytesBeside(file).includes(person)).toBe(false)

    const first = await openStorage(file)
    await first.unitOfWork.run(({ tombstones }) => tombstones.put('trace' as UserId, aTombstone))
    expect(logOf(file)).toBeGreaterThan(0)
    await openStorage(file)
    expect(logOf(file)).toBe(0)
  })
})

describe('what is done about erasures every few seconds', () => {
  const ada = { id: 'ada' as UserId, email: 'a@x', emailKey: 'a@x', name: 'Ada', roles: [], createdAt: 1, updatedAt: 1 }

  it('leaves a log alone to which rows were only added, and mails and events came and went', async () => {
    const file = await newDatabase()
    const storage = await openStorage(file)
    await storage.completeErasure()
    expect(logOf(file)).toBe(0)
    await storage.unitOfWork.run((stores) => subscribe(stores, 'person', 1))
    await storage.unitOfWork.run(({ users }) => users.put(ada))
    await storage.unitOfWork.run(async ({ outbox, events }) => {
      const [mail] = await outbox.claim({ owner: 'me', limit: 1, leaseFor: 1_000 })
      await outbox.remove(mail?.id ?? 0)
      await events.append({ type: 'subscription.pending', subject: '1', at: 1 })
    })
    const before = logOf(file)
    expect(await storage.completeErasure()).toBe(true)
    expect(logOf(file)).toBe(before)
    expect(before).toBeGreaterThan(0)
  })

  it('empties it once anything was erased or changed, here or by another process', async () => {
    const file = await newDatabase()
    const storage = await openStorage(file)
    const another = await openStorage(file)
    const { unitOfWork } = storage
    await unitOfWork.run(({ users }) => users.put(ada))
    await unitOfWork.run((stores) => subscribe(stores, 'person', 1))
    const changes: (() => Promise<unknown>)[] = [
      () => unitOfWork.run(({ users }) => users.put({ ...ada, name: 'Ada Lovelace' })),
      () => unitOfWork.run(async ({ users }) => void (await users.erase(ada.id))),
      () => unitOfWork.run(({ subscriptions }) => subscriptions.erase(1)),
      () => another.unitOfWork.run(({ users }) => users.put({ ...ada, name: 'another' })),
      async () => {
        await another.unitOfWork.run(({ users }) => users.put({ ...ada, name: 'one more' }))
        await unitOfWork.run((stores) => subscribe(stores, 'second', 2))
      },
      () => another.unitOfWork.run(async ({ users }) => void (await users.erase(ada.id))),
    ]
    for (const change of changes) {
      await storage.completeErasure()
      await change()
      expect(logOf(file)).toBeGreaterThan(0)
      expect(await storage.completeErasure()).toBe(true)
      expect(logOf(file)).toBe(0)
    }
  })
})

describe('the log', () => {
  it('is emptied while units run, and fails none of them', async () => {
    const file = await newDatabase()
    const storage = await openStorage(file)
    let over = false
    const units = upTo(10).map(async (caller) => {
      let n = 0
      while (!over)
        await storage.unitOfWork.run(({ tombstones }) => tombstones.put(`${caller}-${n++}` as UserId, aTombstone))
      return n
    })
    for (const _ of upTo(10)) expect(await storage.truncateLog()).toBe(true)
    over = true
    const counts = await Promise.all(units)
    const written = counts.reduce((sum, count) => sum + count, 0)
    await storage.close()
    const database = new Connection(file, { readonly: true })
    onTestFinished(() => {
      database.close()
    })
    expect(database.prepare('SELECT count(*) FROM identity').pluck().get()).toBe(written)
  })

  it('is restarted while units keep coming, so that it does not grow for ever', async () => {
    const file = await newDatabase()
    const storage = await openStorage(file)
    await storage.unitOfWork.run((stores) => subscribe(stores, 'first', 1))
    const before = generationOf(file)
    for (let round = 1; generationOf(file) === before; round++) {
      expect(round).toBeLessThan(200)
      await Promise.all(
        upTo(200).map((n) => {
          // Spread over the index, and long: each unit writes several pages.
          const id = ((round * 200 + n) * 2_654_435_761) % 2 ** 40
          return storage.unitOfWork.run((stores) => subscribe(stores, `${round}-${n}`.repeat(400), id))
        }),
      )
    }
    expect(logOf(file)).toBeGreaterThan(MEBIBYTE)
    expect(await storage.truncateLog()).toBe(true)
    expect(logOf(file)).toBe(0)
  })

  it('is said not to be empty while somebody reads an older state, and is emptied afterwards', async () => {
    const file = await newDatabase()
    const storage = await openStorage(file)
    const reading = new Connection(file, { readonly: true })
    onTestFinished(() => {
      reading.close()
    })
    const add = (id: string) => storage.unitOfWork.run(({ tombstones }) => tombstones.put(id as UserId, aTombstone))
    await add('a')
    reading.exec('BEGIN')
    reading.prepare('SELECT * FROM identity').all()
    await add('b')
    expect(await storage.truncateLog()).toBe(false)
    await add('c')
    reading.exec('COMMIT')
    expect(await storage.truncateLog()).toBe(true)
    expect(logOf(file)).toBe(0)
  })
})
