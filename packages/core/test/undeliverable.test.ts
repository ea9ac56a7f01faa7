import { describe, expect, it } from 'vitest'
import { MEMORY_SETTINGS } from '../memory/memory-service.ts'
import { PROVIDER } from '../src/feedback/provider-caller.ts'
import {
  createUseCases,
  DAY,
  HOUR,
  LinkTokens,
  MailRefusedPermanently,
  SignatureNotValid,
  UndeliverableNotFound,
} from '../src/index.ts'
import {
  ADMIN,
  AUDITOR,
  auditOf,
  confirm,
  deliver,
  lastMailOf,
  mailedToken,
  mailsOf,
  outboxOf,
  refuse,
  type Service,
  subscribe,
  tokenIn,
  unsubscribe,
} from './cast.ts'
import { bounce, confirmed, eventsOf, hashOf, openWithFeeds, report, stateOf } from './feedback.ts'
import { undo, withMove } from './moves.ts'
import { change, download, linkOf } from './preferences.ts'
import { confirmedRow, importFile, linesOf } from './transfers.ts'

const ADA = 'ada@example.com'

const importBounce = async (at: Service, email: string): Promise<void> => {
  const body = (async function* () {
    yield new TextEncoder().encode(`email,cause\n${email},bounce\n`)
  })()
  for await (const _ of await at.useCases.importSuppressions.execute({ format: 'csv', body }, ADMIN));
}

/** Feedback that waits for an administrator, about one of the subscriptions of Ada. */
const addWaiting = (at: Service, subscription: number) =>
  at.storage.unitOfWork.run(({ feedback }) =>
    feedback.add({
      ...{ caller: 'mailer', channel: 'http', feeds: undefined, kind: 'complaint', permanent: false },
      ...{ address: hashOf(at, ADA), mailbox: hashOf(at, ADA), subscription, status: undefined },
      ...{ at: at.clock.now(), since: at.clock.now() },
    }),
  )
const waitingOf = async (at: Service) =>
  (await at.storage.readers.feedback.ofAddress(hashOf(at, ADA))).map(({ subscription }) => subscription)

const expire = ({ useCases }: Service) => useCases.expireSubscriptions.execute()

describe('an undeliverable address', () => {
  it('gets at most one of our mails a week, after the same answer as any other', async () => {
    const at = await openWithFeeds('weekly', 'daily')
    await report(at, [bounce(await confirmed(at, ADA))])
    for (const feed of ['weekly', 'daily']) {
      await subscribe(at, ADA, { feed })
      at.clock.advance(DAY)
    }
    await deliver(at)
    expect(mailsOf(at)).toHaveLength(1)
    expect(await outboxOf(at)).toHaveLength(1)
    at.clock.advance(7 * DAY - 1)
    await deliver(at)
    expect(mailsOf(at)).toHaveLength(1)
  })

  it('gets what waited for that week at once, once it is in order again', async () => {
    const at = await openWithFeeds('weekly', 'daily')
    await report(at, [bounce(await confirmed(at, ADA))])
    for (const feed of ['weekly', 'daily']) {
      await subscribe(at, ADA, { feed })
      at.clock.advance(HOUR)
      await deliver(at)
    }
    const sent = mailsOf(at).length
    await confirm(at, tokenIn(lastMailOf(at), 'confirm'))
    await deliver(at)
    expect(mailsOf(at)).toHaveLength(sent + 1)
    expect(lastMailOf(at).kind).toBe('confirmation')
    expect(await outboxOf(at)).toEqual([])
  })

  it('is in order again with the first click: confirming', async () => {
    const at = await openWithFeeds('weekly')
    const id = await confirmed(at, ADA)
    await report(at, [bounce(id)])
    const { id: weekly } = await subscribe(at, ADA, { feed: 'weekly' })
    await confirm(at, await mailedToken(at, 'confirm'))
    expect(await stateOf(at, ADA)).toBe('ok')
    expect((await eventsOf(at, 'subscription.deliverable')).sort()).toEqual(
      [id, weekly].map((one) => `subscription.deliverable ${one}`).sort(),
    )
  })

  it('is in order again with anything that its owner does on the preferences page', async () => {
    const at = await openWithFeeds()
    const id = await confirmed(at, ADA)
    await report(at, [bounce(id)])
    const token = await linkOf(at)
    expect((await download(at, token)).deliverability).toMatchObject({ state: 'undeliverable', status: '5.1.1' })
    await change(at, token, 'subscribe', { feed: 'default' })
    expect(await stateOf(at, ADA)).toBe('ok')
    expect(await eventsOf(at, 'subscription.deliverable')).toEqual([`subscription.deliverable ${id}`])
  })

  it('is in order again when its owner asks for a change of address there', async () => {
    const at = await openWithFeeds()
    await report(at, [bounce(await confirmed(at, ADA))])
    const token = await linkOf(at)
    await at.useCases.requestMove.execute({ token, email: 'countess@example.com' })
    expect(await stateOf(at, ADA)).toBe('ok')
  })

  it('is in order again when an administrator lifts it, by hash or address, and the trail names the hash', async () => {
    const at = await openWithFeeds()
    const id = await confirmed(at, ADA)
    for (const address of [hashOf(at, ADA), 'Ada@Example.com']) {
      await report(at, [bounce(id)])
      expect(await at.useCases.liftUndeliverable.execute({ address }, ADMIN)).toBe(hashOf(at, ADA))
      expect(await stateOf(at, ADA)).toBe('ok')
      expect((await auditOf(at)).at(-1)).toMatchObject({ action: 'deliverability.lift', target: hashOf(at, ADA) })
    }
    expect(await eventsOf(at, 'subscription.deliverable')).toHaveLength(2)
    for (const address of [ADA, hashOf(at, ADA), 'nonsense'])
      await expect(at.useCases.liftUndeliverable.execute({ address }, ADMIN)).rejects.toThrow(UndeliverableNotFound)
    await expect(at.useCases.liftUndeliverable.execute({ address: ADA }, AUDITOR)).rejects.toThrow('requires')
  })

  it.each([
    ['by address', () => ADA],
    ['by hash', (at: Service) => hashOf(at, ADA)],
  ])(
    'tells the senders when it is lifted %s, also where it came from a file and not from a report',
    async (_, name) => {
      const at = await openWithFeeds('weekly')
      const ids = [await confirmed(at, ADA), await confirmed(at, ADA, 'weekly')]
      await importBounce(at, ADA)
      await at.useCases.liftUndeliverable.execute({ address: name(at) }, ADMIN)
      const of = (type: string) => ids.map((id) => `${type} ${id}`).sort()
      expect((await eventsOf(at, 'subscription.undeliverable')).sort()).toEqual(of('subscription.undeliverable'))
      expect((await eventsOf(at, 'subscription.deliverable')).sort()).toEqual(of('subscription.deliverable'))
    },
  )

  it('tells the senders when it is lifted by hash, also where the subscription that was reported is erased', async () => {
    const at = await openWithFeeds('weekly')
    const [reported, left] = [await confirmed(at, ADA), await confirmed(at, ADA, 'weekly')]
    await report(at, [bounce(reported)])
    await at.useCases.eraseSubscription.execute({ subscriptionId: String(reported) }, ADMIN)
    await at.useCases.liftUndeliverable.execute({ address: hashOf(at, ADA) }, ADMIN)
    expect(await eventsOf(at, 'subscription.deliverable')).toEqual([`subscription.deliverable ${left}`])
  })

  it('tells the senders of subscriptions that are confirmed without a click, and when it is lifted', async () => {
    const at = await openWithFeeds('weekly')
    await importBounce(at, ADA)
    const { id } = await subscribe(at, ADA)
    await at.useCases.confirmOnBehalf.execute({ subscriptionId: String(id), reason: 'on paper' }, ADMIN)
    await importFile(at, linesOf([confirmedRow(ADA, { feed: 'weekly' }), confirmedRow('bob@example.com')]))
    const [first = '', second = '', ...more] = await eventsOf(at, 'subscription.undeliverable')
    expect(first).toBe(`subscription.undeliverable ${id}`)
    expect([second.split(' ')[0], more]).toEqual(['subscription.undeliverable', []])
    await at.useCases.liftUndeliverable.execute({ address: hashOf(at, ADA) }, ADMIN)
    expect(await eventsOf(at, 'subscription.deliverable')).toHaveLength(2)
  })

  it('is in order again after a year, and the senders are told; what only fails is forgotten in silence, after a month', async () => {
    const at = await openWithFeeds('weekly')
    const ids = [await confirmed(at, ADA), await confirmed(at, ADA, 'weekly')]
    await report(at, [bounce(ids[0] ?? 0), bounce(await confirmed(at, 'bob@example.com'), { status: '4.2.2' })])
    at.clock.advance(31 * DAY)
    await expire(at)
    expect([await stateOf(at, ADA), await stateOf(at, 'bob@example.com')]).toEqual(['undeliverable', 'ok'])
    at.clock.advance(334 * DAY)
    expect(await expire(at)).toEqual({ count: 0, more: false })
    expect(await stateOf(at, ADA)).toBe('undeliverable')
    at.clock.advance(1)
    expect(await expire(at)).toEqual({ count: 0, more: false })
    expect(await stateOf(at, ADA)).toBe('ok')
    expect((await eventsOf(at, 'subscription.deliverable')).sort()).toEqual(
      ids.map((id) => `subscription.deliverable ${id}`).sort(),
    )
  })

  it('stays so when the subscription that was reported expires, and the others are still found', async () => {
    const at = await openWithFeeds('weekly', 'daily')
    const { id: pending } = await subscribe(at, ADA)
    const left = await confirmed(at, ADA, 'weekly')
    await report(at, [bounce(pending)])
    await addWaiting(at, pending)
    at.clock.advance(7 * DAY)
    expect(await expire(at)).toEqual({ count: 1, more: false })
    expect(await stateOf(at, ADA)).toBe('undeliverable')
    expect(await waitingOf(at)).toEqual([left])
    await at.useCases.liftUndeliverable.execute({ address: hashOf(at, ADA) }, ADMIN)
    expect(await eventsOf(at, 'subscription.deliverable')).toEqual([`subscription.deliverable ${left}`])
  })

  it('stays so when the one that was reported is erased, and is forgotten with the last', async () => {
    const at = await openWithFeeds('weekly')
    const ids = [await confirmed(at, ADA), await confirmed(at, ADA, 'weekly')] as const
    await report(at, [bounce(ids[0])])
    await addWaiting(at, ids[0])
    const erase = (id: number) => at.useCases.eraseSubscription.execute({ subscriptionId: String(id) }, ADMIN)
    await erase(ids[0])
    expect([await stateOf(at, ADA), await waitingOf(at)]).toEqual(['undeliverable', [ids[1]]])
    await erase(ids[1])
    expect([await stateOf(at, ADA), await waitingOf(at)]).toEqual(['ok', []])
  })

  it('stays so when its last subscription expires, and is lifted for one that is confirmed after that', async () => {
    const at = await openWithFeeds('weekly')
    const { id } = await subscribe(at, ADA)
    await report(at, [bounce(id)])
    at.clock.advance(7 * DAY)
    await expire(at)
    expect(await stateOf(at, ADA)).toBe('undeliverable')
    const { id: later } = await subscribe(at, ADA, { feed: 'weekly' })
    await at.useCases.confirmOnBehalf.execute({ subscriptionId: String(later), reason: 'on paper' }, ADMIN)
    await at.useCases.liftUndeliverable.execute({ address: hashOf(at, ADA) }, ADMIN)
    expect(await eventsOf(at, 'subscription.deliverable')).toEqual([`subscription.deliverable ${later}`])
  })

  it('is listed by hash, with failing ones or without', async () => {
    const at = await openWithFeeds()
    await report(at, [
      bounce(await confirmed(at, ADA)),
      bounce(await confirmed(at, 'bob@example.com'), { status: '4.2.2' }),
    ])
    const list = async (state?: string) =>
      (await at.useCases.listUndeliverable.execute({ state }, AUDITOR)).items.map(({ address }) => address)
    expect(await list()).toEqual([hashOf(at, ADA), hashOf(at, 'bob@example.com')])
    expect(await list('undeliverable')).toEqual([hashOf(at, ADA)])
    await expect(list('ok')).rejects.toMatchObject({ details: [{ field: 'state' }] })
  })
})

describe('an address that fails', () => {
  const failing = async () => {
    const at = await openWithFeeds('weekly')
    const id = await confirmed(at, ADA)
    await report(at, [bounce(id, { status: '4.2.2' })])
    expect(await stateOf(at, ADA)).toBe('failing')
    return { at, id }
  }
  const delivered = async (at: Service, ago = 0, address = 'Ada@example.com') => {
    const item = { kind: 'delivery', address, at: new Date(at.clock.now() - ago).toISOString() }
    const feedbackVerifiers = { ses: { verify: async () => [item] } }
    const { receiveFeedback } = createUseCases({ ...at.ports, feedbackVerifiers }, MEMORY_SETTINGS)
    await receiveFeedback.execute({ provider: 'ses', body: new Uint8Array(), requestId: 'r1' })
  }
  const linkTo = (at: Service, purpose: 'unsubscribe' | 'manage', id: number) =>
    new LinkTokens(at.ports).signId(purpose, id)

  it('is in order again with a delivery, in silence', async () => {
    const { at } = await failing()
    await delivered(at, 0, 'bob@example.com')
    expect(await stateOf(at, ADA)).toBe('failing')
    await delivered(at)
    expect(await stateOf(at, ADA)).toBe('ok')
    expect(await eventsOf(at, 'subscription.deliverable')).toEqual([])
  })

  it('stays so after a delivery of a day before, and an undeliverable one after any', async () => {
    const { at, id } = await failing()
    await delivered(at, 2 * DAY)
    expect(await stateOf(at, ADA)).toBe('failing')
    await report(at, [bounce(id)])
    await delivered(at)
    expect(await stateOf(at, ADA)).toBe('undeliverable')
  })

  it('is reported among any number of items, of which those that cannot be read are left out', async () => {
    const { at } = await failing()
    const item = (address: string) => ({ kind: 'delivery', address, at: new Date(at.clock.now()).toISOString() })
    const others = Array.from({ length: 2_500 }, (_, n) => item(`reader${n}@example.com`))
    const items = [...others.slice(0, 1_300), item('no address'), item('Ada@example.com'), ...others.slice(1_300)]
    const feedbackVerifiers = { ses: { verify: async () => items } }
    const { receiveFeedback } = createUseCases({ ...at.ports, feedbackVerifiers }, MEMORY_SETTINGS)
    await receiveFeedback.execute({ provider: 'ses', body: new Uint8Array() })
    expect(await stateOf(at, ADA)).toBe('ok')
  })

  it('is reported by no provider whose name every object inherits', async () => {
    const { at } = await failing()
    const { receiveFeedback } = createUseCases({ ...at.ports, feedbackVerifiers: {} }, MEMORY_SETTINGS)
    for (const provider of ['constructor', '__proto__', 'toString', 'ses'])
      await expect(receiveFeedback.execute({ provider, body: new Uint8Array() })).rejects.toThrow(SignatureNotValid)
  })

  it('is told of in the trail, where most deliveries leave nothing', async () => {
    const { at } = await failing()
    const recorded = async () => (await auditOf(at)).filter(({ action }) => action === 'feedback.record')
    const before = await recorded()
    await delivered(at)
    await delivered(at)
    await delivered(at, 0, 'bob@example.com')
    expect((await recorded()).slice(before.length)).toMatchObject([
      { actor: PROVIDER.id, channel: 'feedback', requestId: 'r1' },
    ])
    expect(await at.storage.readers.feedback.counted(PROVIDER.id, Math.floor(at.clock.now() / DAY))).toBe(0)
  })

  it('stays so when the relay takes a mail: that is no delivery', async () => {
    const { at } = await failing()
    await subscribe(at, ADA, { feed: 'weekly' })
    await deliver(at)
    expect([mailsOf(at).length, await stateOf(at, ADA)]).toEqual([1, 'failing'])
  })

  it.each<[string, (at: Service, id: number) => Promise<unknown>]>([
    ['unsubscribes', (at, id) => unsubscribe(at, linkTo(at, 'unsubscribe', id))],
    ['asks for the preferences', (at, id) => at.useCases.mailPreferences.execute({ token: linkTo(at, 'manage', id) })],
    ['confirms', (at) => subscribe(at, ADA, { feed: 'weekly' }).then(() => follow(at, 'confirm'))],
    ['refuses', (at) => subscribe(at, ADA, { feed: 'weekly' }).then(() => follow(at, 'refuse'))],
    ['changes the preferences', async (at) => change(at, await linkOf(at), 'subscribe', { feed: 'default' })],
  ])('is in order again when its owner %s by a link of ours', async (_, act) => {
    const { at, id } = await failing()
    await act(at, id)
    expect(await stateOf(at, ADA)).toBe('ok')
  })

  const follow = async (at: Service, purpose: 'confirm' | 'refuse') => {
    const token = await mailedToken(at, purpose)
    await (purpose === 'confirm' ? confirm(at, token) : refuse(at, token))
  }

  it('is in order again when its owner undoes a change of address', async () => {
    const { at, ids, undoToken } = await withMove()
    await report(at, [bounce(ids.default, { status: '4.2.2' })])
    const state = async () =>
      (await at.storage.readers.deliverability.find(hashOf(at, 'ada.lovelace@example.com')))?.state
    const before = await at.useCases.listUndeliverable.execute({}, ADMIN)
    expect(before.items).toMatchObject([{ state: 'failing' }])
    await undo(at, undoToken)
    expect([await state(), (await at.useCases.listUndeliverable.execute({}, ADMIN)).items]).toEqual([undefined, []])
  })

  it('stays undeliverable once it is so, where only a link to unsubscribe is followed', async () => {
    const { at, id } = await failing()
    await report(at, [bounce(id)])
    await unsubscribe(at, linkTo(at, 'unsubscribe', id))
    expect(await stateOf(at, ADA)).toBe('undeliverable')
  })
})

describe("the relay's refusal of a recipient", () => {
  const refusing = async (recipientStatus: string | undefined, words = '550 no') => {
    const at = await openWithFeeds('weekly')
    at.transport.otherSide = async () => {
      throw new MailRefusedPermanently(words, { recipientStatus })
    }
    await subscribe(at, ADA)
    await deliver(at)
    return at
  }

  it('makes the address undeliverable, and counts as the one mail of a week', async () => {
    const at = await refusing('5.1.1')
    expect(await stateOf(at, ADA)).toBe('undeliverable')
    at.transport.otherSide = async () => {}
    at.clock.advance(6 * DAY)
    await subscribe(at, ADA, { feed: 'weekly' })
    await deliver(at)
    expect(mailsOf(at)).toEqual([])
    at.clock.advance(DAY)
    await deliver(at)
    expect(mailsOf(at)).toHaveLength(1)
  })

  it('counts by its words as a report does', async () => {
    const at = await refusing('5.4.1', '550 5.4.1 <hidden>: Recipient address rejected: Access denied')
    expect(await stateOf(at, ADA)).toBe('undeliverable')
    expect(await stateOf(await refusing('5.2.2'), ADA)).toBe('failing')
  })

  it('tells the senders of its confirmed subscriptions', async () => {
    const at = await openWithFeeds('weekly')
    const id = await confirmed(at, ADA)
    at.transport.otherSide = async () => {
      throw new MailRefusedPermanently('550 no', { recipientStatus: '5.1.1' })
    }
    await subscribe(at, ADA, { feed: 'weekly' })
    await deliver(at)
    expect(await eventsOf(at, 'subscription.undeliverable')).toEqual([`subscription.undeliverable ${id}`])
  })
})

it('has our own mails come back to an address that names the subscription and the day', async () => {
  const at = await openWithFeeds()
  await subscribe(at, ADA)
  await deliver(at)
  expect(lastMailOf(at).returnTo).toMatch(/^bounces\+[0-9a-z]{1,11}\.\d{5}\.1[0-9a-f]{20}@news\.example\.com$/)
})
