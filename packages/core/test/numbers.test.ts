import { describe, expect, it } from 'vitest'
import { aSubscription, feedName, THEN } from '../contract/samples.ts'
import { openMemoryService } from '../memory/index.ts'
import {
  type Counted,
  causeOf,
  DAY,
  dayOf,
  type EventCause,
  type EventType,
  erasureCauseOf,
  HOUR,
  InsufficientPermissions,
  InvalidInput,
  numbersOf,
  publishedStats,
  subscriptionEvent,
} from '../src/index.ts'
import { parseDay, periodsOf, rangeOf, startOf } from '../src/numbers/periods.ts'
import { ADMIN, AUDITOR, confirm, mailedToken, NO_ROLES, subscribe } from './cast.ts'

const NEWS = feedName('news')

describe('what an event adds to the numbers', () => {
  const TABLE: readonly [EventType, EventCause | undefined, Counted | undefined][] = [
    ['subscription.pending', undefined, 'requested'],
    ['subscription.pending', 'imported', 'imported:pending'],
    ['subscription.confirmed', undefined, 'confirmed'],
    ['subscription.confirmed', 'moved', 'confirmed'],
    ['subscription.confirmed', 'by-caller', 'confirmed'],
    ['subscription.confirmed', 'imported', 'imported:confirmed'],
    ['subscription.ended', undefined, 'ended:unsubscribed'],
    ['subscription.ended', 'unsubscribed', 'ended:unsubscribed'],
    ['subscription.ended', 'refused', 'ended:refused'],
    ['subscription.ended', 'moved', 'ended:moved'],
    ['subscription.ended', 'complained', 'ended:complained'],
    ['subscription.ended', 'by-caller', 'ended:by-caller'],
    ['subscription.ended', 'imported', 'imported:ended'],
    ['subscription.erased', undefined, 'ended:erased'],
    ['subscription.erased', 'erased', 'ended:erased'],
    ['subscription.erased', 'expired', 'ended:expired'],
    ['subscription.erased', 'ended-before', undefined],
    ['subscription.updated', undefined, undefined],
    ['subscription.undeliverable', undefined, undefined],
    ['user.created', undefined, undefined],
    ['user.deleted', undefined, undefined],
  ]

  it.each(TABLE)('%s because of %s: %s', (type, because, what) => {
    const event = { ...subscriptionEvent('subscription.pending', { id: 1, feed: NEWS }, THEN, because), type }
    const adds = what === undefined ? [] : [{ day: dayOf(THEN), feed: NEWS, what, count: 1 }]
    expect(numbersOf(event)).toEqual(adds)
  })

  it.each([
    ['ended', 'link', 'unsubscribed'],
    ['ended', 'link of one that was pending', 'refused'],
    ['refused', 'link', 'unsubscribed'],
    ['ended', 'one-click', 'unsubscribed'],
    ['ended', 'preferences', 'unsubscribed'],
    ['ended', 'caller:root', 'by-caller'],
    ['ended', 'complaint:mailer', 'complained'],
    ['refused', 'link of one that was pending', 'refused'],
    ['moved', 'link', 'moved'],
    ['ended', 'import', 'imported'],
    ['confirmed', 'import', 'imported'],
  ] as const)('takes as its cause of %s by %s: %s', (deed, via, cause) => {
    expect(causeOf({ deed, via }, { confirmedAt: via.endsWith('pending') ? undefined : THEN })).toBe(cause)
  })

  it.each([
    ['pending', THEN + 1, 'erased'],
    ['pending', THEN, 'expired'],
    ['confirmed', undefined, 'erased'],
    ['ended', undefined, 'ended-before'],
  ] as const)('takes as its cause of the erasure of one that is %s until %s: %s', (status, expiresAt, cause) => {
    expect(erasureCauseOf(aSubscription(1, { status, expiresAt }), THEN)).toBe(cause)
  })
})

describe('periods', () => {
  const day = (text: string) => parseDay(text, 'from') ?? -1

  it.each([
    ['2026-11-28', 'day', '2026-11-28'],
    ['2026-11-28', 'week', '2026-11-23'],
    ['2026-11-23', 'week', '2026-11-23'],
    ['2026-11-22', 'week', '2026-11-16'],
    ['2024-02-29', 'month', '2024-02-01'],
    ['1970-01-01', 'month', '1970-01-01'],
  ] as const)('%s is in the %s that begins on %s', (text, by, start) => {
    expect(startOf(day(text), by)).toBe(day(start))
  })

  it('cover a range without gaps, the first and the last of them cut to it', () => {
    const of = (from: string, to: string, by: 'day' | 'week' | 'month') =>
      periodsOf({ from: day(from), to: day(to) }, by).map((start) => new Date(start * DAY).toISOString().slice(0, 10))
    expect(of('2026-02-27', '2026-03-02', 'day')).toEqual(['2026-02-27', '2026-02-28', '2026-03-01', '2026-03-02'])
    expect(of('2026-11-18', '2026-12-01', 'week')).toEqual(['2026-11-18', '2026-11-23', '2026-11-30'])
    expect(of('2025-12-31', '2026-03-01', 'month')).toEqual(['2025-12-31', '2026-01-01', '2026-02-01', '2026-03-01'])
    expect(of('2026-11-18', '2026-11-18', 'month')).toEqual(['2026-11-18'])
  })

  it('are so many as are usual if no start is given', () => {
    const today = day('2026-11-28')
    expect(rangeOf(undefined, undefined, 'day', today)).toEqual({ from: today - 29, to: today })
    expect(periodsOf(rangeOf(undefined, undefined, 'week', today), 'week')).toHaveLength(12)
    expect(rangeOf(undefined, undefined, 'month', today).from).toBe(day('2025-12-01'))
  })

  it.each([
    ['from', () => parseDay('2026-02-30', 'from')],
    ['to', () => parseDay('28.11.2026', 'to')],
    ['to', () => parseDay('1969-12-31', 'to')],
    ['from', () => parseDay('2026-11-28T00:00:00Z', 'from')],
    ['from', () => rangeOf(10, 9, 'day', 20)],
    ['by', () => rangeOf(1_000, 1_400, 'day', 2_000)],
    ['from', () => rangeOf(1_000, 4_660, 'month', 9_000)],
  ])('are refused by the field %s', (field, parse) => {
    expect(parse).toThrow(InvalidInput)
    try {
      parse()
    } catch (error) {
      expect((error as InvalidInput).details.map((one) => one.field)).toEqual([field])
    }
  })

  it('may be 400 days, and ten years of months', () => {
    expect(periodsOf(rangeOf(1_000, 1_399, 'day', 2_000), 'day')).toHaveLength(400)
    expect(rangeOf(1_000, 4_659, 'month', 9_000)).toEqual({ from: 1_000, to: 4_659 })
  })
})

describe('numbers that are shown', () => {
  const stats = (at: ReturnType<typeof openMemoryService>, command = {}, who = ADMIN) =>
    at.useCases.showStats.execute(command, who)

  it('are there at once, of all feeds or of one, with nothing where there was nothing', async () => {
    const at = openMemoryService()
    await at.useCases.putFeed.execute({ name: 'news' }, ADMIN)
    await subscribe(at, 'a@example.com')
    await subscribe(at, 'b@example.com', { feed: 'news' })
    await confirm(at, await mailedToken(at, 'confirm'))
    // Other mails are no step of a sign-up.
    at.clock.advance(HOUR)
    await at.useCases.requestPreferences.execute({ email: 'b@example.com' })
    await at.useCases.deliverOutbox.execute({ limit: 9 })
    const all = publishedStats(await stats(at, {}, AUDITOR))
    expect(all).toMatchObject({ feed: null, by: 'day', subscriptions: { pending: 1, confirmed: 1, ended: 0 } })
    expect(all.periods).toHaveLength(30)
    expect(all.periods.at(-1)).toEqual({
      start: all.to,
      ...{ requested: 2, mailed: 2, confirmed: 1, bounced: 0, complained: 0 },
      ended: { unsubscribed: 0, refused: 0, moved: 0, complained: 0, by_caller: 0, erased: 0, expired: 0 },
      turned_away: { honeypot: 0, blocked_domain: 0, suppressed: 0, mail_cap: 0, unknown_address: 0 },
      imported: { pending: 0, confirmed: 0, ended: 0, undeliverable: 0 },
    })
    const of = async (feed: string) => (await stats(at, { feed, by: 'month' })).current
    expect([await of('default'), await of('news')]).toEqual([
      { pending: 1, confirmed: 0, ended: 0 },
      { pending: 0, confirmed: 1, ended: 0 },
    ])
  })

  it('are for who may, of a feed that is there, by a period that there is', async () => {
    const at = openMemoryService()
    await expect(stats(at, {}, NO_ROLES)).rejects.toThrow(InsufficientPermissions)
    const refusal = await stats(at, { feed: 'other' }).catch((error) => error)
    expect(refusal).toBeInstanceOf(InvalidInput)
    const wrong = await stats(at, { from: 'x', to: 'y', by: 'hour' }).catch((error) => error)
    expect(wrong.details.map(({ field }: { field: string }) => field)).toEqual(['from', 'to', 'by'])
  })

  it('are the totals of lists, also of one status', async () => {
    const at = openMemoryService()
    for (const email of ['a@example.com', 'b@example.com', 'c@example.com']) await subscribe(at, email)
    await confirm(at, await mailedToken(at, 'confirm'))
    const list = async (command: object) => (await at.useCases.listSubscriptions.execute(command, ADMIN)).total
    expect([await list({ limit: 1 }), await list({ feed: 'default', status: 'confirmed' })]).toEqual([3, 1])
    expect([await list({ status: 'pending' }), await list({ status: 'ended' })]).toEqual([2, 0])
    expect(await list({ email: 'a@example.com' })).toBeUndefined()
    expect((await at.useCases.listFeeds.execute({}, ADMIN)).items).toMatchObject([{ name: 'default', total: 3 }])
  })

  it('go with their feed', async () => {
    const at = openMemoryService()
    const feed = { name: 'news' }
    await at.useCases.putFeed.execute(feed, ADMIN)
    await subscribe(at, 'b@example.com', { feed: 'news' })
    await at.useCases.deleteFeed.execute({ name: 'news', subscriptions: 'erase' }, ADMIN)
    await at.useCases.putFeed.execute(feed, ADMIN)
    const { current, periods } = await stats(at, { feed: 'news' })
    expect(current).toEqual({ pending: 0, confirmed: 0, ended: 0 })
    expect(periods.flatMap(({ counts }) => Object.values(counts)).filter((count) => count !== 0)).toEqual([])
  })
})
