import { describe, expect, it } from 'vitest'
import { memoryDigests, openMemoryService } from '../memory/index.ts'
import {
  addressHash,
  HOUR,
  InvalidInput,
  LinkNotValid,
  publishedAboutAddress,
  publishedPreferences,
} from '../src/index.ts'
import { ADMIN, consentsOf, deliver, mailedToken, mailsOf, outboxOf, subscribe, tokenIn } from './cast.ts'
import { change, download, EMAIL, eventsOf, linkOf, show, statuses, withThree } from './preferences.ts'

const LOOKS = [show, download] as const

describe('a link to preferences', () => {
  it('shows every subscription of the address with its feed, in the order of the feeds', async () => {
    const { at, ids } = await withThree()
    const token = await linkOf(at)
    const { own, subscriptions, suppression } = await show(at, token)
    expect(subscriptions.map(({ subscription, feed }) => [subscription.id, feed.name, subscription.status])).toEqual([
      [ids.default, 'default', 'confirmed'],
      [ids.news, 'news', 'pending'],
      [ids.offers, 'offers', 'ended'],
    ])
    expect([own, suppression]).toEqual([subscriptions[0], undefined])
  })

  it('shows nothing of anybody else', async () => {
    const { at } = await withThree()
    await subscribe(at, 'grace@example.com', { name: 'Grace' })
    const token = await linkOf(at)
    for (const look of LOOKS) expect(JSON.stringify(await look(at, token))).not.toMatch(/grace/i)
  })

  it('is good for one hour, and not longer', async () => {
    const { at } = await withThree()
    const token = await linkOf(at)
    at.clock.advance(HOUR - 1)
    for (const look of LOOKS) expect(await look(at, token)).toBeDefined()
    at.clock.advance(1)
    for (const look of LOOKS) await expect(look(at, token)).rejects.toBeInstanceOf(LinkNotValid)
    await expect(change(at, token, 'end-all')).rejects.toBeInstanceOf(LinkNotValid)
  })

  it('is refused without a valid signature, or it was signed for something else', async () => {
    const { at } = await withThree()
    const token = await linkOf(at)
    const others = mailsOf(at).flatMap(({ links }) => Object.values(links) as (string | undefined)[])
    const wrong = others.flatMap((link) => (link?.includes('/preferences/') === false ? [link.split('/').at(-1)!] : []))
    expect(wrong.length).toBeGreaterThan(3)
    for (const text of ['', 'x', `${token}0`, token.replace(/^\d/, '9'), ...wrong]) {
      for (const look of LOOKS) await expect(look(at, text)).rejects.toBeInstanceOf(LinkNotValid)
      await expect(change(at, text, 'nonsense')).rejects.toBeInstanceOf(LinkNotValid)
    }
  })

  it('is dead once the subscription that it was mailed for is gone, or its time to be confirmed is over', async () => {
    const at = openMemoryService({ linkLife: 36 * HOUR })
    const { id } = await subscribe(at, EMAIL)
    await deliver(at)
    const token = await linkOf(at)
    expect(await statuses(at, token)).toEqual({ default: 'pending' })
    await at.storage.unitOfWork.run(async ({ subscriptions }) => {
      const current = await subscriptions.find(id)
      if (current) await subscriptions.put({ ...current, expiresAt: at.clock.now() })
    })
    for (const look of LOOKS) await expect(look(at, token)).rejects.toBeInstanceOf(LinkNotValid)
    await expect(change(at, token, 'subscribe', { feed: 'default' })).rejects.toBeInstanceOf(LinkNotValid)
    await at.useCases.expireSubscriptions.execute()
    for (const look of LOOKS) await expect(look(at, token)).rejects.toBeInstanceOf(LinkNotValid)
  })

  it('changes nothing when it is looked at, however often', async () => {
    const { at, ids } = await withThree()
    const token = await linkOf(at)
    const snapshot = async () => [
      await statuses(at, token),
      await Promise.all(Object.values(ids).map((id) => consentsOf(at, id))),
      await outboxOf(at),
      await eventsOf(at),
      await at.storage.unitOfWork.run(({ mailCaps }) =>
        mailCaps.slotsOf([addressHash(memoryDigests('a secret for tests'), EMAIL)]),
      ),
    ]
    const before = await snapshot()
    for (let n = 0; n < 3; n++) for (const look of LOOKS) await look(at, token)
    expect(await snapshot()).toEqual(before)
  })
})

describe('what the owner downloads', () => {
  it('is everything that is stored about the address', async () => {
    const { at, ids } = await withThree()
    await at.storage.unitOfWork.run(async ({ feeds }) => {
      const news = (await feeds.list({ after: 0, limit: 10 })).items.find(({ name }) => name === 'news')!
      await feeds.put({ ...news, wordings: [{ version: 1, text: 'Once a week.', since: at.clock.now() }] })
    })
    const token = await linkOf(at)
    await change(at, token, 'subscribe', { feed: 'news' })
    at.clock.advance(30 * 60_000)
    await at.useCases.requestPreferences.execute({ email: EMAIL })
    const mails = mailsOf(at)
    const record = publishedAboutAddress(await download(at, token))
    expect(record).toMatchObject({
      email: EMAIL,
      exported_at: new Date(at.clock.now()).toISOString(),
      suppression: null,
    })
    expect(
      record.subscriptions.map(({ id, feed, status, name, locale }) => ({ id, feed, status, name, locale })),
    ).toEqual([
      { id: ids.default, feed: 'default', status: 'confirmed', name: 'Ada', locale: 'de' },
      { id: ids.news, feed: 'news', status: 'confirmed', name: 'Ada', locale: 'de' },
      { id: ids.offers, feed: 'offers', status: 'ended', name: 'Ada', locale: 'de' },
    ])
    const [main, news] = record.subscriptions
    expect(main?.consents).toEqual([
      expect.objectContaining({ deed: 'requested', via: 'form', wording: 'double-opt-in/1', wording_text: null }),
      expect.objectContaining({ deed: 'confirmed', client_address: '192.0.2.0/24', user_agent: 'curl/8' }),
    ])
    expect(news?.consents.at(-1)).toMatchObject({
      deed: 'confirmed',
      via: 'preferences',
      wording: 'news/1',
      wording_text: 'Once a week.',
    })
    expect(main?.owed_mail).toMatchObject({ kind: 'preferences', attempts: 0, parked_at: null, last_error: null })
    const kept = record.subscriptions.flatMap(({ kept_mails }) => kept_mails)
    expect([...kept].sort()).toEqual(mails.map(({ messageId }) => messageId).sort())
    expect(record.mails_sent.map(({ message_id }) => message_id)).toEqual(mails.map(({ messageId }) => messageId))
  })

  it('says why and since when no mail comes', async () => {
    const { at } = await withThree()
    const token = await linkOf(at)
    await change(at, token, 'never-again')
    const suppression = { cause: 'never-again', since: new Date(at.clock.now()).toISOString(), block: null }
    expect(publishedAboutAddress(await download(at, token)).suppression).toEqual(suppression)
    expect(publishedPreferences(await show(at, token)).suppression).toEqual(suppression)
  })

  it('has no key of the service in it, nor what opens a link', async () => {
    const { at } = await withThree()
    const token = await linkOf(at)
    const text = JSON.stringify([
      publishedAboutAddress(await download(at, token)),
      publishedPreferences(await show(at, token)),
    ])
    for (const mail of mailsOf(at)) expect(text).not.toContain(tokenIn(mail, 'unsubscribe').split('.')[1])
    const { own } = await show(at, token)
    expect(text).not.toContain(own.subscription.episode)
  })
})

describe('changing preferences', () => {
  it('names what can be done, and to which feeds', async () => {
    const { at } = await withThree()
    const token = await linkOf(at)
    const refusal = async (action: string, feed?: string) =>
      (await change(at, token, action, { feed }).catch((error: unknown) => error)) as InvalidInput
    for (const action of ['', 'Erase', 'delete']) {
      const { details } = await refusal(action)
      expect(details).toEqual([
        { field: 'action', message: 'Use one of these: subscribe, update, end, end-all, erase, never-again, allow.' },
      ])
    }
    for (const action of ['subscribe', 'end'])
      for (const feed of [undefined, '', 'others', 'nowhere', 'NO NAME']) {
        const found = await refusal(action, feed)
        expect(found).toBeInstanceOf(InvalidInput)
        expect(found.details).toEqual([{ field: 'feed', message: 'Use one of these: default, news, offers.' }])
      }
    expect(await statuses(at, token)).toEqual({ default: 'confirmed', news: 'pending', offers: 'ended' })
  })

  it('is not possible on feeds of which the address has no subscription, even where the feed exists', async () => {
    const at = openMemoryService()
    await at.useCases.putFeed.execute({ name: 'news' }, ADMIN)
    await subscribe(at, EMAIL)
    await mailedToken(at, 'confirm')
    const token = await linkOf(at)
    await expect(change(at, token, 'subscribe', { feed: 'news' })).rejects.toBeInstanceOf(InvalidInput)
  })
})
