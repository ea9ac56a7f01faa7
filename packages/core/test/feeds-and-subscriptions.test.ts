import { describe, expect, it } from 'vitest'
import { openMemoryService } from '../memory/index.ts'
import {
  type FeedName,
  FeedNotFound,
  InvalidInput,
  PreconditionFailed,
  plainFeed,
  SubscriptionNotFound,
} from '../src/index.ts'
import { ADMIN, AUDITOR, auditOf, NO_ROLES, subscribe } from './cast.ts'

describe('feeds', () => {
  const put = (at = openMemoryService(), command = {}, who = ADMIN) => ({
    at,
    put: at.useCases.putFeed.execute({ name: 'news', ...command }, who),
  })

  it('are created, with their name for a title where none is given, and replaced', async () => {
    const { at, put: first } = put()
    const now = at.clock.now()
    expect(await first).toEqual({
      created: true,
      feed: plainFeed('news' as FeedName, now),
    })
    at.clock.advance(5)
    const changed = await put(at, { title: 'News', description: 'All of it', language: 'de' }).put
    expect(changed).toMatchObject({ created: false, feed: { title: 'News', createdAt: now, updatedAt: now + 5 } })
    expect(await at.useCases.getFeed.execute({ name: 'news' }, AUDITOR)).toEqual(changed.feed)
    expect((await put(at, { title: '' }).put).feed.title).toBe('news')
    expect((await auditOf(at)).map(({ action, target }) => [action, target])).toEqual(
      Array(3).fill(['feed.put', 'news']),
    )
  })

  it('are refused where a field is not valid, every such field at once', async () => {
    await expect(put(undefined, { name: 'No' }).put).rejects.toThrow("Correct 'name'")
    await expect(put(undefined, { language: '?' }).put).rejects.toThrow("Correct 'language'")
    const both = put(undefined, { title: 'x'.repeat(201), description: 'a\u0000' }).put
    await expect(both).rejects.toThrow("Correct 'title', 'description' and send it again.")
    await expect(both).rejects.toBeInstanceOf(InvalidInput)
  })

  it("hold to the caller's condition", async () => {
    const { at, put: missing } = put(undefined, { precondition: (feed: unknown) => feed !== undefined })
    await expect(missing).rejects.toBeInstanceOf(PreconditionFailed)
    await put(at, { precondition: (feed: unknown) => feed === undefined }).put
  })

  it('are read by who may, and changed by fewer', async () => {
    const at = openMemoryService()
    await expect(put(at, {}, AUDITOR).put).rejects.toThrow("Changing feeds requires the 'admin' role.")
    const { items } = await at.useCases.listFeeds.execute({}, AUDITOR)
    expect(items.map(({ name }) => name)).toEqual(['default'])
    await expect(at.useCases.listFeeds.execute({}, NO_ROLES)).rejects.toThrow('Reading feeds requires')
    await expect(at.useCases.getFeed.execute({ name: 'default' }, NO_ROLES)).rejects.toThrow('Reading feeds requires')
    for (const name of ['none', 'Not A Name'])
      await expect(at.useCases.getFeed.execute({ name }, ADMIN)).rejects.toBeInstanceOf(FeedNotFound)
  })
})

describe('getting a subscription', () => {
  it('is for who may read subscriptions, by an id that can be one', async () => {
    const at = openMemoryService()
    const { id } = await subscribe(at, 'ada@example.com')
    const get = (subscriptionId: string, who = AUDITOR) => at.useCases.getSubscription.execute({ subscriptionId }, who)
    expect((await get(String(id))).email).toBe('ada@example.com')
    for (const other of ['1', '0', '', `${id}.0`, 'x'])
      await expect(get(other)).rejects.toBeInstanceOf(SubscriptionNotFound)
    await expect(get(String(id), NO_ROLES)).rejects.toThrow(
      "Reading subscriptions requires the 'admin' or 'auditor' role.",
    )
  })
})
