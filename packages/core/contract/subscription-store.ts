import { expect, it } from 'vitest'
import type { AddressHash, FieldValues, Subscription } from '../src/index.ts'
import { aConsent, aFeed, anIdentity, aSubscription, begin, feedName, hashOf, TEXTS, THEN, upTo } from './samples.ts'
import { storageSuite } from './storage-under-test.ts'

const LARGEST_ID = Number.MAX_SAFE_INTEGER

export const subscriptionStoreContract = storageSuite(
  'a subscription store',
  ({ run, runEach, alike, atOnce, stores }) => {
    const find = (id: number) => alike(({ subscriptions }) => subscriptions.find(id))
    const put = (...all: Subscription[]) => run((stores) => begin(stores, ...all))

    it('finds nothing where there is no such subscription', async () => {
      expect(await find(1)).toBeUndefined()
      expect(await find(LARGEST_ID)).toBeUndefined()
    })

    it('gives back every subscription exactly as it was put', async () => {
      const all = TEXTS.map((text, n) =>
        aSubscription(n + 1, {
          email: `${text}@x`,
          addressKey: `${text}@x`,
          name: text,
          locale: n % 2 ? 'de' : undefined,
        }),
      )
      await put(...all)
      for (const subscription of all) expect(await find(subscription.id)).toEqual(subscription)
    })

    it('gives back every time, or its absence, in each status', async () => {
      const all = [
        aSubscription(1, { createdAt: 0, expiresAt: THEN, lastMail: 7, preferencesMail: 8 }),
        aSubscription(2, { status: 'confirmed', confirmedAt: THEN, expiresAt: undefined, episode: 'ffffffffffffffff' }),
        aSubscription(3, { status: 'ended', confirmedAt: THEN, endedAt: THEN + 1, expiresAt: undefined }),
        aSubscription(4, { status: 'ended', endedAt: 0, expiresAt: undefined }),
      ]
      await put(...all)
      for (const subscription of all) expect(await find(subscription.id)).toEqual(subscription)
    })

    it('gives back the values of fields, changes them and takes them away, in one unit or in several', async () => {
      const values = { text: TEXTS.join(' '), yes: true, no: false, number: -2.5, day: '2024-02-29', constructor: 'x' }
      const full = aSubscription(1, { fields: values })
      await put(full, aSubscription(2), aSubscription(3, { fields: { a: '1' } }))
      expect(await find(1)).toEqual(full)
      const changes: (FieldValues | undefined)[] = [{ b: 2 }, undefined, { c: true }]
      await runEach(changes, async ({ subscriptions }, fields) => {
        await subscriptions.put(aSubscription(1, { fields }))
        await subscriptions.put(aSubscription(2, { fields, status: 'confirmed' }))
      })
      expect([await find(1), await find(2)]).toMatchObject([{ fields: { c: true } }, { fields: { c: true } }])
      for (const more of [{}, { name: 'Ada' }, { fields: { d: 'e' } }])
        for (const id of [1, 2, 3]) {
          await stores.subscriptions.put(aSubscription(id, more))
          expect(await find(id)).toEqual(aSubscription(id, more))
        }
    })

    it('takes ids up to 2^53-1', async () => {
      await put(aSubscription(LARGEST_ID), aSubscription(LARGEST_ID - 1))
      expect((await find(LARGEST_ID))?.id).toBe(LARGEST_ID)
      expect(await find(LARGEST_ID - 1)).toEqual(aSubscription(LARGEST_ID - 1))
      expect(await find(LARGEST_ID - 2)).toBeUndefined()
    })

    it('replaces the subscription with the same id', async () => {
      await put(aSubscription(1, { name: 'before', locale: 'de', lastMail: 1 }))
      const after = aSubscription(1, { name: 'after', status: 'confirmed', confirmedAt: 5, expiresAt: undefined })
      await stores.subscriptions.put(after)
      expect(await find(1)).toEqual(after)
    })

    it('finds, looked up side by side within one unit, each that is there, and nothing else', async () => {
      const all = upTo(40).map((id) => aSubscription(id))
      await put(...all.filter(({ id }) => id % 2 === 0))
      const located = await run(({ subscriptions }) =>
        Promise.all(all.map((one) => subscriptions.locate(anIdentity(one, [one.id])))),
      )
      expect(located).toEqual(all.map((one) => ({ id: one.id, subscription: one.id % 2 === 0 ? one : undefined })))
    })

    it('gives a unit what that unit has put, changed and erased so far, with what hangs on it', async () => {
      const [first, second] = [aSubscription(1), aSubscription(2)]
      await run(async (stores) => {
        const { subscriptions, consents } = stores
        await begin(stores, first, second)
        await consents.append(1, aConsent({ via: 'one' }))
        expect(await subscriptions.find(1)).toEqual(first)
        expect(await consents.list(1)).toEqual([aConsent({ via: 'one' })])
        await subscriptions.put({ ...first, name: 'changed' })
        await consents.append(1, aConsent({ via: 'two' }))
        expect(await consents.lastOf([1])).toEqual(new Map([[1, aConsent({ via: 'two' })]]))
        await subscriptions.erase(2)
        expect(await subscriptions.find(2)).toBeUndefined()
        await begin(stores, second)
        expect(await consents.list(2)).toEqual([])
        expect((await subscriptions.list({ after: 0, limit: 10 })).items).toHaveLength(2)
      })
      expect(await find(1)).toEqual({ ...first, name: 'changed' })
      expect(await find(2)).toEqual(second)
    })

    it('keeps apart the same address on two feeds, and two addresses on one', async () => {
      await stores.feeds.put(aFeed('news'))
      const all = [
        aSubscription(1, { addressKey: 'a@x' }),
        aSubscription(2, { addressKey: 'b@x' }),
        aSubscription(3, { addressKey: 'a@x', feed: feedName('news') }),
      ]
      await put(...all)
      for (const subscription of all) {
        const located = await stores.subscriptions.locate(anIdentity(subscription, [subscription.id]))
        expect(located).toEqual({ id: subscription.id, subscription })
      }
    })

    it('finds every subscription of an address by its hash, oldest first, and none of another', async () => {
      await stores.feeds.put(aFeed('news'))
      await stores.feeds.put(aFeed('rare'))
      const [address, other] = [hashOf('a'), hashOf('b')]
      const all = [
        aSubscription(9, { address, feed: feedName('news') }),
        aSubscription(5, { address: other, addressKey: 'b@x' }),
        aSubscription(3, { address, status: 'ended' }),
        aSubscription(7, { address, feed: feedName('rare'), fields: { a: '1' } }),
      ]
      await put(...all)
      const found = (hash: AddressHash) => alike(({ subscriptions }) => subscriptions.ofAddress(hash))
      expect(await found(address)).toEqual([all[0], all[2], all[3]])
      expect(await found(other)).toEqual([all[1]])
      expect(await found(hashOf('c'))).toEqual([])
      const changed = await run(async ({ subscriptions }) => {
        await subscriptions.erase(9)
        await subscriptions.put({ ...aSubscription(3, { address }), name: 'changed' })
        return await subscriptions.ofAddress(address)
      })
      expect(changed.map(({ id, name }) => [id, name])).toEqual([
        [3, 'changed'],
        [7, ''],
      ])
    })

    it('keeps others from adding to an address or changing it, once a unit has asked for all of it', async () => {
      const address = hashOf('a')
      await put(aSubscription(1, { address }))
      const counts = await atOnce(6, async (stores, n) => {
        const before = await stores.subscriptions.ofAddress(address)
        await begin(stores, aSubscription(10 + n, { address, name: `${before.length}` }))
        return before.length
      })
      expect(counts.toSorted()).toEqual([1, 2, 3, 4, 5, 6])
    })

    it('erases a subscription with its consent records and kept mails, and nothing else', async () => {
      await put(aSubscription(1), aSubscription(2))
      await runEach([1, 2], async ({ consents, keptMails }, id) => {
        await consents.append(id, aConsent())
        await keptMails.add(id, `mail-${id}`)
      })
      await runEach([1, 99], ({ subscriptions }, id) => subscriptions.erase(id))
      expect(await find(1)).toBeUndefined()
      expect(await find(2)).toEqual(aSubscription(2))
      // What hung on the erased one must not come back with a new one of the same id.
      await put(aSubscription(1))
      const hanging = await run(async ({ consents, keptMails }) => ({
        erased: [await consents.list(1), await keptMails.list(1)],
        other: [await consents.list(2), await keptMails.list(2)],
      }))
      expect(hanging).toEqual({ erased: [[], []], other: [[aConsent()], ['mail-2']] })
    })

    it('gives the pending ones that have expired, soonest first, up to a limit', async () => {
      await put(
        aSubscription(1, { expiresAt: 300 }),
        aSubscription(2, { expiresAt: 100 }),
        aSubscription(3, { expiresAt: 201 }),
        aSubscription(4, { expiresAt: 200 }),
        aSubscription(5, { status: 'confirmed', expiresAt: undefined }),
        aSubscription(6, { status: 'ended', expiresAt: 50 }),
        aSubscription(7, { expiresAt: undefined }),
      )
      const expired = async (now: number, limit: number) =>
        (await stores.subscriptions.expired(now, limit)).map(({ id }) => id)
      expect(await expired(200, 10)).toEqual([2, 4])
      expect(await expired(300, 3)).toEqual([2, 4, 3])
      expect(await expired(300, 10)).toEqual([2, 4, 3, 1])
      expect(await expired(99, 10)).toEqual([])
    })

    it('gives no longer as expired what was confirmed, ended, prolonged or erased', async () => {
      await put(aSubscription(1), aSubscription(2), aSubscription(3), aSubscription(4))
      await run(async ({ subscriptions }) => {
        await subscriptions.put(aSubscription(1, { status: 'confirmed', expiresAt: undefined }))
        await subscriptions.put(aSubscription(2, { status: 'ended', expiresAt: undefined }))
        await subscriptions.put(aSubscription(3, { expiresAt: THEN + 5_000 }))
        await subscriptions.erase(4)
      })
      expect(await stores.subscriptions.expired(THEN + 2_000, 10)).toEqual([])
    })
  },
)

export const consentStoreContract = storageSuite('a consent store', ({ run, runEach, alike, stores }) => {
  const subscribe = (...ids: number[]) => run((stores) => begin(stores, ...ids.map((id) => aSubscription(id))))
  const list = (id: number) => stores.consents.list(id)

  it('has nothing where nothing was recorded', async () => {
    await subscribe(1)
    expect(await list(1)).toEqual([])
    expect(await stores.consents.lastOf([1])).toEqual(new Map())
  })

  it('gives back every record exactly, oldest first, whatever time it bears', async () => {
    await subscribe(1, 2)
    const records = TEXTS.map((text, n) =>
      aConsent({
        at: 1_000 - n,
        deed: (['requested', 'confirmed', 'refused', 'ended'] as const)[n % 4] ?? 'ended',
        via: text,
        clientAddress: n % 2 ? '192.0.2.0/24' : undefined,
        userAgent: n % 3 ? text : undefined,
        wording: text,
        language: n % 2 ? undefined : 'de-CH',
        count: n + 1,
      }),
    )
    await run(async ({ consents }) => {
      for (const record of records) await consents.append(1, record)
      await consents.append(2, aConsent({ via: 'other' }))
    })
    expect(await list(1)).toEqual(records)
    expect(await stores.consents.lastOf([1, 3, 2, 1])).toEqual(
      new Map([
        [1, records.at(-1)],
        [2, aConsent({ via: 'other' })],
      ]),
    )
    expect(await list(2)).toEqual([aConsent({ via: 'other' })])
  })

  it('counts a repetition in the last record of that subscription alone', async () => {
    await subscribe(1, 2)
    await run(async ({ consents }) => {
      await consents.append(1, aConsent({ via: 'first' }))
      await consents.append(1, aConsent({ via: 'last' }))
      await consents.append(2, aConsent())
    })
    await Promise.all(upTo(5).map(() => stores.consents.countRepetition(1)))
    expect(await list(1)).toEqual([aConsent({ via: 'first' }), aConsent({ via: 'last', count: 6 })])
    expect(await list(2)).toEqual([aConsent()])
  })

  it('gives a reader each subscription with its records, and nothing for an unknown id', async () => {
    await subscribe(1, 2)
    const records = upTo(3).map((n) => aConsent({ via: `${n}` }))
    await runEach(records, ({ consents }, record) => consents.append(1, record))
    const find = (id: number) => alike(({ subscriptions }) => subscriptions.findEvidence(id))
    expect(await find(1)).toEqual({ subscription: aSubscription(1), consents: records })
    expect(await find(2)).toEqual({ subscription: aSubscription(2), consents: [] })
    expect(await find(3)).toBeUndefined()
  })
})

export const keptMailStoreContract = storageSuite('a kept mail store', ({ run, stores }) => {
  const list = async (id: number) => [...(await stores.keptMails.list(id))].sort()

  it('lists what was added, per subscription', async () => {
    await run(async (stores) => {
      const { keptMails } = stores
      await begin(stores, aSubscription(1), aSubscription(2))
      await keptMails.add(1, 'b')
      await keptMails.add(1, 'a')
      await keptMails.add(2, 'c')
    })
    expect(await list(1)).toEqual(['a', 'b'])
    expect(await list(2)).toEqual(['c'])
    expect(await list(3)).toEqual([])
  })

  it('changes nothing when a mail is added again, as a mail that was sent twice is', async () => {
    await run((stores) => begin(stores, aSubscription(1)))
    for (const _ of [1, 2]) await stores.keptMails.add(1, 'a')
    expect(await list(1)).toEqual(['a'])
  })
})
