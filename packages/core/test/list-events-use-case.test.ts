import { describe, expect, it } from 'vitest'
import { openMemoryService } from '../memory/index.ts'
import { type Caller, cursorOf, DAY, publishedEvent } from '../src/index.ts'
import { ADMIN, AUDITOR, confirm, mailedToken, putUser, type Service, subscribe } from './cast.ts'
import { boundTo, SENDER } from './recipients.ts'

const list = (at: Service, request = {}, who = ADMIN) => at.useCases.listEvents.execute(request, who)
const recordsOf = async (at: Service, request = {}) => (await list(at, request)).items.map(publishedEvent)
const typesOf = async (at: Service) => (await recordsOf(at)).map(({ type, data }) => [type, 'email' in data])
const erase = (at: Service, id: number) => at.useCases.eraseSubscription.execute({ subscriptionId: String(id) }, ADMIN)

describe('events', () => {
  it('are CloudEvents, each with the record of its subject as it is now', async () => {
    const at = openMemoryService()
    const now = at.clock.now()
    const { id } = await subscribe(at, 'ada@example.com', { name: 'Ada' })
    const token = await mailedToken(at, 'confirm')
    at.clock.advance(5)
    await confirm(at, token)
    await putUser(at, 'carol')
    const [pending, confirmed, created] = await recordsOf(at)
    expect(pending).toEqual({
      specversion: '1.0',
      id: `1-${now}`,
      source: 'https://rollcall.example',
      type: 'subscription.pending',
      subject: String(id),
      time: '2026-01-01T00:00:00.000Z',
      datacontenttype: 'application/json',
      sequence: '0000000000000001',
      data: {
        name: 'Ada',
        email: 'ada@example.com',
        id,
        feed: 'default',
        status: 'confirmed',
        locale: null,
        created_at: '2026-01-01T00:00:00.000Z',
        confirmed_at: '2026-01-01T00:00:00.005Z',
        ended_at: null,
      },
    })
    expect(confirmed).toMatchObject({ id: `2-${now + 5}`, sequence: '0000000000000002', data: pending?.data })
    expect(created).toMatchObject({
      ...{ type: 'user.created', subject: 'carol' },
      data: { id: 'carol', email: 'carol.mail@example.com', roles: [] },
    })
  })

  it('have nothing but ids and feeds once their subject is gone, as those have that say so', async () => {
    const at = openMemoryService()
    const { id } = await subscribe(at, 'ada@example.com')
    await erase(at, id)
    await putUser(at, 'brian')
    await at.useCases.deleteUser.execute({ userId: 'brian' }, ADMIN)
    expect((await recordsOf(at)).map(({ type, data }) => [type, data])).toEqual([
      ['subscription.pending', { id, feed: 'default' }],
      ['subscription.erased', { id, feed: 'default' }],
      ['user.created', { id: 'brian' }],
      ['user.deleted', { id: 'brian' }],
    ])
  })

  it('of an earlier life say nothing of a later one, and what says that one went says nothing more', async () => {
    const at = openMemoryService()
    const { id } = await subscribe(at, 'ada@example.com')
    await erase(at, id)
    at.clock.advance(DAY)
    expect((await subscribe(at, 'ada@example.com')).id).toBe(id)
    expect(await typesOf(at)).toEqual([
      ['subscription.pending', false],
      ['subscription.erased', false],
      ['subscription.pending', true],
    ])
  })

  it('are followed by the sequence of each, or by the cursor of a list, and from the end on when there are more', async () => {
    const at = openMemoryService()
    for (const n of [1, 2, 3]) await putUser(at, `u${n}`)
    const first = await list(at, { limit: 2 })
    expect(first.next).toBeDefined()
    const [one, two] = first.items.map(publishedEvent)
    expect(one!.sequence < two!.sequence).toBe(true)
    const rest = await list(at, { cursor: two?.sequence })
    expect(rest.items.map(({ event }) => event.subject)).toEqual(['u3'])
    expect(rest.next).toBeUndefined()
    const last = publishedEvent(rest.items[0]!).sequence
    expect((await list(at, { cursor: last })).items).toEqual([])
    await putUser(at, 'u4')
    expect((await recordsOf(at, { cursor: last })).map(({ subject }) => subject)).toEqual(['u4'])
    await expect(list(at, { cursor: '1-1' })).rejects.toMatchObject({ name: 'MalformedRequest' })
  })

  it('are for who may read events', async () => {
    await expect(list(openMemoryService(), {}, AUDITOR)).rejects.toThrow(
      "Reading events requires the 'admin' or 'sender' role.",
    )
  })
})

describe('events for a sender', () => {
  const withTwoFeeds = async () => {
    const at = openMemoryService()
    for (const name of ['weekly', 'daily']) await at.useCases.putFeed.execute({ name }, ADMIN)
    await putUser(at, 'carol')
    const { id: weekly } = await subscribe(at, 'ada@example.com', { feed: 'weekly' })
    await putUser(at, 'other')
    const { id: daily } = await subscribe(at, 'ada@example.com', { feed: 'daily' })
    return { at, weekly: String(weekly), daily: String(daily) }
  }
  const subjectsFor = async (at: Service, who: Caller) =>
    (await list(at, {}, who)).items.map(({ event }) => event.subject)

  it('are those of subscriptions alone; for one that is bound to feeds, those of its feeds', async () => {
    const { at, weekly, daily } = await withTwoFeeds()
    expect(await subjectsFor(at, SENDER)).toEqual([weekly, daily])
    expect(await subjectsFor(at, boundTo('daily'))).toEqual([daily])
    expect(await subjectsFor(at, boundTo('weekly', 'daily'))).toEqual([weekly, daily])
    expect(await subjectsFor(at, boundTo())).toEqual([])
    expect(await subjectsFor(at, ADMIN)).toEqual(['carol', weekly, 'other', daily])
  })

  it('keep their feed when the subscription is erased', async () => {
    const { at, daily } = await withTwoFeeds()
    await erase(at, Number(daily))
    expect(await subjectsFor(at, boundTo('weekly'))).not.toContain(daily)
    const { items } = await list(at, {}, boundTo('daily'))
    expect(items.map(publishedEvent).map(({ type, data }) => [type, data])).toEqual([
      ['subscription.pending', { id: Number(daily), feed: 'daily' }],
      ['subscription.erased', { id: Number(daily), feed: 'daily' }],
    ])
  })

  it('that have no feed on record go to senders of the feed while it can be found, and then to all by id alone', async () => {
    const { at, weekly } = await withTwoFeeds()
    const old = { type: 'subscription.confirmed', at: at.clock.now() } as const
    await at.storage.unitOfWork.run(async ({ events }) => {
      await events.append({ ...old, subject: weekly })
      await events.append({ ...old, subject: '4711' })
    })
    expect(await subjectsFor(at, boundTo('daily'))).not.toContain(weekly)
    expect(await subjectsFor(at, boundTo('weekly'))).toEqual([weekly, weekly, '4711'])
    const { items } = await list(at, {}, boundTo('daily'))
    expect(items.map(publishedEvent).at(-1)).toMatchObject({ subject: '4711', data: { id: 4711 } })
  })

  it('are missed by no one who follows the cursors, however many others lie between', async () => {
    const { at, daily } = await withTwoFeeds()
    await at.storage.unitOfWork.run(async ({ events }) => {
      for (let n = 0; n < 4_500; n++) await events.append({ type: 'user.updated', subject: 'carol', at: 1 })
    })
    const { id } = await subscribe(at, 'bob@example.com', { feed: 'daily' })
    await subscribe(at, 'eve@example.com', { feed: 'daily' })
    for (const limit of [1, 2, 50]) {
      const found: string[] = []
      let cursor: string | undefined
      do {
        const page = await list(at, { cursor, limit }, boundTo('daily'))
        found.push(...page.items.map(({ event }) => event.subject))
        cursor = cursorOf(page.next)
      } while (cursor !== undefined)
      expect(found).toEqual([daily, String(id), expect.any(String)])
    }
  })
})
