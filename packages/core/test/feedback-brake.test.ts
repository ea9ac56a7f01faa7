import { expect, it } from 'vitest'
import { upTo } from '../contract/samples.ts'
import { openMemoryService } from '../memory/index.ts'
import { DAY, publishedAboutAddress } from '../src/index.ts'
import { ADMIN, AUDITOR, auditOf, confirm, mailedToken, type Service, stored, subscribe } from './cast.ts'
import {
  bounce,
  boundTo,
  complaint,
  confirmed,
  confirmedMany,
  eventsOf,
  hashOf,
  openWithFeeds,
  report,
  stateOf,
} from './feedback.ts'
import { change, download, linkOf } from './preferences.ts'

const addresses = (count: number, prefix = 'a') => upTo(count).map((n) => `${prefix}${n}@example.com`)

const waiting = async ({ useCases }: Service) => (await useCases.listFeedback.execute({ limit: 200 }, ADMIN)).items
const undeliverable = async ({ useCases }: Service) => {
  let found = 0
  for (let cursor: string | undefined = '0'; cursor !== undefined; ) {
    const { items, next } = await useCases.listUndeliverable.execute({ cursor, limit: 200 }, ADMIN)
    found += items.length
    cursor = next?.toString()
  }
  return found
}
const bounces = (ids: readonly number[], more = {}) => ids.map((id) => bounce(id, more))
const complaints = (ids: readonly number[]) => ids.map((id) => complaint(id))
const decide = ({ useCases }: Service, decision: string, ids: readonly number[]) =>
  useCases.decideFeedback.execute({ decision, ids }, ADMIN)

it('lets 5 % of the recipients pass in a day, of all requests together, and again the next day', async () => {
  const at = await openWithFeeds()
  const ids = await confirmedMany(at, addresses(2_400))
  const some = (from: number, to: number) => report(at, bounces(ids.slice(from, to)))
  expect(await some(0, 100)).toEqual({ addresses: 100, waiting: 0 })
  expect(await some(100, 130)).toEqual({ addresses: 20, waiting: 10 })
  at.clock.advance(DAY)
  expect(await some(130, 140)).toEqual({ addresses: 10, waiting: 0 })
})

it('lets 5 % of them pass also where many reports come at once near the 100th address', async () => {
  const at = await openWithFeeds()
  const ids = await confirmedMany(at, addresses(2_400))
  await report(at, bounces(ids.slice(0, 95)))
  const outcomes = await Promise.all(ids.slice(95, 115).map((id) => report(at, [bounce(id)])))
  expect(outcomes.filter(({ addresses }) => addresses === 1)).toHaveLength(20)
})

it('counts the recipients of the feeds that the caller is bound to, and of no other', async () => {
  const at = await openWithFeeds('weekly')
  await confirmedMany(at, addresses(4_000, 'b'))
  const ids = await confirmedMany(at, addresses(130), 'weekly')
  expect(await report(at, bounces(ids), boundTo('weekly'))).toMatchObject({ waiting: 30 })
})

it('brakes complaints, too, but not reports that take no recipient away', async () => {
  const at = await openWithFeeds()
  const ids = await confirmedMany(at, addresses(130))
  expect(await report(at, bounces(ids, { status: '4.2.2' }))).toEqual({ addresses: 0, waiting: 0 })
  expect(await report(at, complaints(ids))).toEqual({ addresses: 100, waiting: 30 })
})

it('keeps the same report waiting once', async () => {
  const at = await openWithFeeds()
  const ids = await confirmedMany(at, addresses(101))
  for (let n = 0; n < 3; n++) await report(at, bounces(ids))
  expect(await waiting(at)).toHaveLength(1)
})

it('carries out what an administrator accepts, as of the caller that reported it', async () => {
  const at = await openWithFeeds('weekly')
  const [last = 0] = (await confirmedMany(at, addresses(101), 'weekly')).slice(-1)
  const [elsewhere = 0] = await confirmedMany(at, addresses(101).slice(-1))
  const all = await confirmedMany(at, addresses(101), 'weekly')
  await report(at, complaints(all), boundTo('weekly'))
  const [held] = await waiting(at)
  expect(await decide(at, 'accept', [held?.id ?? 0, 999])).toBe(1)
  expect([(await stored(at, last)).status, (await stored(at, elsewhere)).status]).toEqual(['ended', 'confirmed'])
  expect(await waiting(at)).toEqual([])
  expect(await decide(at, 'accept', [held?.id ?? 0])).toBe(0)
  expect((await auditOf(at)).at(-1)).toMatchObject({ action: 'feedback.accept', actor: 'root', count: 1 })
})

it('undoes nothing that came after it: what waits is from before its reader confirmed', async () => {
  const at = await openWithFeeds()
  const ids = await confirmedMany(at, addresses(100))
  const { id } = await subscribe(at, 'ada@example.com')
  const token = await mailedToken(at, 'confirm')
  await report(at, complaints([...ids, id]))
  at.clock.advance(DAY)
  await confirm(at, token)
  const [held] = await waiting(at)
  expect(await decide(at, 'accept', [held?.id ?? 0])).toBe(1)
  expect((await stored(at, id)).status).toBe('confirmed')
})

it('forgets what an administrator drops, and what has waited for 90 days', async () => {
  const at = await openWithFeeds()
  const ids = await confirmedMany(at, addresses(103))
  await report(at, bounces(ids))
  const [first] = await waiting(at)
  expect(await decide(at, 'drop', [first?.id ?? 0])).toBe(1)
  expect((await auditOf(at)).at(-1)).toMatchObject({ action: 'feedback.drop', count: 1 })
  at.clock.advance(90 * DAY + 1)
  await at.useCases.expireSubscriptions.execute()
  expect(await waiting(at)).toEqual([])
  expect(await undeliverable(at)).toBe(100)
})

it('forgets the bounces of an address that wait, and no complaint, once its owner follows a link', async () => {
  const at = await openWithFeeds()
  const ids = await confirmedMany(at, addresses(102))
  await report(at, bounces(ids))
  await report(at, complaints(ids.slice(100)))
  const token = await linkOf(at, 'a101@example.com')
  await change(at, token, 'subscribe', { feed: 'default' })
  expect((await waiting(at)).map(({ kind, subscription }) => [kind, subscription])).toEqual([
    ['bounce', ids[101]],
    ['complaint', ids[100]],
    ['complaint', ids[101]],
  ])
})

it('waits no longer about an address of which everything is erased', async () => {
  const at = await openWithFeeds()
  const ids = await confirmedMany(at, addresses(101))
  await report(at, bounces(ids))
  await at.useCases.eraseSubscription.execute({ subscriptionId: String(ids.at(-1)) }, ADMIN)
  expect(await waiting(at)).toEqual([])
})

it('is carried out also where the subscription that was reported is erased, and others of the address are left', async () => {
  const at = await openWithFeeds('weekly')
  const [left = 0] = (await confirmedMany(at, addresses(101).slice(-1), 'weekly')).slice(-1)
  const ids = await confirmedMany(at, addresses(101))
  await report(at, complaints(ids))
  await at.useCases.eraseSubscription.execute({ subscriptionId: String(ids.at(-1)) }, ADMIN)
  const [held] = await waiting(at)
  await decide(at, 'accept', [held?.id ?? 0])
  expect((await stored(at, left)).status).toBe('ended')
})

it('finds the other subscriptions of the address also where the one that was reported has expired meanwhile', async () => {
  const at = await openWithFeeds('weekly')
  const ids = await confirmedMany(at, addresses(100))
  const { id: pending } = await subscribe(at, 'ada@example.com')
  const [left = 0] = await confirmedMany(at, ['ada@example.com'], 'weekly')
  await report(at, complaints([...ids, pending]))
  at.clock.advance(7 * DAY)
  await at.useCases.expireSubscriptions.execute()
  const [held] = await waiting(at)
  await decide(at, 'accept', [held?.id ?? 0])
  expect((await stored(at, left)).status).toBe('ended')
})

it('stops every mail to the address also if no subscription of it is left', async () => {
  const at = await openWithFeeds()
  const ids = await confirmedMany(at, addresses(100))
  const { id: pending } = await subscribe(at, 'ada@example.com')
  await report(
    at,
    [...ids, pending].map((id) => complaint(id)),
  )
  at.clock.advance(7 * DAY)
  await at.useCases.expireSubscriptions.execute()
  const [held] = await waiting(at)
  await decide(at, 'accept', [held?.id ?? 0])
  const ada = hashOf(at, 'ada@example.com')
  expect((await at.storage.readers.suppressions.findMany([ada])).get(ada)).toMatchObject({
    block: { cause: 'complaint', since: at.clock.now() },
  })
})

it('is in the download of the owner of the address while it waits', async () => {
  const at = await openWithFeeds()
  const [last = 0] = (await confirmedMany(at, addresses(101))).slice(-1)
  const ids = await confirmedMany(at, addresses(101))
  await report(at, bounces(ids))
  const token = await linkOf(at, 'a101@example.com')
  expect(publishedAboutAddress(await download(at, token))).toMatchObject({
    deliverability: null,
    waiting_feedback: [{ kind: 'bounce', permanent: true, status: '5.1.1', since: '2026-01-01T00:00:00.000Z' }],
    subscriptions: [{ id: last }],
  })
  const [held] = await waiting(at)
  await decide(at, 'drop', [held?.id ?? 0])
  expect(publishedAboutAddress(await download(at, token)).waiting_feedback).toEqual([])
})

it('is decided by administrators alone', async () => {
  const at = await openWithFeeds()
  for (const by of [AUDITOR, boundTo('weekly')]) {
    await expect(at.useCases.listFeedback.execute({}, by)).rejects.toThrow('requires')
    await expect(at.useCases.decideFeedback.execute({ decision: 'accept', ids: [1] }, by)).rejects.toThrow('requires')
  }
})

it.each([
  ['accept', [], 'ids'],
  ['accept', upTo(501), 'ids'],
  ['maybe', [1], 'decision'],
])('is decided by a word of two, up to 500 at a time: %s %j', async (decision, ids, field) => {
  await expect(decide(openMemoryService(), decision, ids)).rejects.toMatchObject({ details: [{ field }] })
})

it('is decided of 500 at a time, each counted once', async () => {
  const at = openMemoryService()
  const ids = addresses(101).map((address) => ({ kind: 'bounce', address, permanent: true }))
  await report(at, ids, ADMIN)
  const [held] = await waiting(at)
  expect(await decide(at, 'accept', [...upTo(500), ...Array(500).fill(held?.id)])).toBe(1)
  expect(await stateOf(at, 'a101@example.com')).toBe('undeliverable')
  await at.useCases.reads.flush()
  expect((await auditOf(at)).at(-1)).toMatchObject({ action: 'feedback.read', actor: 'root' })
})

it.each([
  ['alone', false],
  ['and another has reported it meanwhile', true],
])('stops what goes to other spellings of the mailbox, once: accepted %s', async (_, isReported) => {
  const at = await openWithFeeds()
  const plain = await confirmed(at, 'a101@example.com')
  const ids = await confirmedMany(at, [...addresses(100), 'a101+news@example.com'])
  await report(at, complaints(ids))
  if (isReported) await report(at, [complaint(ids[100] ?? 0)], ADMIN)
  const [held] = await waiting(at)
  expect(await decide(at, 'accept', [held?.id ?? 0])).toBe(1)
  const blocked = (await eventsOf(at, 'subscription.blocked')).filter((event) => event.endsWith(` ${plain}`))
  expect(blocked).toHaveLength(1)
})
