import { describe, expect, it } from 'vitest'
import { asFeedName, InvalidInput, LinkNotValid } from '../src/index.ts'
import {
  confirm,
  deliver,
  mailsOf,
  outboxOf,
  refuse,
  type Service,
  stored,
  subscribe,
  tokenIn,
  unsubscribe,
} from './cast.ts'
import { ask, change, deedsOf, EMAIL, eventsFrom, show, statuses, suppressionOf, withLink } from './preferences.ts'

const feedIs = (at: Service, name: string, changes: object) =>
  at.storage.unitOfWork.run(async ({ feeds }) => {
    const feed = await feeds.find(asFeedName(name)!)
    await feeds.put({ ...feed!, ...changes })
  })

describe('subscribing by preferences', () => {
  it('confirms a pending subscription at once, and takes back the mail that asks for it', async () => {
    const { at, ids, token } = await withLink()
    await subscribe(at, EMAIL, { feed: 'news' })
    at.clock.advance(20 * 60_000)
    await subscribe(at, EMAIL, { feed: 'news' })
    expect((await outboxOf(at)).map(({ kind }) => kind)).toEqual(['confirmation'])
    at.clock.advance(20 * 60_000)
    const before = await stored(at, ids.news)
    const events = await eventsFrom(at, () => change(at, token, 'subscribe', { feed: 'news' }))
    const after = await stored(at, ids.news)
    expect(after).toMatchObject({ status: 'confirmed', confirmedAt: at.clock.now(), expiresAt: undefined })
    expect([after.episode, await outboxOf(at)]).toEqual([before.episode, []])
    expect((await deedsOf(at, ids.news)).slice(-2)).toEqual(['requested via preferences', 'confirmed via preferences'])
    expect(events).toEqual([`subscription.confirmed ${ids.news}`])
  })

  it('counts a request within ten minutes of one before', async () => {
    const { at, ids, token } = await withLink()
    at.clock.advance(30 * 60_000)
    await subscribe(at, EMAIL, { feed: 'news' })
    await change(at, token, 'subscribe', { feed: 'news' })
    expect((await deedsOf(at, ids.news)).slice(-2)).toEqual(['requested via form x2', 'confirmed via preferences'])
  })

  it('begins a new life after an end: what was agreed to is on record, and the links of before are superseded', async () => {
    const { at, ids, token } = await withLink()
    const before = await stored(at, ids.offers)
    const old = mailsOf(at).find(({ feed, kind }) => feed.name === 'offers' && kind === 'confirmation')!
    const events = await eventsFrom(at, () => change(at, token, 'subscribe', { feed: 'offers' }))
    const after = await stored(at, ids.offers)
    expect(after).toMatchObject({ status: 'confirmed', confirmedAt: at.clock.now(), endedAt: undefined, name: 'Ada' })
    expect([after.createdAt, after.episode === before.episode]).toEqual([before.createdAt, false])
    expect(await deedsOf(at, ids.offers)).toEqual([
      'requested via form',
      'ended via preferences',
      'requested via preferences',
      'confirmed via preferences',
    ])
    expect(events).toEqual([`subscription.confirmed ${ids.offers}`])
    await expect(refuse(at, tokenIn(old, 'refuse'))).rejects.toBeInstanceOf(LinkNotValid)
    await expect(confirm(at, tokenIn(old, 'confirm'))).rejects.toBeInstanceOf(LinkNotValid)
    await unsubscribe(at, tokenIn(old, 'unsubscribe'))
    expect((await stored(at, ids.offers)).status).toBe('ended')
  })

  it('sends no mail, and notifies no worker', async () => {
    const { at, token } = await withLink()
    for (const feed of ['news', 'offers']) await change(at, token, 'subscribe', { feed })
    expect(await outboxOf(at)).toEqual([])
  })

  it.each([
    ['closed', { open: false }],
    ['being deleted', { deletingSince: 1 }],
  ])('begins no life on a feed that is %s, and leaves one that is confirmed as it is', async (_, state) => {
    const { at, token } = await withLink()
    for (const name of ['default', 'offers']) await feedIs(at, name, state)
    await expect(change(at, token, 'subscribe', { feed: 'offers' })).rejects.toBeInstanceOf(InvalidInput)
    await change(at, token, 'subscribe', { feed: 'default' })
    expect(await statuses(at, token)).toEqual({ default: 'confirmed', news: 'pending', offers: 'ended' })
  })

  it('still confirms on a closed feed what is pending there, but not on one that is being deleted', async () => {
    const { at, token } = await withLink()
    await feedIs(at, 'news', { deletingSince: 1 })
    await expect(change(at, token, 'subscribe', { feed: 'news' })).rejects.toBeInstanceOf(InvalidInput)
    await feedIs(at, 'news', { deletingSince: undefined, open: false })
    await change(at, token, 'subscribe', { feed: 'news' })
    expect(await statuses(at, token)).toMatchObject({ news: 'confirmed' })
  })

  it('is refused to an address that wants no mail, until that is taken back', async () => {
    const { at, token } = await withLink()
    await change(at, token, 'never-again')
    await expect(change(at, token, 'subscribe', { feed: 'news' })).rejects.toThrow("'action'")
    await change(at, token, 'allow')
    await change(at, token, 'subscribe', { feed: 'news' })
    expect(await statuses(at, token)).toEqual({ default: 'ended', news: 'confirmed', offers: 'ended' })
  })
})

describe('ending by preferences', () => {
  it('ends one feed and leaves the others', async () => {
    const { at, ids, token } = await withLink()
    const events = await eventsFrom(at, () => change(at, token, 'end', { feed: 'default' }))
    expect(await statuses(at, token)).toEqual({ default: 'ended', news: 'pending', offers: 'ended' })
    expect((await deedsOf(at, ids.default)).at(-1)).toBe('ended via preferences')
    expect(events).toEqual([`subscription.ended ${ids.default}`])
  })

  it('ends all of them, those of closed feeds and of feeds that go too', async () => {
    const { at, ids, token } = await withLink()
    await feedIs(at, 'default', { open: false })
    await feedIs(at, 'news', { deletingSince: 1 })
    const events = await eventsFrom(at, () => change(at, token, 'end-all'))
    expect(await statuses(at, token)).toEqual({ default: 'ended', news: 'ended', offers: 'ended' })
    expect(events).toEqual([`subscription.ended ${ids.default}`, `subscription.ended ${ids.news}`])
    expect(await suppressionOf(at)).toBeUndefined()
  })

  it('takes back the mail that waits, and leaves the link as it is', async () => {
    const { at, token } = await withLink()
    at.clock.advance(30 * 60_000)
    await subscribe(at, EMAIL, { feed: 'news' })
    expect(await outboxOf(at)).toHaveLength(1)
    const { preferences } = await change(at, token, 'end', { feed: 'news' })
    expect([await outboxOf(at), preferences]).toEqual([[], await show(at, token)])
  })
})

describe('never again', () => {
  it('ends everything and keeps every sign-up mail from the address, over all feeds', async () => {
    const { at, ids, token } = await withLink()
    const sent = mailsOf(at).length
    await change(at, token, 'never-again')
    expect(await statuses(at, token)).toEqual({ default: 'ended', news: 'ended', offers: 'ended' })
    expect(await suppressionOf(at)).toEqual({ cause: 'never-again', since: at.clock.now() })
    expect((await deedsOf(at, ids.news)).at(-1)).toBe('refused via preferences')
    at.clock.advance(30 * 24 * 3600_000)
    for (const feed of ['default', 'news', 'others']) await subscribe(at, EMAIL, { feed })
    await deliver(at)
    expect(mailsOf(at)).toHaveLength(sent)
    await ask(at)
    await deliver(at)
    expect(
      mailsOf(at)
        .slice(sent)
        .map(({ kind }) => kind),
    ).toEqual(['preferences'])
  })

  it('may be taken back by the owner, which is on record, and ends nothing', async () => {
    const { at, ids, token } = await withLink()
    await change(at, token, 'end-all')
    await change(at, token, 'never-again')
    const { preferences } = await change(at, token, 'allow')
    expect([preferences?.suppression, await suppressionOf(at)]).toEqual([undefined, undefined])
    expect((await deedsOf(at, ids.default)).at(-1)).toBe('allowed via preferences')
    at.clock.advance(24 * 3600_000)
    await subscribe(at, EMAIL)
    expect(await outboxOf(at)).toHaveLength(1)
  })

  it('may be taken back where it was said by the link of a mail', async () => {
    const { at, token } = await withLink()
    const mail = mailsOf(at).find(({ feed, kind }) => feed.name === 'news' && kind === 'confirmation')!
    await refuse(at, tokenIn(mail, 'refuse'))
    expect((await show(at, token)).suppression?.cause).toBe('refused')
    await change(at, token, 'allow')
    expect((await show(at, token)).suppression).toBeUndefined()
  })
})

describe('erasing by preferences', () => {
  it('leaves nothing of the address, and has the transport forget its mails after the commit', async () => {
    const { at, ids, token } = await withLink()
    at.clock.advance(30 * 60_000)
    await subscribe(at, EMAIL, { feed: 'news' })
    await subscribe(at, 'grace@example.com')
    await deliver(at, 1)
    expect([(await outboxOf(at)).length, mailsOf(at).length > 1]).toEqual([1, true])
    const events = await eventsFrom(at, async () => {
      expect(await change(at, token, 'erase')).toEqual({ action: 'erase', feed: undefined, preferences: undefined })
    })
    await deliver(at)
    expect(mailsOf(at).map(({ to }) => to)).toEqual(['grace@example.com'])
    for (const id of Object.values(ids)) await expect(stored(at, id)).rejects.toThrow()
    expect(events.sort()).toEqual(
      Object.values(ids)
        .map((id) => `subscription.erased ${id}`)
        .sort(),
    )
    expect(await suppressionOf(at)).toBeUndefined()
    for (const action of ['erase', 'allow', 'end-all'])
      await expect(change(at, token, action)).rejects.toBeInstanceOf(LinkNotValid)
    await expect(show(at, token)).rejects.toBeInstanceOf(LinkNotValid)
  })

  it('keeps but a keyed hash of an address that wants no mail', async () => {
    const { at, token } = await withLink()
    await change(at, token, 'erase', { neverAgain: true })
    expect(await suppressionOf(at)).toEqual({ cause: 'never-again', since: at.clock.now() })
    at.clock.advance(24 * 3600_000)
    const { id } = await subscribe(at, EMAIL)
    await expect(stored(at, id)).rejects.toThrow()
  })

  it('does not lift what the owner said before', async () => {
    const { at, token } = await withLink()
    await change(at, token, 'never-again')
    await change(at, token, 'erase', { neverAgain: false })
    expect((await suppressionOf(at))?.cause).toBe('never-again')
  })

  it('takes also what its time to be confirmed is over', async () => {
    const { at, ids, token } = await withLink()
    await at.storage.unitOfWork.run(async ({ subscriptions }) => {
      const current = await subscriptions.find(ids.news)
      await subscriptions.put({ ...current!, expiresAt: at.clock.now() })
    })
    expect(await statuses(at, token)).toEqual({ default: 'confirmed', offers: 'ended' })
    await change(at, token, 'erase')
    await expect(stored(at, ids.news)).rejects.toThrow()
  })
})
