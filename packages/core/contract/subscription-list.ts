import { expect, it } from 'vitest'
import type { Evidence, Page, Stores, Subscription, SubscriptionFilter, SubscriptionReader } from '../src/index.ts'
import { aConsent, aFeed, anIdentity, aSubscription, begin, feedName, hashOf, upTo } from './samples.ts'
import { storageSuite } from './storage-under-test.ts'

const FEEDS = ['default', 'news', 'rare', 'empty'].map(feedName)
const STATUSES = ['pending', 'confirmed', 'ended'] as const

type Filter = Pick<SubscriptionFilter, 'feed' | 'status'>

/** No filter, each feed, each status, and each feed with each status. */
const FILTERS: readonly Filter[] = [undefined, ...FEEDS].flatMap((feed) =>
  [undefined, ...STATUSES].map((status) => ({ feed, status })),
)

const matches =
  ({ feed, status }: Filter) =>
  (one: Subscription) =>
    (feed === undefined || one.feed === feed) && (status === undefined || one.status === status)

// Ids fall where places rise: sorting by the wrong one fails.
const SUBSCRIPTIONS = upTo(36).map((n) =>
  aSubscription(1_000 - 7 * n, {
    feed: FEEDS[n % 17 === 0 ? 2 : n % 2] ?? feedName('default'),
    status: STATUSES[(n * n) % 3 === 0 ? 2 : n % 5 === 0 ? 1 : 0] ?? 'pending',
  }),
)

const EVIDENCE: readonly Evidence[] = SUBSCRIPTIONS.map((subscription, n) => ({
  subscription,
  consents: upTo(n % 4).map((m) => aConsent({ via: `${subscription.id} ${m}`, at: 1_000 - m, count: m })),
}))

export const subscriptionListContract = storageSuite('a list of subscriptions', ({ run, stores, readers }) => {
  const fill = () =>
    run(async (stores) => {
      for (const name of FEEDS) if (name !== 'default') await stores.feeds.put(aFeed(name))
      for (const { subscription, consents } of EVIDENCE) {
        await begin(stores, subscription)
        for (const consent of consents) await stores.consents.append(subscription.id, consent)
      }
    })
  const list = (filter: Partial<SubscriptionFilter> = {}) =>
    readers.subscriptions.list({ after: 0, limit: 50, ...filter })
  const idsOf = async (filter: Partial<SubscriptionFilter> = {}) => (await list(filter)).items.map(({ id }) => id)

  it('finds those of many ids that exist, each once, also within a unit', async () => {
    await fill()
    const [one, two] = [SUBSCRIPTIONS[3], SUBSCRIPTIONS[20]]
    const ids = [one?.id ?? 0, 999_999, two?.id ?? 0, one?.id ?? 0]
    const sorted = (found: readonly Subscription[]) => found.toSorted((a, b) => a.id - b.id)
    const expected = sorted([one, two].filter((found) => found !== undefined))
    expect(sorted(await readers.subscriptions.findMany(ids))).toEqual(expected)
    expect(await readers.subscriptions.findMany([])).toEqual([])
    expect(sorted(await run(({ subscriptions }) => subscriptions.findMany(ids)))).toEqual(expected)
  })

  /** Every item, stretch by stretch, as a list and with its evidence. */
  const walk = async (subscriptions: SubscriptionReader, filter: Filter, limit: number) => {
    const listed: Subscription[] = []
    const evidence: Evidence[] = []
    for (let after: number | undefined = 0; after !== undefined; ) {
      const page = await subscriptions.list({ ...filter, after, limit })
      const proven = await subscriptions.listEvidence({ ...filter, after, limit })
      expect(proven.next).toBe(page.next)
      if (page.next !== undefined) expect(page.items).toHaveLength(limit)
      listed.push(...page.items)
      evidence.push(...proven.items)
      after = page.next
    }
    return { listed, evidence }
  }

  it('is empty without subscriptions, whichever filter is set', async () => {
    for (const filter of FILTERS) {
      const empty = { items: [], next: undefined }
      expect(await list(filter)).toEqual(empty)
      expect(await readers.subscriptions.listEvidence({ ...filter, after: 0, limit: 5 })).toEqual(empty)
    }
  })

  const expectAll = async (subscriptions: SubscriptionReader, limits: readonly number[]) => {
    for (const filter of FILTERS)
      for (const limit of limits) {
        const { listed, evidence } = await walk(subscriptions, filter, limit)
        expect(listed).toEqual(SUBSCRIPTIONS.filter(matches(filter)))
        expect(evidence).toEqual(EVIDENCE.filter(({ subscription }) => matches(filter)(subscription)))
      }
  }

  it('gives each that matches once, oldest first, with its consent records as appended, however long the stretches are', async () => {
    await fill()
    await expectAll(readers.subscriptions, [1, 5, 36, 200])
  })

  it('gives a unit of work what it gives readers', async () => {
    await fill()
    await run(({ subscriptions }) => expectAll(subscriptions, [7]))
  })

  it('shows a unit of work what it has changed itself', async () => {
    await fill()
    const seen = await run(async (stores) => {
      const { subscriptions, consents } = stores
      await begin(stores, aSubscription(1, { status: 'confirmed', feed: feedName('rare') }))
      await consents.append(1, aConsent({ via: 'just now' }))
      return await subscriptions.listEvidence({ after: 0, limit: 5, feed: feedName('rare'), status: 'confirmed' })
    })
    expect(seen.items.at(-1)?.subscription.id).toBe(1)
    expect(seen.items.at(-1)?.consents).toEqual([aConsent({ via: 'just now' })])
  })

  it('is at its end with the last that matches, even if the stretch is full or others follow', async () => {
    await run((stores) =>
      begin(stores, ...upTo(4).map((n) => aSubscription(n, n === 4 ? {} : { status: 'confirmed' }))),
    )
    expect((await list({ status: 'confirmed', limit: 3 })).next).toBeUndefined()
    expect((await list({ limit: 4 })).next).toBeUndefined()
    expect((await list({ limit: 3 })).next).toBeDefined()
  })

  it('keeps the place of one that changes, and moves it from filter to filter', async () => {
    await fill()
    const [first, second] = SUBSCRIPTIONS
    if (!first || !second) throw new Error('There are two.')
    const changed: Subscription = { ...first, status: 'ended', name: 'changed', lastMail: 7 }
    await stores.subscriptions.put(changed)
    expect((await list({ limit: 2 })).items).toEqual([changed, second])
    expect((await list({ status: first.status })).items).not.toContainEqual(changed)
    expect((await list({ status: 'ended' })).items[0]).toEqual(changed)
    expect((await list({ feed: first.feed, status: 'ended' })).items[0]).toEqual(changed)
  })

  it('neither repeats nor hides another when one is changed or erased between two stretches', async () => {
    const ids = upTo(9)
    for (const filter of [{}, { feed: feedName('default') }, { status: 'pending' as const }]) {
      await run(async (stores) => {
        for (const { id } of (await stores.subscriptions.list({ after: 0, limit: 200 })).items)
          await stores.subscriptions.erase(id)
        await begin(stores, ...ids.map((n) => aSubscription(n)))
      })
      const { items, next } = await list({ ...filter, limit: 4 })
      expect(items.map(({ id }) => id)).toEqual(ids.slice(0, 4))
      await run(async ({ subscriptions }) => {
        await subscriptions.erase(2)
        // The very one that the cursor stands at, and the one that would be the next.
        await subscriptions.erase(4)
        await subscriptions.erase(5)
        await subscriptions.put(aSubscription(1, { name: 'changed' }))
        await subscriptions.put(aSubscription(7, { name: 'changed' }))
      })
      expect(await idsOf({ ...filter, after: next ?? 0 })).toEqual([6, 7, 8, 9])
    }
  })

  it('ends a walk by status with what has that status when its turn comes', async () => {
    await run((stores) => begin(stores, ...upTo(6).map((n) => aSubscription(n))))
    const { next } = await list({ status: 'pending', limit: 2 })
    await run(async ({ subscriptions }) => {
      for (const id of [1, 3, 4])
        await subscriptions.put(aSubscription(id, { status: 'confirmed', expiresAt: undefined }))
    })
    expect(await idsOf({ status: 'pending', after: next ?? 0 })).toEqual([5, 6])
    expect(await idsOf({ status: 'confirmed' })).toEqual([1, 3, 4])
  })

  it('never gives the place of an erased one to another', async () => {
    await run((stores) => begin(stores, ...upTo(3).map((n) => aSubscription(n))))
    const { next } = await list({ limit: 2 })
    await stores.subscriptions.erase(3)
    await run((stores) => begin(stores, aSubscription(4)))
    expect(await idsOf({ after: next ?? 0 })).toEqual([4])
    await run((stores) => begin(stores, aSubscription(3)))
    expect(await idsOf()).toEqual([1, 2, 4, 3])
  })

  it('gives those of one address alone, also of a feed and a status, stretch by stretch', async () => {
    await fill()
    const address = hashOf('e')
    const own = FEEDS.slice(0, 3).map((feed, n) =>
      aSubscription(5_000 - n, { feed, address, status: STATUSES[n % 2] ?? 'pending' }),
    )
    await run((stores) => begin(stores, ...own))
    for (const filter of FILTERS) {
      const expected = own.filter(matches(filter)).map(({ id }) => id)
      expect(await idsOf({ ...filter, address })).toEqual(expected)
      expect(await idsOf({ ...filter, address: hashOf('f') })).toEqual([])
    }
    const first = await list({ address, limit: 2 })
    expect(await idsOf({ address, limit: 2, after: first.next ?? 0 })).toEqual([own[2]?.id])
  })

  const DOWN = { after: Number.MAX_SAFE_INTEGER, downwards: true }

  it('gives each that matches once, newest first where it is asked to, however long the stretches are', async () => {
    await fill()
    for (const filter of FILTERS)
      for (const limit of [1, 5, 200]) {
        const listed: Subscription[] = []
        for (let after: number | undefined = DOWN.after; after !== undefined; ) {
          const page: Page<Subscription> = await readers.subscriptions.list({
            ...filter,
            after,
            limit,
            downwards: true,
          })
          listed.push(...page.items)
          after = page.next
        }
        expect(listed).toEqual(SUBSCRIPTIONS.filter(matches(filter)).reverse())
      }
  })

  it('neither repeats nor hides another, newest first, when some are added, changed or erased', async () => {
    await run((stores) => begin(stores, ...upTo(9).map((n) => aSubscription(n))))
    const { items, next } = await list({ ...DOWN, limit: 4 })
    expect(items.map(({ id }) => id)).toEqual([9, 8, 7, 6])
    await run(async (stores) => {
      await begin(stores, aSubscription(10))
      for (const id of [8, 6, 5]) await stores.subscriptions.erase(id)
      await stores.subscriptions.put(aSubscription(3, { name: 'changed' }))
    })
    expect(await idsOf({ ...DOWN, after: next ?? 0 })).toEqual([4, 3, 2, 1])
  })

  it('finds by the beginning of the address, its domain and words of the name, with every filter and in both orders', async () => {
    await fill()
    const ada = (id: number, changes: Partial<Subscription> = {}) =>
      aSubscription(id, { name: 'Ada Lovelace', email: `a${id}@Sea.example`, ...changes })
    const own = FEEDS.slice(0, 3).flatMap((feed, n) =>
      STATUSES.map((status, m) => ada(5_000 - 10 * n - m, { feed, status })),
    )
    await run((stores) => begin(stores, ...own, ada(7_000, { name: "O'Neill, Zoë", email: 'zoe@elsewhere.example' })))
    for (const filter of FILTERS) {
      const expected = own.filter(matches(filter)).map(({ id }) => id)
      for (const words of [['lovelace'], ['ada', 'love'], ['sea.example'], ['a', 'sea', 'lovelace']]) {
        expect(await idsOf({ ...filter, words })).toEqual(expected)
        expect(await idsOf({ ...filter, ...DOWN, words })).toEqual(expected.toReversed())
        const first = await list({ ...filter, words, limit: 2 })
        expect(first.items.map(({ id }) => id)).toEqual(expected.slice(0, 2))
        if (first.next !== undefined)
          expect(await idsOf({ ...filter, words, after: first.next })).toEqual(expected.slice(2))
      }
    }
    expect(await idsOf({ words: ['a5000@sea.example'] })).toEqual([5_000])
    for (const words of [['zoe'], ['neill'], ["o'ne"], ['zoe', 'elsewhere']])
      expect(await idsOf({ words })).toEqual([7_000])
    for (const words of [['velace'], ['ada', 'zoe'], ['xample'], ['%'], ['lovelace'.concat('s')]])
      expect(await idsOf({ words })).toEqual([])
  })

  it('forgets what one was found by once it changes, or is erased', async () => {
    await run((stores) => begin(stores, aSubscription(1, { name: 'Before' }), aSubscription(2, { name: 'Before' })))
    await stores.subscriptions.put(aSubscription(1, { name: 'Behind' }))
    expect(await idsOf({ words: ['before'] })).toEqual([2])
    expect(await idsOf({ words: ['behind'] })).toEqual([1])
    await stores.subscriptions.erase(1)
    await run((stores) => begin(stores, aSubscription(1)))
    expect(await idsOf({ words: ['behind'] })).toEqual([])
    expect(await idsOf({ words: ['s1@example.com'] })).toEqual([1])
  })

  it('finds those that are put as a set, new ones and changed ones, with fields and without', async () => {
    const fields = { company: 'ACME' }
    const before = (id: number, changes: Partial<Subscription> = {}) =>
      aSubscription(id, { name: 'Before', ...changes })
    await run((stores) => begin(stores, before(1), before(2, { fields }), before(3)))
    const address = hashOf('f')
    const set = [
      aSubscription(1, { name: 'Behind' }),
      aSubscription(2, { name: 'Behind', fields }),
      aSubscription(4, { name: 'Behind', address }),
      aSubscription(5, { name: 'Behind', address, feed: feedName('rare'), fields }),
    ]
    const putSet = async ({ subscriptions }: Stores) => {
      await subscriptions.locateMany(set.map((one) => anIdentity(one, [one.id])))
      await subscriptions.put(...set)
      return await subscriptions.ofAddress(address)
    }
    expect(await run(putSet)).toEqual(set.slice(2))
    expect(await idsOf({ words: ['behind'] })).toEqual([1, 2, 4, 5])
    expect(await idsOf({ words: ['before'] })).toEqual([3])
    expect(await idsOf({ address })).toEqual([4, 5])
    expect((await list({ words: ['behind'] })).items).toEqual(set)
  })
})
