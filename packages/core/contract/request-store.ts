import { expect, it } from 'vitest'
import { type AskedFeed, type NewRequest, type PublicRequest, unitInbox } from '../src/index.ts'
import { feedName, hashOf, TEXTS, THEN, upTo } from './samples.ts'
import { type StorageUnderTest, storageSuite } from './storage-under-test.ts'

const SOURCE = { via: 'form', clientAddress: '192.0.2.0/24', userAgent: 'curl/8' }

const aSignUp = (email: string, feeds: readonly AskedFeed[] = [askedFeed()]): PublicRequest => ({
  kind: 'sign-up',
  email,
  addressKey: email,
  name: 'Ada',
  locale: 'de-DE',
  source: SOURCE,
  feeds,
  together: false,
})
const askedFeed = (changes: Partial<AskedFeed> = {}): AskedFeed => ({
  feed: feedName('default'),
  wording: 'double-opt-in/1',
  fields: undefined,
  ...changes,
})
const aRequest = (digit: string, changes: Partial<NewRequest> = {}): NewRequest => ({
  at: THEN,
  address: hashOf(digit),
  asked: aSignUp(`${digit}@example.com`),
  traceContext: undefined,
  ...changes,
})

export const requestStoreContract = storageSuite('a store of requests that wait', (storage) => {
  const { run, alike, undone, atOnce, readers, stores } = storage
  const add = (...requests: NewRequest[]) => storage.runEach(requests, (stores, one) => stores.requests.add(one))
  const all = async () => (await alike(({ requests }) => requests.list({ after: 0, limit: 100 }))).items
  const take = (limit: number) => run(({ requests }) => requests.take(limit))
  const takeOf = (...digits: string[]) => run(({ requests }) => requests.takeOf(digits.map(hashOf)))
  const addressesOf = (requests: readonly NewRequest[]) => requests.map(({ address }) => address?.charAt(0))
  const park = (digit: string, n = 0) =>
    run(async ({ requests }) => {
      const found = await requests.ofAddress(hashOf(digit))
      await requests.park(found[n]?.id ?? 0, THEN + 1, 'no such luck')
    })

  it('is empty at first', async () => {
    expect(await all()).toEqual([])
    expect(await alike(({ requests }) => requests.backlog())).toEqual({ ends: undefined, parked: 0 })
    expect(await alike(({ requests }) => requests.count())).toBe(0)
    expect(await take(10)).toEqual([])
    expect(await takeOf('a')).toEqual([])
  })

  it('gives back each kind as it was added', async () => {
    const fields = { company: 'ACME', size: 3.5, member: false }
    const texts = TEXTS.map((name) => ({ ...aSignUp('ada@example.com'), name }))
    const asked: readonly PublicRequest[] = [
      ...texts,
      aSignUp('ada@example.com', [askedFeed({ fields }), askedFeed({ feed: feedName('other') })]),
      { ...aSignUp('ada@example.com'), locale: undefined, together: true } as PublicRequest,
      { kind: 'preferences', addressKey: 'ada@example.com' },
      { kind: 'manage', subscription: Number.MAX_SAFE_INTEGER },
      { kind: 'move', subscription: 1, addressKey: 'ada@example.com' },
      { kind: 'trap', feed: undefined },
      { kind: 'trap', feed: feedName('default') },
    ]
    const traceContext = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'
    await add(...asked.map((one) => aRequest('a', { asked: one })), aRequest('b', { address: undefined, traceContext }))
    const found = await take(100)
    expect(found.map((one) => one.asked)).toEqual([...asked, aSignUp('b@example.com')])
    expect(found.at(-1)).toMatchObject({ at: THEN, address: undefined, traceContext, parkedAt: undefined })
    expect(found[0]).toMatchObject({ address: hashOf('a'), error: undefined })
  })

  it('gives them in the order in which they came, as many as are wanted', async () => {
    await add(aRequest('a'), aRequest('b'), aRequest('a'), aRequest('c'))
    const found = await take(3)
    expect(addressesOf(found)).toEqual(['a', 'b', 'a'])
    const ids = found.map(({ id }) => id)
    expect(ids).toEqual(ids.toSorted((a, b) => a - b))
  })

  it('keeps what was taken and not removed, and what a unit removed that failed', async () => {
    await add(aRequest('a'), aRequest('b'))
    await take(2)
    await undone(async ({ requests }) => requests.remove((await requests.take(2)).map(({ id }) => id)))
    expect(addressesOf(await all())).toEqual(['a', 'b'])
  })

  it('forgets what is removed', async () => {
    await add(aRequest('a'), aRequest('b'), aRequest('c'))
    await run(async ({ requests }) => requests.remove((await requests.take(2)).map(({ id }) => id)))
    await stores.requests.remove([])
    expect(addressesOf(await all())).toEqual(['c'])
  })

  it('gives no id a second time', async () => {
    await add(aRequest('a'))
    const [first] = await all()
    await stores.requests.remove([first?.id ?? 0])
    await add(aRequest('a'))
    expect((await all())[0]?.id).toBeGreaterThan(first?.id ?? 0)
  })

  it('gives those of some addresses alone', async () => {
    await add(aRequest('a'), aRequest('b'), aRequest('c'), aRequest('a'), aRequest('d', { address: undefined }))
    expect(addressesOf(await takeOf('a', 'c', 'e'))).toEqual(['a', 'c', 'a'])
    expect(await takeOf()).toEqual([])
    expect(addressesOf(await alike(({ requests }) => requests.ofAddress(hashOf('a'))))).toEqual(['a', 'a'])
  })

  it('removes all about an address, and says how many', async () => {
    await add(aRequest('a'), aRequest('b'), aRequest('a'))
    await park('a')
    expect(await stores.requests.removeOf(hashOf('a'))).toBe(2)
    expect(await stores.requests.removeOf(hashOf('a'))).toBe(0)
    expect(addressesOf(await all())).toEqual(['b'])
  })

  it('passes over a parked one and those of its address behind it, and over no other', async () => {
    await add(aRequest('a'), aRequest('a'), aRequest('b'), aRequest('a'), aRequest('c', { address: undefined }))
    await park('a', 1)
    expect(addressesOf(await take(10))).toEqual(['a', 'b', undefined])
    expect(addressesOf(await takeOf('a'))).toEqual(['a'])
    expect([await readers.requests.count(), (await readers.requests.backlog()).parked]).toEqual([3, 1])
  })

  it('says why one is parked, lists parked ones apart, and lets them wait for their turn again', async () => {
    await add(aRequest('a'), aRequest('b'))
    await park('b')
    const list = (parked: boolean) => alike(({ requests }) => requests.list({ after: 0, limit: 10, parked }))
    expect((await list(true)).items).toMatchObject([
      { address: hashOf('b'), parkedAt: THEN + 1, error: 'no such luck' },
    ])
    expect(addressesOf((await list(false)).items)).toEqual(['a'])
    const [id = 0] = (await list(true)).items.map((one) => one.id)
    expect([await stores.requests.retry(id), await stores.requests.retry(id)]).toEqual([true, false])
    expect(addressesOf(await take(10))).toEqual(['a', 'b'])
  })

  it('forgets those that were parked long ago, the oldest first, as many as are wanted', async () => {
    await add(aRequest('a'), aRequest('b'), aRequest('c'))
    for (const digit of ['a', 'b']) await park(digit)
    expect(await stores.requests.prune(THEN + 1, 10)).toBe(0)
    expect(await stores.requests.prune(THEN + 2, 1)).toBe(1)
    expect(await stores.requests.prune(THEN + 2, 10)).toBe(1)
    expect(addressesOf(await all())).toEqual(['c'])
  })

  it('lists a page at a time', async () => {
    await add(aRequest('a'), aRequest('b'), aRequest('c'))
    const first = await readers.requests.list({ after: 0, limit: 2 })
    expect(addressesOf(first.items)).toEqual(['a', 'b'])
    const second = await readers.requests.list({ after: first.next ?? 0, limit: 2 })
    expect(addressesOf(second.items)).toEqual(['c'])
    expect(second.next).toBeUndefined()
  })

  it('says how many wait, from which to which, and since when', async () => {
    await add(aRequest('a', { at: THEN }), aRequest('b', { at: THEN + 5 }))
    const ids = (await all()).map(({ id }) => id)
    const ends = { oldest: ids[0], newest: ids[1], since: THEN }
    expect(await alike(({ requests }) => requests.backlog())).toEqual({ ends, parked: 0 })
    expect(await alike(({ requests }) => requests.count())).toBe(2)
  })

  it('gives the turn to one unit at a time, so that each is carried out once', async () => {
    await add(...upTo(40).map((n) => aRequest((n % 16).toString(16))))
    const taken = await atOnce(8, async ({ requests }) => {
      const found = await requests.take(5)
      await requests.remove(found.map(({ id }) => id))
      return found.map(({ id }) => id)
    })
    expect(new Set(taken.flat()).size).toBe(40)
    expect(await all()).toEqual([])
  })
})

export const requestInboxContract = storageSuite('where requests of the public come in', (storage) => {
  const { stores, readers, another } = storage
  const inboxOf = ({ inbox, unitOfWork, readers }: Pick<StorageUnderTest, 'inbox' | 'unitOfWork' | 'readers'>) =>
    inbox ?? unitInbox(unitOfWork, readers)
  const inbox = () => inboxOf(storage)
  const all = async () => (await readers.requests.list({ after: 0, limit: 1_000 })).items

  it('appends one after another in their order', async () => {
    for (const digit of ['a', 'b', 'c']) expect(await inbox().append(aRequest(digit), undefined)).toBe(true)
    expect((await all()).map(({ address }) => address)).toEqual(['a', 'b', 'c'].map(hashOf))
    expect((await all())[0]).toEqual({
      ...aRequest('a'),
      id: expect.any(Number),
      parkedAt: undefined,
      error: undefined,
    })
  })

  it('appends many at once, through two handles', async () => {
    const handles = [inbox(), inboxOf(await another())]
    const given = upTo(200).map((n) => aRequest('a', { asked: aSignUp(`n${n}@example.com`) }))
    await Promise.all(given.map((one, n) => handles[n % 2]?.append(one, undefined)))
    const found = (await all()).map(({ asked }) => ('email' in asked ? asked.email : ''))
    expect(found.toSorted()).toEqual(
      upTo(200)
        .map((n) => `n${n}@example.com`)
        .toSorted(),
    )
  })

  it('takes a challenge once, also where it comes twice in a moment', async () => {
    const challenge = { id: 'c1', expiresAt: THEN + 1 }
    const first = await Promise.all(upTo(5).map(() => inbox().append(aRequest('a'), challenge)))
    expect(first.filter((taken) => taken)).toHaveLength(1)
    expect(await inbox().append(aRequest('a'), challenge)).toBe(false)
    expect(await inboxOf(await another()).append(aRequest('a'), { ...challenge, id: 'c2' })).toBe(true)
    expect(await stores.spentChallenges.spend('c2', THEN)).toBe(false)
    expect(await all()).toHaveLength(2)
  })

  it('knows the feeds, and those that were just stored', async () => {
    const name = feedName('weekly')
    expect((await inbox().feed(feedName('default')))?.name).toBe('default')
    expect(await inbox().feed(name)).toBeUndefined()
    const feed = await readers.feeds.find(feedName('default'))
    if (feed) await stores.feeds.put({ ...feed, name, title: 'Weekly' })
    expect(await inbox().feed(name)).toMatchObject({ title: 'Weekly' })
  })
})
