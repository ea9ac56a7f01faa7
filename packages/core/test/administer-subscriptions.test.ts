import { describe, expect, it, vi } from 'vitest'
import { openMemoryService } from '../memory/index.ts'
import {
  type FeedName,
  InvalidInput,
  type ListSubscriptionsCommand,
  PreconditionFailed,
  type Subscription,
  SubscriptionEnded,
  SubscriptionNotFound,
} from '../src/index.ts'
import {
  ADMIN,
  AUDITOR,
  auditOf,
  caller,
  confirm,
  consentsOf,
  deliver,
  mailedToken,
  mailsOf,
  NO_ROLES,
  outboxOf,
  refuse,
  type Service,
  stored,
  subscribe,
  unsubscribe,
} from './cast.ts'
import { isParked, waitingIn, waits } from './waiting.ts'

const WHY = 'asked for it by letter, ticket 4711'
const OPERATOR = caller('root-42', 'admin')

const list = (at: Service, command: ListSubscriptionsCommand = {}, who = AUDITOR) =>
  at.useCases.listSubscriptions.execute(command, who)
const emailsOf = async (at: Service, command: ListSubscriptionsCommand = {}) =>
  (await list(at, command)).items.map(({ email }) => email)
const fieldsOf = async (promise: Promise<unknown>): Promise<string[]> => {
  const error = await promise.catch((refusal: unknown) => refusal)
  expect(error).toBeInstanceOf(InvalidInput)
  return (error as InvalidInput).details.map(({ field }) => field)
}
const eventsOf = async ({ storage }: Service) =>
  (await storage.readers.events.list({ after: 0, limit: 200 })).items.map(({ type }) => type)

const erase = (at: Service, id: number | string, more = {}, who = ADMIN) =>
  at.useCases.eraseSubscription.execute({ subscriptionId: String(id), ...more }, who)
const confirmFor = (at: Service, id: number | string, more = {}, who = OPERATOR) =>
  at.useCases.confirmOnBehalf.execute({ subscriptionId: String(id), reason: WHY, ...more }, who)
const endFor = (at: Service, id: number | string, more = {}, who = OPERATOR) =>
  at.useCases.endOnBehalf.execute({ subscriptionId: String(id), reason: WHY, ...more }, who)

describe('listing subscriptions', () => {
  const withThree = async () => {
    const at = openMemoryService()
    await at.useCases.putFeed.execute({ name: 'news' }, ADMIN)
    await subscribe(at, 'ada@example.com')
    await confirm(at, await mailedToken(at, 'confirm'))
    at.clock.advance(1)
    await subscribe(at, 'bob@example.com', { feed: 'news' })
    at.clock.advance(1)
    await subscribe(at, 'ADA@example.com', { feed: 'news' })
    return at
  }

  it('finds an address on all feeds, however it is written, together with the other filters', async () => {
    const at = await withThree()
    const email = 'Ada@EXAMPLE.com'
    expect(await emailsOf(at, { email })).toEqual(['ada@example.com', 'ADA@example.com'])
    expect(await emailsOf(at, { email, feed: 'news' })).toEqual(['ADA@example.com'])
    expect(await emailsOf(at, { email, status: 'confirmed' })).toEqual(['ada@example.com'])
    expect(await emailsOf(at, { email, status: 'ended' })).toEqual([])
    expect(await emailsOf(at, { email, feed: 'default', status: 'pending' })).toEqual([])
    expect(await emailsOf(at, { email: 'nobody@example.com' })).toEqual([])
  })

  it('refuses a feed or a status that there is not, and what can be no address, all at once', async () => {
    const at = openMemoryService()
    expect(await fieldsOf(list(at, { feed: 'none' }))).toEqual(['feed'])
    expect(await fieldsOf(list(at, { feed: 'No Such', status: 'gone', email: 'x', limit: 0 }))).toEqual([
      'limit',
      'feed',
      'status',
      'email',
    ])
    await expect(list(at, { status: 'gone' })).rejects.toMatchObject({
      details: [{ message: 'Use one of these: pending, confirmed, ended.' }],
    })
  })

  it('is for who may read subscriptions', async () => {
    await expect(list(openMemoryService(), { status: 'gone' }, NO_ROLES)).rejects.toThrow(
      'Reading subscriptions requires',
    )
  })
})

describe('the evidence of a subscription', () => {
  it('is its whole ledger, for who may read subscriptions', async () => {
    const at = openMemoryService()
    const { id } = await subscribe(at, 'ada@example.com')
    await confirm(at, await mailedToken(at, 'confirm'))
    const get = (subscriptionId: string, who = AUDITOR) => at.useCases.getConsent.execute({ subscriptionId }, who)
    const { subscription, consents } = await get(String(id))
    expect(subscription.status).toBe('confirmed')
    expect(consents.map(({ deed, via }) => [deed, via])).toEqual([
      ['requested', 'form'],
      ['confirmed', 'form'],
    ])
    for (const other of ['1', '', 'x', `${id}.0`]) await expect(get(other)).rejects.toBeInstanceOf(SubscriptionNotFound)
    await expect(get(String(id), NO_ROLES)).rejects.toThrow('Reading subscriptions requires')
  })
})

describe('erasing a subscription', () => {
  it('takes everything that hangs on it: ledger, mails that wait and mails that were kept', async () => {
    const at = openMemoryService()
    const { id } = await subscribe(at, 'ada@example.com')
    await deliver(at)
    expect(mailsOf(at)).toHaveLength(1)
    const other = await subscribe(at, 'bob@example.com')
    await erase(at, id, { reason: WHY })
    await expect(stored(at, id)).rejects.toBeInstanceOf(SubscriptionNotFound)
    expect(await consentsOf(at, id)).toEqual([])
    expect(mailsOf(at)).toEqual([])
    const waiting = (await outboxOf(at)).map(({ messageId }) => messageId)
    const forget = vi.spyOn(at.transport, 'forget')
    await erase(at, other.id)
    expect(await outboxOf(at)).toEqual([])
    expect(forget.mock.calls).toEqual([[waiting]])
    expect(await eventsOf(at)).toEqual([
      'subscription.pending',
      'subscription.pending',
      'subscription.erased',
      'subscription.erased',
    ])
    expect((await auditOf(at)).map(({ action, target, reason }) => [action, target, reason])).toEqual([
      ['subscription.erase', String(id), WHY],
      ['subscription.erase', String(other.id), undefined],
    ])
  })

  it('is held to what the caller has seen, without the values that are being erased', async () => {
    const at = openMemoryService()
    const field = { name: 'city', type: 'text', label: { en: 'City' } } as const
    await at.useCases.putFeed.execute({ name: 'news', fields: [field] }, ADMIN)
    const { id } = await subscribe(at, 'ada@example.com', { feed: 'news', fields: { city: 'Paris' } })
    await at.storage.unitOfWork.run(async ({ feeds }) => {
      const feed = (await feeds.find('news' as FeedName))!
      await feeds.put({ ...feed, fields: feed.fields.map((one) => ({ ...one, erasing: true })) })
    })
    const seen = await stored(at, id)
    expect(seen.fields).toBeUndefined()
    await erase(at, id, { precondition: (current?: Subscription) => current?.fields === seen.fields })
  })

  it('takes with the last of an address what could not be carried out about it, which would bring it back', async () => {
    const at = openMemoryService()
    await at.useCases.putFeed.execute({ name: 'news' }, ADMIN)
    const first = await subscribe(at, 'ada@example.com')
    const second = await subscribe(at, 'ada@example.com', { feed: 'news' })
    const { address } = await stored(at, first.id)
    const asked = { kind: 'preferences', addressKey: 'ada@example.com' } as const
    await at.storage.unitOfWork.run(async ({ requests }) => {
      for (const _ of [1, 2]) await requests.add({ at: at.clock.now(), address, asked })
      for (const { id } of await requests.take(1)) await requests.park(id, at.clock.now(), 'No disk.')
    })
    const waiting = async () => (await at.storage.readers.requests.ofAddress(address)).length
    await erase(at, first.id)
    expect(await waiting()).toBe(2)
    await erase(at, second.id)
    expect(await waiting()).toBe(0)
  })

  it('takes with it the forms to its feed that could not be carried out, and no others', async () => {
    const at = openMemoryService()
    for (const name of ['news', 'offers']) await at.useCases.putFeed.execute({ name }, ADMIN)
    const { id } = await subscribe(at, 'ada@example.com')
    await subscribe(at, 'ada@example.com', { feed: 'news' })
    await isParked(at, 'ada@example.com', { feeds: ['offers'] })
    await waits(at, 'ada@example.com', { feeds: ['default', 'news'] })
    await erase(at, id)
    expect(await waitingIn(at)).toEqual(['ada@example.com'])
    await at.useCases.retryRequest.execute({ id: 1 }, ADMIN)
    await at.useCases.retryRequest.execute({ id: 2 }, ADMIN)
    await expect(stored(at, id)).rejects.toThrow()
  })

  it('leaves a suppression of its address as it is', async () => {
    const at = openMemoryService()
    const { id } = await subscribe(at, 'ada@example.com')
    await refuse(at, await mailedToken(at, 'refuse'))
    await erase(at, id)
    expect((await at.useCases.listSuppressions.execute({}, AUDITOR)).items).toHaveLength(1)
  })

  it('checks permission, subscription and reason, in that order, and changes nothing then', async () => {
    const at = openMemoryService()
    const { id } = await subscribe(at, 'ada@example.com', { name: 'Ada Lovelace' })
    const hopeless = { reason: 'x'.repeat(501), precondition: () => false }
    await expect(erase(at, '1', hopeless, AUDITOR)).rejects.toThrow("Changing subscriptions requires the 'admin' role.")
    await expect(erase(at, '1', hopeless)).rejects.toBeInstanceOf(SubscriptionNotFound)
    await expect(erase(at, id, hopeless)).rejects.toBeInstanceOf(PreconditionFailed)
    for (const reason of ['x'.repeat(501), 'a\nb', 'ADA@example.com wrote', 'ada  lovelace wrote'])
      expect(await fieldsOf(erase(at, id, { reason }))).toEqual(['reason'])
    expect((await stored(at, id)).status).toBe('pending')
    await erase(at, id, { precondition: (one: Subscription | undefined) => one?.id === id })
    await expect(erase(at, id)).rejects.toBeInstanceOf(SubscriptionNotFound)
  })
})

describe('confirming on behalf', () => {
  it('confirms, takes back the mail that waits, and names in the ledger who did it', async () => {
    const at = openMemoryService()
    const { id } = await subscribe(at, 'ada@example.com')
    expect(await confirmFor(at, id)).toMatchObject({ already: false, subscription: { id, status: 'confirmed' } })
    expect((await stored(at, id)).confirmedAt).toBe(at.clock.now())
    expect((await consentsOf(at, id)).at(-1)).toMatchObject({
      ...{ deed: 'confirmed', via: 'caller:root-42', clientAddress: undefined, userAgent: undefined },
    })
    expect(await outboxOf(at)).toEqual([])
    expect(await auditOf(at)).toMatchObject([{ action: 'subscription.confirm', target: String(id), reason: WHY }])
    expect(await eventsOf(at)).toEqual(['subscription.pending', 'subscription.confirmed'])
  })

  it('changes nothing where it is confirmed already, by either side', async () => {
    const at = openMemoryService()
    const { id } = await subscribe(at, 'ada@example.com')
    await confirmFor(at, id)
    const before = await stored(at, id)
    at.clock.advance(1)
    expect(await confirmFor(at, id)).toEqual({ already: true, subscription: before })
    expect(await auditOf(at)).toHaveLength(1)
    expect(await eventsOf(at)).toHaveLength(2)
  })

  it('cannot bring back one that has ended: that takes its owner; and the attempt is in the trail', async () => {
    const at = openMemoryService()
    const { id } = await subscribe(at, 'ada@example.com')
    await unsubscribe(at, await mailedToken(at, 'unsubscribe'))
    await expect(confirmFor(at, id)).rejects.toBeInstanceOf(SubscriptionEnded)
    expect((await stored(at, id)).status).toBe('ended')
    await at.useCases.refusals.flush()
    expect(await auditOf(at)).toMatchObject([{ action: 'subscription.confirm', outcome: 'SubscriptionEnded' }])
  })

  it('goes over no refusal of its owner, on whatever feed that was', async () => {
    const at = openMemoryService()
    await at.useCases.putFeed.execute({ name: 'news' }, ADMIN)
    const { id } = await subscribe(at, 'ada@example.com', { feed: 'news' })
    await deliver(at)
    at.clock.advance(3_600_000)
    await subscribe(at, 'ada@example.com')
    await refuse(at, await mailedToken(at, 'refuse'))
    await expect(confirmFor(at, id)).rejects.toMatchObject({ name: 'AddressSuppressed' })
    expect((await stored(at, id)).status).toBe('pending')
    await at.useCases.refusals.flush()
    expect((await auditOf(at)).at(-1)).toMatchObject({ action: 'subscription.confirm', outcome: 'AddressSuppressed' })
    await at.useCases.liftSuppression.execute({ address: 'ada@example.com' }, ADMIN)
    expect((await confirmFor(at, id)).already).toBe(false)
  })

  it('takes one whose time is over for gone, even before it is swept away', async () => {
    const at = openMemoryService()
    const { id } = await subscribe(at, 'ada@example.com')
    at.clock.advance(7 * 24 * 3_600_000)
    await expect(confirmFor(at, id)).rejects.toBeInstanceOf(SubscriptionNotFound)
    await expect(endFor(at, id)).rejects.toBeInstanceOf(SubscriptionNotFound)
    await at.useCases.refusals.flush()
    expect(await auditOf(at)).toEqual([])
    await erase(at, id)
  })
})

describe('ending on behalf', () => {
  it('ends it, and no link of before is good', async () => {
    const at = openMemoryService()
    const { id } = await subscribe(at, 'ada@example.com')
    const token = await mailedToken(at, 'confirm')
    expect(await endFor(at, id)).toMatchObject({ already: false, subscription: { status: 'ended' } })
    await expect(confirm(at, token)).rejects.toMatchObject({ name: 'LinkNotValid' })
    expect((await consentsOf(at, id)).at(-1)).toMatchObject({ deed: 'ended', via: 'caller:root-42' })
    expect(await auditOf(at)).toMatchObject([{ action: 'subscription.end', target: String(id), reason: WHY }])
  })

  it('changes nothing where it has ended already', async () => {
    const at = openMemoryService()
    const { id } = await subscribe(at, 'ada@example.com')
    await endFor(at, id)
    const before = await stored(at, id)
    expect(await endFor(at, id)).toEqual({ already: true, subscription: before })
    expect(await auditOf(at)).toHaveLength(1)
  })
})

describe.each([
  ['confirming', confirmFor],
  ['ending', endFor],
])('%s on behalf', (_name, act) => {
  it('needs the permission, a subscription, the condition, and a reason that does not say whose it is', async () => {
    const at = openMemoryService()
    const { id } = await subscribe(at, 'ada@example.com', { name: 'Ada Lovelace' })
    const hopeless = { reason: undefined, precondition: () => false }
    await expect(act(at, '1', hopeless, AUDITOR)).rejects.toThrow('Changing subscriptions requires')
    await expect(act(at, '1', hopeless)).rejects.toBeInstanceOf(SubscriptionNotFound)
    await expect(act(at, id, hopeless)).rejects.toBeInstanceOf(PreconditionFailed)
    for (const reason of [undefined, '', '  ', 'x'.repeat(501), 'a\u0000', 'Ada Lovelace called', 'ADA@Example.com'])
      expect(await fieldsOf(act(at, id, { reason }))).toEqual(['reason'])
    expect((await stored(at, id)).status).toBe('pending')
    expect((await act(at, id, { reason: 'x'.repeat(500) })).already).toBe(false)
  })
})
