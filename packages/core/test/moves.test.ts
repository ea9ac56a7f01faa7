import { describe, expect, it } from 'vitest'
import { MemoryLinkKeys, memoryDigests } from '../memory/index.ts'
import {
  addressHash,
  DAY,
  type EventType,
  HOUR,
  InvalidInput,
  LinkNotValid,
  LinkTokens,
  MailRefusedPermanently,
  MINUTE,
  publishedAboutAddress,
  publishedSubscription,
  UNDO_LIFE,
} from '../src/index.ts'
import {
  ADMIN,
  confirm,
  deliver,
  lastMailOf,
  mailedToken,
  mailsOf,
  outboxOf,
  refuse,
  type Service,
  stored,
  subscribe,
  unsubscribe,
} from './cast.ts'
import { failWith, heal } from './deliveries.ts'
import { bounce, report, stateOf } from './feedback.ts'
import { askToMove, carryOut, NEW, showMove, subscriptionsOf, tokenOf, undo, withMove, withRequest } from './moves.ts'
import { change, deedsOf, download, EMAIL, eventsOf, linkOf, withThree } from './preferences.ts'
import { isParked, waitingIn, waits } from './waiting.ts'

const DIGESTS = memoryDigests('a secret for tests')
const SIGNING = { linkKeys: new MemoryLinkKeys(), digests: DIGESTS }
const unsubscribeToken = (id: number): string =>
  new LinkTokens(SIGNING).sign('unsubscribe', { id, episode: '', expiresAt: undefined })
/** Both of them can no longer be undone. */
const withTwoMoves = async () => {
  const { at, ids, made } = await withMove()
  at.clock.advance(UNDO_LIFE)
  await at.useCases.finishMoves.execute()
  await askToMove(at, await linkOf(at, NEW), 'third@example.org')
  await deliver(at)
  await carryOut(at, tokenOf(at, 'move'))
  at.clock.advance(UNDO_LIFE)
  await at.useCases.finishMoves.execute()
  return { at, ids, made, third: (await subscriptionsOf(at, 'third@example.org')).default?.id ?? 0 }
}
/** The old address has moved on for good, and a third one has moved to it since. */
const withArrival = async () => {
  const { at, ids, made } = await withMove()
  at.clock.advance(UNDO_LIFE)
  await at.useCases.finishMoves.execute()
  await subscribe(at, 'third@example.org')
  await confirm(at, await mailedToken(at, 'confirm'))
  at.clock.advance(HOUR)
  await askToMove(at, await linkOf(at, 'third@example.org'), EMAIL)
  await deliver(at)
  await carryOut(at, tokenOf(at, 'move'))
  return { at, arrived: ids.default, made }
}
const eventsSince = async (at: Service, count: number) => (await eventsOf(at)).slice(count)
const event = (type: EventType, id: number) => `${type} ${id}`

describe('asking for a change of address', () => {
  it('mails the new address, and shows it nothing of the old one', async () => {
    const { at, ids, mail } = await withRequest()
    expect(mail).toMatchObject({ kind: 'move', to: NEW, locale: 'de' })
    expect(mail.links).toMatchObject({ confirm: undefined, refuse: undefined, preferences: undefined })
    expect([mail.links.unsubscribe, mail.links.undo, JSON.stringify(mail).includes(EMAIL)]).toEqual([
      undefined,
      undefined,
      false,
    ])
    expect(await outboxOf(at)).toEqual([])
    expect(await stored(at, ids.default)).toMatchObject({ status: 'confirmed', email: EMAIL })
    expect(await subscriptionsOf(at, NEW)).toEqual({})
  })

  it('mails it again after a mail that was given up', async () => {
    const { at } = await withThree()
    const preferences = await linkOf(at)
    failWith(at, new MailRefusedPermanently('554 no relay'))
    await askToMove(at, preferences)
    await deliver(at)
    heal(at)
    at.clock.advance(HOUR)
    await askToMove(at, await linkOf(at))
    expect(await outboxOf(at)).toMatchObject([{ kind: 'move', parkedAt: undefined }])
    await deliver(at)
    expect(lastMailOf(at)).toMatchObject({ kind: 'move', to: NEW })
  })

  it('counts towards the caps of the new address, and waits for them', async () => {
    const { at } = await withThree()
    const preferences = await linkOf(at)
    await subscribe(at, NEW)
    await deliver(at)
    await askToMove(at, preferences)
    await deliver(at)
    expect(lastMailOf(at).kind).toBe('confirmation')
    expect(await outboxOf(at)).toMatchObject([{ kind: 'move', notBefore: at.clock.now() + 10 * MINUTE }])
    at.clock.advance(10 * MINUTE)
    await deliver(at)
    expect(lastMailOf(at)).toMatchObject({ kind: 'move', to: NEW })
  })

  it('sends no mail to an address that is suppressed, and no copy where the caps hold it back', async () => {
    const { at } = await withThree()
    const preferences = await linkOf(at)
    const hash = addressHash(DIGESTS, 'stop@example.org')
    await at.storage.unitOfWork.run(({ suppressions }) => suppressions.add(hash, { cause: 'refused', since: 1 }))
    const sent = mailsOf(at).length
    await askToMove(at, preferences, 'stop@example.org')
    expect([await outboxOf(at), mailsOf(at).length]).toEqual([[], sent])
    for (let times = 0; times < 3; times++) {
      await askToMove(at, preferences)
      await deliver(at)
    }
    expect(mailsOf(at)).toHaveLength(sent + 1)
    expect(await outboxOf(at)).toEqual([])
  })

  it('says nothing about the old address where the new one does not exist', async () => {
    const { at } = await withThree()
    const preferences = await linkOf(at)
    await askToMove(at, preferences)
    failWith(at, new MailRefusedPermanently('550 5.1.1 no such user', { recipientStatus: '5.1.1' }))
    const before = await eventsOf(at)
    await deliver(at)
    expect(await eventsOf(at)).toEqual(before)
    const { deliverability } = at.storage.readers
    expect(await deliverability.find(addressHash(DIGESTS, EMAIL))).toBeUndefined()
    expect(await deliverability.find(addressHash(DIGESTS, NEW.toLowerCase()))).toMatchObject({
      state: 'undeliverable',
    })
  })

  it('takes the place of the request before: its mail is withdrawn, its link no longer good', async () => {
    const { at, preferences, token } = await withRequest()
    await askToMove(at, preferences, 'other@example.org')
    await askToMove(at, preferences, 'third@example.org')
    expect(await outboxOf(at)).toHaveLength(1)
    await deliver(at)
    expect(lastMailOf(at).to).toBe('third@example.org')
    await expect(carryOut(at, token)).rejects.toThrow(LinkNotValid)
    await carryOut(at, tokenOf(at, 'move'))
    expect(Object.keys(await subscriptionsOf(at, 'third@example.org'))).toEqual(['default'])
  })

  it('is refused for the same address, for none, and where nothing is confirmed', async () => {
    const { at } = await withThree()
    const preferences = await linkOf(at)
    for (const email of ['nonsense', 'ADA@example.com'])
      await expect(askToMove(at, preferences, email)).rejects.toThrow(InvalidInput)
    await change(at, preferences, 'end', { feed: 'default' })
    await expect(askToMove(at, preferences)).rejects.toThrow(InvalidInput)
    at.clock.advance(2 * HOUR)
    await expect(askToMove(at, preferences)).rejects.toThrow(LinkNotValid)
  })
})

describe('following the link in the mail to the new address', () => {
  it('shows which feeds move and where to, and changes nothing', async () => {
    const { at, token } = await withRequest()
    const before = await eventsOf(at)
    const subject = await showMove(at, token)
    expect(subject).toMatchObject({ already: false, email: NEW, locale: 'de' })
    expect(subject.feeds.map(({ name }) => name)).toEqual(['default'])
    expect(await eventsOf(at)).toEqual(before)
  })

  it('withdraws a mail with the same link that still waits', async () => {
    const { at, preferences, token } = await withRequest()
    at.clock.advance(10 * MINUTE)
    await askToMove(at, preferences)
    expect(await outboxOf(at)).toMatchObject([{ kind: 'move' }])
    await carryOut(at, token)
    expect(await outboxOf(at)).toMatchObject([{ kind: 'moved' }])
  })

  it('confirms what was confirmed under ids of its own, and ends the old ones', async () => {
    const { at, ids, token } = await withRequest()
    const before = (await eventsOf(at)).length
    expect(await carryOut(at, token)).toEqual({ already: false })
    const { default: made, ...others } = await subscriptionsOf(at, NEW)
    expect(others).toEqual({})
    expect(made).toMatchObject({
      email: NEW,
      name: 'Ada',
      locale: 'de',
      status: 'confirmed',
      createdAt: at.clock.now(),
    })
    const old = (await subscriptionsOf(at)).default
    expect(publishedSubscription(old!)).toMatchObject({ status: 'ended', ended_because: 'moved', moved_to: made?.id })
    expect(publishedSubscription(made!)).not.toHaveProperty('ended_because')
    expect(await stored(at, ids.news)).toMatchObject({ status: 'pending' })
    expect(await stored(at, ids.offers)).not.toHaveProperty('movedTo')
    const again = await at.useCases.endOnBehalf.execute({ subscriptionId: String(old?.id), reason: 'asked' }, ADMIN)
    expect(again).toEqual({ subscription: old, already: true })
    expect([await deedsOf(at, made?.id ?? 0), (await deedsOf(at, ids.default)).at(-1)]).toEqual([
      ['moved via link'],
      'moved via link',
    ])
    expect(await eventsSince(at, before)).toEqual([
      event('subscription.confirmed', made?.id ?? 0),
      event('subscription.ended', ids.default),
    ])
  })

  it('says in the event that ended it what the old one has become', async () => {
    const { at, ids, made } = await withMove()
    const { items } = await at.useCases.listEvents.execute({ limit: '200' }, ADMIN)
    const ended = items.findLast(
      ({ event }) => event.type === 'subscription.ended' && event.subject === `${ids.default}`,
    )
    expect(ended?.subject).toMatchObject({ subscription: { movedTo: made } })
  })

  it('does it once, and says so when it is repeated', async () => {
    const { at, token, made } = await withMove()
    const before = await eventsOf(at)
    expect(await carryOut(at, token)).toEqual({ already: true })
    expect(await showMove(at, token)).toMatchObject({ already: true, feeds: [] })
    expect(await eventsOf(at)).toEqual(before)
    expect(await stored(at, made)).toMatchObject({ status: 'confirmed' })
  })

  it('is not valid once the link has expired, the address is suppressed, or nothing is left to move', async () => {
    const expired = await withRequest()
    expired.at.clock.advance(30 * DAY)
    await expect(carryOut(expired.at, expired.token)).rejects.toThrow(LinkNotValid)
    const suppressed = await withRequest()
    const hash = addressHash(DIGESTS, NEW.toLowerCase())
    await suppressed.at.storage.unitOfWork.run(({ suppressions }) =>
      suppressions.add(hash, { cause: 'refused', since: 1 }),
    )
    await expect(carryOut(suppressed.at, suppressed.token)).rejects.toThrow(LinkNotValid)
    const left = await withRequest()
    await left.at.useCases.endOnBehalf.execute({ subscriptionId: `${left.ids.default}`, reason: 'by letter' }, ADMIN)
    await expect(carryOut(left.at, left.token)).rejects.toThrow(LinkNotValid)
  })
})

describe('the old address', () => {
  it('gets one mail about it, whatever the caps say, which does not say where they have moved', async () => {
    const { at } = await withRequest()
    for (let mails = 0; mails < 3; mails++) {
      await subscribe(at, EMAIL, { feed: 'news' })
      await deliver(at)
    }
    await carryOut(at, tokenOf(at, 'move'))
    await deliver(at)
    const mail = lastMailOf(at)
    expect(mail).toMatchObject({ kind: 'moved', to: EMAIL, links: { preferences: undefined } })
    expect(JSON.stringify(mail)).not.toContain('example.org')
    expect(mailsOf(at).filter(({ kind }) => kind === 'moved')).toHaveLength(1)
  })

  it('can undo it for seven days: the new ones end, the old ones are confirmed', async () => {
    const { at, ids, made, undoToken } = await withMove()
    at.clock.advance(UNDO_LIFE - HOUR)
    expect(await showMove(at, undoToken, 'undo')).toMatchObject({ already: false, feeds: [{ name: 'default' }] })
    expect(await undo(at, undoToken)).toEqual({ already: false })
    expect(await stored(at, made)).toMatchObject({ status: 'ended' })
    const old = await stored(at, ids.default)
    expect([old.status, old.movedTo]).toEqual(['confirmed', undefined])
    expect(await undo(at, undoToken)).toEqual({ already: true })
    expect(await showMove(at, undoToken, 'undo')).toMatchObject({ already: true, feeds: [] })
    expect(await deedsOf(at, ids.default)).toEqual(expect.arrayContaining(['moved via link', 'confirmed via link']))
    at.clock.advance(HOUR)
    await expect(undo(at, undoToken)).rejects.toThrow(LinkNotValid)
    await at.useCases.finishMoves.execute()
    expect(await stored(at, ids.default)).toMatchObject({ status: 'confirmed' })
  })

  it('cannot be undone by the link to the new address, nor carried out by the other', async () => {
    const { at, token, undoToken } = await withMove()
    await expect(undo(at, token)).rejects.toThrow(LinkNotValid)
    await expect(carryOut(at, undoToken)).rejects.toThrow(LinkNotValid)
  })

  it('leaves what began a life of its own since as it is', async () => {
    const { at, ids, made, undoToken } = await withMove()
    await subscribe(at, EMAIL)
    at.clock.advance(HOUR)
    await confirm(at, await mailedToken(at, 'confirm'))
    await unsubscribe(at, unsubscribeToken(ids.default))
    await subscribe(at, EMAIL)
    await undo(at, undoToken)
    expect(await stored(at, ids.default)).toMatchObject({ status: 'pending' })
    expect(await stored(at, made)).toMatchObject({ status: 'ended' })
  })

  it('confirms the old one although somebody, anybody, has sent the form for it', async () => {
    const { at, ids, made, undoToken } = await withMove()
    await subscribe(at, EMAIL)
    await undo(at, undoToken)
    expect(await stored(at, ids.default)).toMatchObject({ status: 'confirmed' })
    expect(await stored(at, made)).toMatchObject({ status: 'ended' })
    expect((await outboxOf(at)).filter(({ kind }) => kind === 'confirmation')).toEqual([])
  })

  it('moves no second time meanwhile, nor does the new one; after that both may', async () => {
    const { at, made, undoToken } = await withMove()
    await subscribe(at, EMAIL, { feed: 'others' })
    at.clock.advance(HOUR)
    await confirm(at, await mailedToken(at, 'confirm'))
    expect(await showMove(at, undoToken, 'undo')).toMatchObject({ feeds: [{ name: 'default' }] })
    const held = { details: [{ field: 'email', message: expect.stringContaining('can be undone until') }] }
    await expect(askToMove(at, await linkOf(at), 'third@example.org')).rejects.toMatchObject(held)
    await expect(askToMove(at, await linkOf(at, NEW), 'third@example.org')).rejects.toMatchObject(held)
    at.clock.advance(UNDO_LIFE)
    await at.useCases.finishMoves.execute()
    await askToMove(at, await linkOf(at, NEW), 'third@example.org')
    await deliver(at)
    await carryOut(at, tokenOf(at, 'move'))
    expect(await stored(at, made)).toMatchObject({ status: 'ended' })
  })

  it('is kept apart from the next change, also if it is over and not finished yet', async () => {
    const { at, ids } = await withThree()
    const confirmAgain = async (feed: string) => {
      await subscribe(at, EMAIL, { feed })
      await confirm(at, await mailedToken(at, 'confirm'))
      at.clock.advance(HOUR)
    }
    await confirmAgain('news')
    await askToMove(at, await linkOf(at))
    await deliver(at)
    await carryOut(at, tokenOf(at, 'move'))
    const { news: made } = await subscriptionsOf(at, NEW)
    at.clock.advance(DAY)
    await confirmAgain('default')
    at.clock.advance(UNDO_LIFE)
    await askToMove(at, await linkOf(at), 'third@example.org')
    await expect(stored(at, ids.news)).rejects.toThrow()
    await deliver(at)
    await carryOut(at, tokenOf(at, 'move'))
    await deliver(at)
    await undo(at, tokenOf(at, 'undo'))
    expect(await stored(at, made?.id ?? 0)).toMatchObject({ status: 'confirmed' })
    expect(await stored(at, ids.default)).toMatchObject({ status: 'confirmed' })
    expect(Object.keys(await subscriptionsOf(at)).sort()).toEqual(['default', 'offers'])
  })

  it('is forgotten after seven days, but for its ids', async () => {
    const { at, ids, made } = await withMove()
    at.clock.advance(UNDO_LIFE - 1)
    expect(await at.useCases.finishMoves.execute()).toEqual({ count: 0, more: false })
    at.clock.advance(1)
    expect(await at.useCases.finishMoves.execute()).toEqual({ count: 1, more: false })
    await expect(stored(at, ids.default)).rejects.toThrow()
    expect((await eventsOf(at)).at(-1)).toBe(event('subscription.erased', ids.default))
    expect(await at.storage.readers.moves.movedFrom([ids.default])).toEqual([
      { oldId: ids.default, newId: made, episode: '', newEpisode: undefined, move: undefined },
    ])
    expect(await at.storage.readers.moves.find(ids.default)).toBeUndefined()
  })

  it('has its unused request forgotten when that has expired, in bounded batches', async () => {
    const { at, ids } = await withRequest()
    await at.storage.unitOfWork.run(async ({ moves }) => {
      const request = await moves.find(ids.default)
      for (let n = 1; n < 20; n++)
        if (request) await moves.put({ ...request, id: request.id + n, address: addressHash(DIGESTS, `${n}`) })
    })
    at.clock.advance(30 * DAY)
    expect(await at.useCases.finishMoves.execute()).toEqual({ count: 0, more: true })
    expect(await at.useCases.finishMoves.execute()).toEqual({ count: 0, more: false })
    expect(await at.storage.readers.moves.find(ids.default)).toBeUndefined()
    expect(await stored(at, ids.default)).toMatchObject({ status: 'confirmed' })
  })
})

describe('what is stored about an address', () => {
  it('has the request with the new address, and later only ids', async () => {
    const { at, preferences, token, ids } = await withRequest()
    const before = publishedAboutAddress(await download(at, preferences))
    expect(before.move).toMatchObject({ email: NEW, moved_at: null, undone_at: null })
    await carryOut(at, token)
    const after = publishedAboutAddress(await download(at, preferences))
    expect(after.move).toMatchObject({ email: null, moved_at: expect.any(String) })
    const made = (await subscriptionsOf(at, NEW)).default?.id
    expect(after.subscriptions[0]).toMatchObject({ ended_because: 'moved', moved_to: made, moved_from: [] })
    const there = publishedAboutAddress(await download(at, await linkOf(at, NEW)))
    expect(there.subscriptions[0]).toMatchObject({ id: made, moved_from: [ids.default] })
    expect([there.move, JSON.stringify(there).includes(EMAIL)]).toEqual([null, false])
  })
})

describe('an unsubscribe link in an old mail', () => {
  it('ends the new one once a form for the old address, which nobody confirmed, has expired', async () => {
    const { at, ids, made } = await withMove()
    at.clock.advance(UNDO_LIFE - DAY)
    await subscribe(at, EMAIL)
    at.clock.advance(DAY)
    await at.useCases.finishMoves.execute()
    expect(await stored(at, ids.default)).toMatchObject({ status: 'pending' })
    at.clock.advance(30 * DAY)
    await at.useCases.expireSubscriptions.execute()
    await expect(stored(at, ids.default)).rejects.toThrow()
    expect(await stored(at, made)).toMatchObject({ status: 'confirmed' })
    await unsubscribe(at, unsubscribeToken(ids.default))
    expect(await stored(at, made)).toMatchObject({ status: 'ended' })
  })

  it('ends the last of several moves', async () => {
    const { at, ids, made, third } = await withTwoMoves()
    await expect(stored(at, made)).rejects.toThrow()
    const token = unsubscribeToken(ids.default)
    expect((await at.useCases.showLink.execute({ purpose: 'unsubscribe', token })).subscription?.id).toBe(third)
    await unsubscribe(at, token)
    expect(await stored(at, third)).toMatchObject({ status: 'ended' })
  })

  it('ends the old one alone once its address has subscribed again, also after that has ended', async () => {
    const { at, ids, made } = await withMove()
    await subscribe(at, EMAIL)
    at.clock.advance(HOUR)
    await confirm(at, await mailedToken(at, 'confirm'))
    for (let times = 0; times < 2; times++) {
      await unsubscribe(at, unsubscribeToken(ids.default))
      expect(await stored(at, ids.default)).toMatchObject({ status: 'ended' })
      await subscribe(at, EMAIL)
    }
    expect(await stored(at, made)).toMatchObject({ status: 'confirmed' })
    at.clock.advance(UNDO_LIFE)
    await at.useCases.finishMoves.execute()
    expect(await at.storage.readers.moves.movedFrom([ids.default])).toEqual([])
  })

  it.each(['pressed', 'refused', 'finished'] as const)(
    'ends both if somebody, anybody, has sent the form for the old address (%s)',
    async (then) => {
      const { at, ids, made } = await withMove()
      await subscribe(at, EMAIL)
      at.clock.advance(HOUR)
      if (then === 'refused') await refuse(at, await mailedToken(at, 'refuse'))
      if (then === 'finished') {
        at.clock.advance(UNDO_LIFE)
        await at.useCases.finishMoves.execute()
      }
      const token = unsubscribeToken(ids.default)
      const shown = { subscription: { id: made }, moved: true }
      expect(await at.useCases.showLink.execute({ purpose: 'unsubscribe', token })).toMatchObject(shown)
      await unsubscribe(at, token)
      for (const id of [ids.default, made]) expect(await stored(at, id)).toMatchObject({ status: 'ended' })
      if (then === 'refused') return
      await subscribe(at, EMAIL)
      const again = { subscription: { id: ids.default, status: 'pending' } }
      expect(await at.useCases.showLink.execute({ purpose: 'unsubscribe', token })).toMatchObject(again)
    },
  )

  it('ends the one that has moved to the old address since, and never the one that had moved from it', async () => {
    const { at, arrived, made } = await withArrival()
    for (let times = 0; times < 2; times++) await unsubscribe(at, unsubscribeToken(arrived))
    expect([(await stored(at, arrived)).status, (await stored(at, made)).status]).toEqual(['ended', 'confirmed'])
  })

  it('ends what a form that still waited would have begun, at either address', async () => {
    const { at, ids, made } = await withMove()
    for (const email of [NEW, EMAIL]) await waits(at, email)
    await unsubscribe(at, unsubscribeToken(ids.default))
    await at.useCases.carryOutRequests.execute()
    for (const id of [ids.default, made]) expect(await stored(at, id)).toMatchObject({ status: 'ended' })
  })
})

describe('a form for the old address that nobody confirms', () => {
  it('ends again as it had ended if it expires sooner than the move: that can still be undone', async () => {
    const { at, ids, made, undoToken } = await withMove()
    await subscribe(at, EMAIL)
    await at.storage.unitOfWork.run(async ({ subscriptions }) => {
      const old = await subscriptions.find(ids.default)
      if (old) await subscriptions.put({ ...old, expiresAt: at.clock.now() })
    })
    await at.useCases.expireSubscriptions.execute()
    expect(await stored(at, made)).toMatchObject({ status: 'confirmed' })
    expect(await stored(at, ids.default)).toMatchObject({ status: 'ended', movedTo: made })
    await undo(at, undoToken)
    expect(await stored(at, ids.default)).toMatchObject({ status: 'confirmed' })
  })
})

describe('erasing one of them', () => {
  const erase = ({ useCases }: Service, id: number) =>
    useCases.eraseSubscription.execute({ subscriptionId: `${id}` }, ADMIN)
  const nothingOf = async ({ storage }: Service, ids: readonly number[]) =>
    await storage.unitOfWork.run(async ({ moves }) => {
      for (const id of ids) if (await moves.touches(id)) return false
      return true
    })

  it('erases both, whichever it is, and all that is known of the move', async () => {
    for (const which of ['old', 'new'] as const) {
      const { at, ids, made } = await withMove()
      for (const id of [ids.default, made]) await report(at, [bounce(id)])
      await erase(at, which === 'old' ? ids.default : made)
      expect(await stateOf(at, NEW.toLowerCase())).toBe('ok')
      for (const id of [ids.default, made]) await expect(stored(at, id)).rejects.toThrow()
      expect(await nothingOf(at, [ids.default, made])).toBe(true)
      expect((await eventsOf(at)).slice(-2).sort()).toEqual(
        [event('subscription.erased', ids.default), event('subscription.erased', made)].sort(),
      )
    }
  })

  it('erases both although somebody, anybody, has sent the form for the old address, or that still waits', async () => {
    for (const which of ['old', 'new', 'user of old', 'user of new'] as const)
      for (const form of [subscribe, waits, isParked]) {
        const { at, ids, made } = await withMove()
        await form(at, EMAIL)
        if (form !== subscribe) await form(at, NEW)
        const email = which === 'user of old' ? EMAIL : NEW
        await at.useCases.putUser.execute({ userId: 'ada', email, name: '', roles: [] }, ADMIN)
        if (which === 'old' || which === 'new') await erase(at, which === 'old' ? ids.default : made)
        else await at.useCases.deleteUser.execute({ userId: 'ada', subscriptions: 'erase' }, ADMIN)
        expect(await waitingIn(at)).toEqual([])
        for (const id of [ids.default, made]) await expect(stored(at, id)).rejects.toThrow()
        expect(await nothingOf(at, [ids.default, made])).toBe(true)
      }
  })

  it('leaves the old one as it is once its address has subscribed again', async () => {
    const { at, ids, made } = await withMove()
    await subscribe(at, EMAIL)
    at.clock.advance(HOUR)
    await confirm(at, await mailedToken(at, 'confirm'))
    await erase(at, made)
    expect(await stored(at, ids.default)).toMatchObject({ status: 'confirmed' })
  })

  it('leaves what has moved from it before another one moved to it', async () => {
    const { at, arrived, made } = await withArrival()
    await unsubscribe(at, unsubscribeToken(arrived))
    await erase(at, arrived)
    await expect(stored(at, arrived)).rejects.toThrow()
    expect(await stored(at, made)).toMatchObject({ status: 'confirmed' })
  })

  it('forgets the ids when the new one goes, after the old one is forgotten', async () => {
    const { at, ids, made } = await withMove()
    at.clock.advance(UNDO_LIFE)
    await at.useCases.finishMoves.execute()
    await erase(at, made)
    expect(await nothingOf(at, [ids.default, made])).toBe(true)
    const twice = await withTwoMoves()
    await erase(twice.at, twice.third)
    expect(await nothingOf(twice.at, [twice.ids.default, twice.made, twice.third])).toBe(true)
  })

  it('withdraws the mail of a request, and forgets the address in it', async () => {
    const { at } = await withThree()
    const preferences = await linkOf(at)
    await askToMove(at, preferences)
    await change(at, preferences, 'erase')
    expect(await outboxOf(at)).toEqual([])
    expect(await at.storage.readers.moves.ofAddress(addressHash(DIGESTS, EMAIL))).toBeUndefined()
  })

  it('forgets, with the new address, that a change to it was asked for, and its mail', async () => {
    for (const which of ['user', 'subscription'] as const) {
      const { at } = await withThree()
      const { id } = await subscribe(at, NEW)
      await confirm(at, await mailedToken(at, 'confirm'))
      await askToMove(at, await linkOf(at))
      expect((await outboxOf(at)).map(({ kind }) => kind)).toContain('move')
      await at.useCases.putUser.execute({ userId: 'ada', email: NEW, name: '', roles: [] }, ADMIN)
      if (which === 'subscription') await erase(at, id)
      else await at.useCases.deleteUser.execute({ userId: 'ada', subscriptions: 'erase' }, ADMIN)
      expect((await outboxOf(at)).map(({ kind }) => kind)).not.toContain('move')
      expect(await at.storage.readers.moves.ofAddress(addressHash(DIGESTS, EMAIL))).toBeUndefined()
    }
  })

  it('keeps a request to move to an address that is left, or of which only a form has expired', async () => {
    const { at } = await withThree()
    const ids: number[] = []
    for (const feed of ['default', 'others']) {
      ids.push((await subscribe(at, NEW, { feed })).id)
      await confirm(at, await mailedToken(at, 'confirm'))
      at.clock.advance(HOUR)
    }
    await askToMove(at, await linkOf(at))
    await erase(at, ids[0] ?? 0)
    expect((await outboxOf(at)).map(({ kind }) => kind)).toContain('move')
    const { at: there, token } = await withRequest()
    await subscribe(there, NEW)
    there.clock.advance(7 * DAY)
    for (let left = 1; left > 0; ) left = (await there.useCases.expireSubscriptions.execute()).count
    await carryOut(there, token)
    expect(await subscriptionsOf(there, NEW)).toMatchObject({ default: { status: 'confirmed' } })
  })

  it('goes with the feed', async () => {
    const at = (await withThree()).at
    await change(at, await linkOf(at), 'subscribe', { feed: 'news' })
    await change(at, await linkOf(at), 'end', { feed: 'default' })
    await askToMove(at, await linkOf(at))
    await deliver(at)
    await carryOut(at, tokenOf(at, 'move'))
    const { subscriptionsErased } = await at.useCases.deleteFeed.execute(
      { name: 'news', subscriptions: 'erase' },
      ADMIN,
    )
    expect(subscriptionsErased).toBe(2)
    const erased = (await eventsOf(at)).filter((one) => one.startsWith('subscription.erased'))
    expect(new Set(erased).size).toBe(2)
    expect(erased).toHaveLength(2)
  })
})
