import { describe, expect, it, vi } from 'vitest'
import { openMemoryService } from '../memory/index.ts'
import { type DeleteFeedCommand, type FeedDeletion, FeedInUse, FeedNotFound, PreconditionFailed } from '../src/index.ts'
import {
  ADMIN,
  AUDITOR,
  auditOf,
  confirm,
  consentsOf,
  deliver,
  mailedToken,
  mailsOf,
  outboxOf,
  type Service,
  stored,
  subscribe,
} from './cast.ts'
import { isParked, waitingIn } from './waiting.ts'

const remove = (at: Service, command: Partial<DeleteFeedCommand> = {}, who = ADMIN): Promise<FeedDeletion> =>
  at.useCases.deleteFeed.execute({ name: 'news', ...command }, who)
const feedNamesOf = async ({ useCases }: Service) =>
  (await useCases.listFeeds.execute({}, ADMIN)).items.map(({ name }) => name)
const trailOf = async (at: Service) =>
  (await auditOf(at)).flatMap(({ action, outcome, reason }) => (action === 'feed.delete' ? [[outcome, reason]] : []))

const withNews = async (subscriptions = 0) => {
  const at = openMemoryService()
  await at.useCases.putFeed.execute({ name: 'news' }, ADMIN)
  for (let n = 1; n <= subscriptions; n++) await subscribe(at, `s${n}@example.com`, { feed: 'news' })
  return at
}

/** A deletion that was stopped after its first unit that erased something. */
const stopped = async (at: Service): Promise<void> => {
  vi.spyOn(at.transport, 'forget').mockImplementationOnce(async () => {
    vi.spyOn(at.storage.unitOfWork, 'run').mockRejectedValueOnce(new Error('killed'))
  })
  await expect(remove(at, { subscriptions: 'erase' })).rejects.toThrow('killed')
}

describe('deleting a feed', () => {
  it('takes the forms of its subscribers along that could not be carried out', async () => {
    const at = await withNews(1)
    await isParked(at, 's1@example.com', { feeds: ['news'] })
    await remove(at, { subscriptions: 'erase' })
    expect(await waitingIn(at)).toEqual([])
  })

  it.each([[['offers']], [['news', 'offers']]])('leaves a form that asked for another feed, too: %j', async (feeds) => {
    for (const feed of ['news', 'default']) {
      const at = await withNews(1)
      await at.useCases.putFeed.execute({ name: 'offers' }, ADMIN)
      await subscribe(at, 's1@example.com', { feed })
      await isParked(at, 's1@example.com', { feeds })
      await remove(at, { subscriptions: 'erase' })
      expect(await waitingIn(at)).toEqual(['s1@example.com'])
    }
  })

  it('removes one without subscriptions, whatever shall become of them', async () => {
    for (const subscriptions of [undefined, 'erase'] as const) {
      const at = await withNews()
      expect(await remove(at, { subscriptions, reason: 'over' })).toEqual({ name: 'news', subscriptionsErased: 0 })
      expect(await feedNamesOf(at)).toEqual(['default'])
      expect(await trailOf(at)).toEqual([['done', 'over']])
    }
  })

  it('leaves one with subscriptions alone, unless they shall be erased, too; the attempt is in the trail', async () => {
    const at = await withNews(1)
    await expect(remove(at)).rejects.toBeInstanceOf(FeedInUse)
    await subscribe(at, 'later@example.com', { feed: 'news' })
    await at.useCases.refusals.flush()
    expect(await trailOf(at)).toEqual([['FeedInUse', undefined]])
  })

  it('looks into few feeds in one unit, however many there are and whatever is known of addresses', async () => {
    for (const [reported, most] of [
      [false, 50],
      [true, 2 * 301],
    ] as const) {
      const at = await withNews(60)
      for (let n = 0; n < 299; n++) await at.useCases.putFeed.execute({ name: `feed-${n}` }, ADMIN)
      const { items } = await at.useCases.listSubscriptions.execute({ limit: 60 }, ADMIN)
      const bounces = items.map(({ id }) => ({ kind: 'bounce', subscription: String(id), status: '4.2.2' }))
      if (reported) await at.useCases.recordFeedback.execute({ items: bounces }, ADMIN)
      const lookups: number[] = []
      const run = at.storage.unitOfWork.run.bind(at.storage.unitOfWork)
      vi.spyOn(at.storage.unitOfWork, 'run').mockImplementation((work) =>
        run((stores) => {
          const place = lookups.push(0) - 1
          const locate = (...asked: Parameters<typeof stores.subscriptions.locate>) => {
            lookups[place] = (lookups[place] ?? 0) + 1
            return stores.subscriptions.locate(...asked)
          }
          return work({ ...stores, subscriptions: { ...stores.subscriptions, locate } })
        }),
      )
      expect(await remove(at, { subscriptions: 'erase' })).toMatchObject({ subscriptionsErased: 60 })
      expect(Math.max(...lookups)).toBeLessThanOrEqual(most)
      expect(await at.storage.readers.deliverability.list({ after: 0, limit: 1 })).toMatchObject({ items: [] })
    }
  })

  it('forgets of addresses that have no other subscription what senders reported', async () => {
    const at = await withNews(2)
    await subscribe(at, 's2@example.com')
    const items = [1, 2].map((n) => ({
      ...{ kind: 'bounce' as const, address: `s${n}@example.com`, permanent: true, status: '5.1.1' },
    }))
    await at.useCases.recordFeedback.execute({ items }, ADMIN)
    const known = async () => (await at.useCases.listUndeliverable.execute({}, ADMIN)).items.length
    expect(await known()).toBe(2)
    await remove(at, { subscriptions: 'erase' })
    expect(await known()).toBe(1)
  })

  it("never removes 'default'", async () => {
    const at = openMemoryService()
    for (const subscriptions of [undefined, 'erase'] as const)
      await expect(remove(at, { name: 'default', subscriptions })).rejects.toBeInstanceOf(FeedInUse)
    await subscribe(at, 'ada@example.com')
  })

  it('checks permission, feed and reason, in that order', async () => {
    const at = await withNews(1)
    const hopeless = { reason: 'x'.repeat(501), precondition: () => false }
    await expect(remove(at, { name: 'none', ...hopeless }, AUDITOR)).rejects.toThrow('Changing feeds requires')
    for (const name of ['none', 'No Name', ''])
      await expect(remove(at, { name, ...hopeless })).rejects.toBeInstanceOf(FeedNotFound)
    await expect(remove(at, hopeless)).rejects.toBeInstanceOf(PreconditionFailed)
    await expect(remove(at, { reason: 'x'.repeat(501) })).rejects.toThrow("Correct 'reason'")
    expect(await feedNamesOf(at)).toEqual(['default', 'news'])
  })

  it('erases its subscriptions with all that hangs on them, and none of other feeds, and says how many', async () => {
    const at = await withNews(3)
    await deliver(at)
    const { id } = await subscribe(at, 'waiting@example.com', { feed: 'news' })
    const other = await subscribe(at, 's1@example.com')
    expect(await remove(at, { subscriptions: 'erase', reason: 'over' })).toEqual({
      name: 'news',
      subscriptionsErased: 4,
    })
    expect(await feedNamesOf(at)).toEqual(['default'])
    expect(mailsOf(at)).toEqual([])
    expect((await outboxOf(at)).map(({ subscriptionId }) => subscriptionId)).toEqual([other.id])
    expect(await consentsOf(at, id)).toEqual([])
    expect(await trailOf(at)).toEqual([
      ['done', 'over (begun)'],
      ['done', 'over (subscriptions erased: 4)'],
    ])
    const { items } = await at.storage.readers.events.list({ after: 0, limit: 200 })
    expect(items.filter(({ type }) => type === 'subscription.erased')).toHaveLength(4)
  })

  it('goes in steps of no more than a hundred, however many there are', async () => {
    const at = await withNews(230)
    const run = vi.spyOn(at.storage.unitOfWork, 'run')
    expect((await remove(at, { subscriptions: 'erase' })).subscriptionsErased).toBe(230)
    // One begins, and one finds nothing left.
    expect(run.mock.calls.length - 2).toBeGreaterThanOrEqual(3)
  })

  it('takes nothing any more from its first step on: no sign-up, no confirmation, no change', async () => {
    const at = await withNews(120)
    const token = await mailedToken(at, 'confirm')
    const { id } = await subscribe(at, 's120@example.com', { feed: 'news' })
    await stopped(at)
    expect((await stored(at, id)).status).toBe('pending')
    await expect(subscribe(at, 'new@example.com', { feed: 'news' })).rejects.toThrow("Correct 'feed'")
    await expect(confirm(at, token)).rejects.toMatchObject({ name: 'LinkNotValid' })
    await expect(
      at.useCases.confirmOnBehalf.execute({ subscriptionId: String(id), reason: 'asked' }, ADMIN),
    ).rejects.toMatchObject({ name: 'SubscriptionNotFound' })
    await expect(at.useCases.putFeed.execute({ name: 'news' }, ADMIN)).rejects.toBeInstanceOf(FeedInUse)
    expect((await at.useCases.getFeed.execute({ name: 'news' }, ADMIN)).deletingSince).toBe(at.clock.now())
  })

  it('is finished by the same command after it was stopped, and only by that', async () => {
    const at = await withNews(130)
    await stopped(at)
    at.clock.advance(1)
    await expect(remove(at)).rejects.toBeInstanceOf(FeedInUse)
    const { subscriptionsErased } = await remove(at, { subscriptions: 'erase' })
    expect(subscriptionsErased).toBeGreaterThan(0)
    expect(subscriptionsErased).toBeLessThan(130)
    expect(await feedNamesOf(at)).toEqual(['default'])
    expect((await trailOf(at)).slice(-2)).toEqual([
      ['done', 'begun'],
      ['done', `subscriptions erased: ${subscriptionsErased}`],
    ])
    await expect(remove(at, { subscriptions: 'erase' })).rejects.toBeInstanceOf(FeedNotFound)
  })

  it('is shared by those who order it at the same time', async () => {
    const at = await withNews(230)
    const both = await Promise.all([1, 2].map(() => remove(at, { subscriptions: 'erase' })))
    expect(both.map(({ subscriptionsErased }) => subscriptionsErased).reduce((sum, one) => sum + one, 0)).toBe(230)
    expect(await trailOf(at)).toHaveLength(2)
    expect(await feedNamesOf(at)).toEqual(['default'])
  })

  it('never touches a feed that was created again under the name meanwhile', async () => {
    const at = await withNews(60)
    let steps = 0
    at.transport.forget = async () => {
      if (++steps > 1) return
      await remove(at, { subscriptions: 'erase' })
      at.clock.advance(1)
      await at.useCases.putFeed.execute({ name: 'news' }, ADMIN)
      await subscribe(at, 'new@example.com', { feed: 'news' })
    }
    await remove(at, { subscriptions: 'erase' })
    const { items } = await at.useCases.listSubscriptions.execute({ feed: 'news' }, ADMIN)
    expect(items.map(({ email }) => email)).toEqual(['new@example.com'])
  })
})
