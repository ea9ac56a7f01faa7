import { expect, it } from 'vitest'
import { memoryDigests } from '../memory/memory-digests.ts'
import { type Counted, counted, Sealer, type Stores, type SubscriptionStatus, subscriptionEvent } from '../src/index.ts'
import { aFeed, aSubscription, begin, feedName, pause, THEN, upTo } from './samples.ts'
import { storageSuite } from './storage-under-test.ts'

const DAY = 86_400_000
const [NEWS, DAILY] = [feedName('news'), feedName('daily')]
const today = Math.floor(THEN / DAY)

export const numbersContract = storageSuite('numbers that are kept', (storage) => {
  const { run, alike, undone, atOnce, outcomesAtOnce, sealed, stores, readers, unitOfWork, another } = storage
  const add = ({ numbers }: Stores, what: Counted, feed = NEWS, at = THEN) => numbers.add([counted(what, feed, at)])
  const foldAll = async () => {
    while ((await stores.numbers.fold(7)) === 7);
  }
  const daily = async (feed = undefined as typeof NEWS | undefined, from = today, to = today) =>
    (await alike((from_) => from_.numbers.daily({ feed, from, to })))
      .map(({ day, what, count }) => `${day - today} ${what} ${count}`)
      .sort()
  const current = async (feeds?: readonly (typeof NEWS)[]) =>
    (await alike((from) => from.numbers.current(feeds)))
      .filter(({ count }) => count !== 0)
      .map(({ feed, status, count }) => `${feed} ${status} ${count}`)
      .sort()
  const ever = async () =>
    (await alike((from) => from.numbers.ever())).map(({ what, count }) => `${what} ${count}`).sort()
  const put = (id: number, status: SubscriptionStatus, feed = NEWS) =>
    run((unit) => begin(unit, aSubscription(id, { status, feed, expiresAt: undefined })))

  it('are nothing before something is added', async () => {
    expect([await daily(), await current(), await ever(), await readers.numbers.hasUnfolded()]).toEqual([
      ...[[], [], []],
      false,
    ])
    expect(await stores.numbers.fold(10)).toBe(0)
  })

  it('are by feed, day and what they are of once what was added is folded, and each is folded once', async () => {
    await run(async (unit) => {
      await unit.numbers.add([
        counted('mailed', NEWS, THEN),
        { ...counted('mailed', NEWS, THEN), count: 4 },
        counted('mailed', DAILY, THEN),
      ])
      await add(unit, 'bounced')
      await add(unit, 'mailed', NEWS, THEN + DAY)
    })
    await run(({ numbers }) => numbers.add([counted('turned-away:unknown-address', undefined, THEN)]))
    expect([await readers.numbers.hasUnfolded(), await daily()]).toEqual([true, []])
    await foldAll()
    await foldAll()
    expect(await readers.numbers.hasUnfolded()).toBe(false)
    expect(await daily()).toEqual(['0 bounced 1', '0 mailed 6', '0 turned-away:unknown-address 1'])
    expect(await daily(NEWS)).toEqual(['0 bounced 1', '0 mailed 5'])
    expect(await daily(NEWS, today, today + 1)).toEqual(['0 bounced 1', '0 mailed 5', '1 mailed 1'])
    expect(await daily(undefined, today + 1, today + 9)).toEqual(['1 mailed 1'])
    expect(await ever()).toEqual(['bounced 1', 'mailed 7', 'turned-away:unknown-address 1'])
  })

  it('have the net growth since any week or 30 days before, of feeds and of all together', async () => {
    const whats = [
      'confirmed',
      'imported:confirmed',
      'ended:unsubscribed',
      'ended:erased',
      'ended:refused',
      'mailed',
    ] as const
    for (const ago of upTo(91))
      await run(({ numbers }) =>
        numbers.add(
          [NEWS, DAILY, undefined].flatMap((feed) => ({
            ...counted(whats[ago % 6] ?? 'mailed', feed, THEN - ago * DAY),
            count: ago,
          })),
        ),
      )
    await foldAll()
    const range = { from: today - 90, to: today }
    const since = async (days: number, feeds: readonly (typeof NEWS)[] | undefined) => {
      const nets = await alike(async ({ numbers }) =>
        (await numbers.net({ feeds, ...range }))
          .filter(({ day }) => day > today - days)
          .map(({ feed, net }) => ({ feed, net })),
      )
      const sums = new Map<string | undefined, number>()
      for (const { feed, net } of nets) sums.set(feed, (sums.get(feed) ?? 0) + net)
      return Object.fromEntries(sums)
    }
    const expected = (days: number) =>
      upTo(days - 1).reduce((sum, ago) => sum + ago * ([1, 1, -1, -1, 0, 0][ago % 6] ?? 0), 0)
    for (const days of [7, 14, 30, 35, 84, 90]) {
      expect([days, await since(days, [NEWS])]).toEqual([days, { news: expected(days) }])
      expect([days, await since(days, undefined)]).toEqual([days, { undefined: 3 * expected(days) }])
    }
    expect(await since(30, [NEWS, DAILY])).toEqual({ news: expected(30), daily: expected(30) })
    expect(await since(30, [])).toEqual({})
  })

  it('are folded so many at a time', async () => {
    for (const n of upTo(5)) await run((unit) => add(unit, 'mailed', NEWS, THEN + n * DAY))
    const folded: number[] = []
    for (const _ of upTo(4)) folded.push(await stores.numbers.fold(2))
    expect(folded).toEqual([2, 2, 1, 0])
    expect(await ever()).toEqual(['mailed 5'])
  })

  it('have what an event adds, with its cause, and the event is stored without it', async () => {
    const { id } = aSubscription(1)
    const append = (
      ...[type, because]: [Parameters<typeof subscriptionEvent>[0], Parameters<typeof subscriptionEvent>[3]?]
    ) => run(({ events }) => events.append(subscriptionEvent(type, { id, feed: NEWS }, THEN, because)))
    await append('subscription.pending')
    await append('subscription.confirmed', 'imported')
    await append('subscription.ended', 'complained')
    await append('subscription.erased', 'ended-before')
    await append('subscription.updated')
    expect(await sealed.numbers.daily({ feed: NEWS, from: today, to: today })).toHaveLength(3)
    expect(await daily(NEWS)).toEqual(['0 ended:complained 1', '0 imported:confirmed 1', '0 requested 1'])
    for (const event of (await readers.events.list({ after: 0, limit: 9 })).items)
      expect(Object.keys(event)).not.toContain('because')
  })

  it('follow what becomes of subscriptions, whatever changes them', async () => {
    await put(1, 'pending')
    await put(2, 'pending')
    await put(3, 'confirmed')
    await put(4, 'ended', DAILY)
    expect(await sealed.numbers.current(undefined)).toHaveLength(3)
    expect(await current()).toEqual(['daily ended 1', 'news confirmed 1', 'news pending 2'])
    await put(1, 'confirmed')
    await put(2, 'pending')
    await run(async (unit) => {
      await begin(unit, aSubscription(5, { feed: NEWS }))
      await unit.subscriptions.put(aSubscription(5, { feed: NEWS, status: 'confirmed' }))
      await unit.subscriptions.erase(3)
      await unit.subscriptions.erase(99)
    })
    await foldAll()
    expect(await current()).toEqual(['daily ended 1', 'news confirmed 2', 'news pending 1'])
    expect(await current([DAILY])).toEqual(['daily ended 1'])
    expect(await current([])).toEqual([])
    expect(await current([DAILY, NEWS, feedName('other')])).toHaveLength(3)
  })

  it('have nothing of a unit that threw', async () => {
    await put(1, 'pending')
    await undone(async (unit) => {
      await unit.subscriptions.erase(1)
      await add(unit, 'mailed')
    })
    await foldAll()
    expect([await current(), await ever()]).toEqual([['news pending 1'], []])
  })

  it('are as they were after a fold that was undone', async () => {
    await put(1, 'pending')
    await run((unit) => add(unit, 'mailed'))
    await undone(({ numbers }) => numbers.fold(9))
    expect([await current(), await ever(), await readers.numbers.hasUnfolded()]).toEqual([[], [], true])
    await foldAll()
    expect([await current(), await ever()]).toEqual([['news pending 1'], ['mailed 1']])
  })

  it('lose nothing and count nothing twice while many add and several fold, some of which are undone', async () => {
    const other = await another()
    const sealers = [{ unitOfWork, readers }, other].map(
      (one) => new Sealer({ ...one, clock: { now: () => Date.now() }, digests: memoryDigests('contract') }),
    )
    let open = true
    const adding = outcomesAtOnce(90, async (unit, n) => {
      await begin(unit, aSubscription(n, { feed: n % 2 ? NEWS : DAILY, expiresAt: undefined }))
      await add(unit, 'mailed', n % 2 ? NEWS : DAILY)
      if (n % 9 === 0) throw new Error('on purpose')
    }).finally(() => {
      open = false
    })
    const folding = sealers.map(async (one) => {
      while (open) {
        await one.seal()
        await undone(({ numbers }) => numbers.fold(3))
        await pause(1)
      }
    })
    const { errors } = await adding
    await Promise.all(folding)
    await atOnce(8, ({ numbers }) => numbers.fold(1_000))
    expect(errors).toHaveLength(10)
    expect(await current()).toEqual(['daily pending 40', 'news pending 40'])
    expect(await daily(NEWS)).toEqual(['0 mailed 40'])
    expect(await ever()).toEqual(['mailed 80'])
  })

  it('are forgotten with their feed, folded or not, and with no other', async () => {
    await stores.feeds.put(aFeed('news'))
    for (const feed of [NEWS, DAILY]) await run((unit) => add(unit, 'mailed', feed))
    await put(1, 'pending')
    await foldAll()
    await run((unit) => add(unit, 'bounced'))
    await run(async (unit) => {
      await unit.subscriptions.erase(1)
      await unit.numbers.forget(NEWS)
    })
    await foldAll()
    expect([await daily(NEWS), await current([NEWS]), await daily(DAILY)]).toEqual([[], [], ['0 mailed 1']])
    expect(await daily()).toEqual(['0 mailed 1'])
    // What there ever was has no feed, and never falls.
    expect(await ever()).toEqual(['bounced 1', 'mailed 2'])
  })
})
