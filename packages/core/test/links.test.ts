import { describe, expect, it } from 'vitest'
import { openMemoryService } from '../memory/index.ts'
import { DAY, HOUR, LinkNotValid, type LinkPurpose } from '../src/index.ts'
import {
  ADMIN,
  confirm,
  consentsOf,
  deliver,
  lastMailOf,
  mailedToken,
  mailsOf,
  outboxOf,
  refuse,
  type Service,
  stored,
  subscribe,
  tokenIn,
  unsubscribe,
} from './cast.ts'

const EMAIL = 'ada@example.com'
const pending = async () => {
  const at = openMemoryService()
  const { id } = await subscribe(at, EMAIL, { locale: 'de' })
  await deliver(at)
  const mail = lastMailOf(at)
  const tokens = {
    confirm: tokenIn(mail, 'confirm'),
    refuse: tokenIn(mail, 'refuse'),
    unsubscribe: tokenIn(mail, 'unsubscribe'),
  }
  return { at, id, tokens }
}
const show = ({ useCases }: Service, purpose: LinkPurpose, token: string) =>
  useCases.showLink.execute({ purpose, token })
const erase = ({ storage }: Service, id: number) =>
  storage.unitOfWork.run(({ subscriptions }) => subscriptions.erase(id))
const deeds = async (at: Service, id: number) =>
  (await consentsOf(at, id)).map(({ deed, language }) => [deed, language])

describe('links in mails', () => {
  it('begin with the public URL and name what they do', async () => {
    const { at } = await pending()
    const { links } = lastMailOf(at)
    for (const purpose of ['confirm', 'refuse', 'unsubscribe'] as const)
      expect(links[purpose]).toMatch(new RegExp(`^https://rollcall\\.example/${purpose}/[0-9a-f.]+$`))
  })
})

describe('confirming', () => {
  it('confirms once, and says so each time', async () => {
    const { at, id, tokens } = await pending()
    at.clock.advance(HOUR)
    const first = await confirm(at, tokens.confirm)
    expect(first.already).toBe(false)
    expect(first.subscription).toEqual(await stored(at, id))
    expect(first.subscription).toMatchObject({ status: 'confirmed', confirmedAt: at.clock.now(), expiresAt: undefined })
    at.clock.advance(HOUR)
    const { subscription } = first
    expect(await confirm(at, tokens.confirm)).toEqual({ subscription, subscriptions: [subscription], already: true })
    expect(await deeds(at, id)).toEqual([
      ['requested', 'de'],
      ['confirmed', 'de'],
    ])
  })

  it('takes back a copy of the mail that still waits', async () => {
    const { at, tokens } = await pending()
    at.clock.advance(HOUR)
    await subscribe(at, EMAIL)
    expect(await outboxOf(at)).toHaveLength(1)
    await confirm(at, tokens.confirm)
    expect(await outboxOf(at)).toEqual([])
  })

  it('is over with the life of the link, to the second', async () => {
    const { at, tokens } = await pending()
    at.clock.advance(7 * DAY - 1)
    expect((await show(at, 'confirm', tokens.confirm)).subscription?.email).toBe(EMAIL)
    at.clock.advance(1)
    await expect(confirm(at, tokens.confirm)).rejects.toBeInstanceOf(LinkNotValid)
    await expect(show(at, 'confirm', tokens.confirm)).rejects.toBeInstanceOf(LinkNotValid)
  })

  it('is refused for a link without a valid signature, what was ended since, and what is gone', async () => {
    const { at, id, tokens } = await pending()
    for (const token of ['', 'x', tokens.refuse, tokens.unsubscribe, `${tokens.confirm}0`])
      await expect(confirm(at, token)).rejects.toBeInstanceOf(LinkNotValid)
    await unsubscribe(at, tokens.unsubscribe)
    await expect(confirm(at, tokens.confirm)).rejects.toBeInstanceOf(LinkNotValid)
    await erase(at, id)
    await expect(confirm(at, tokens.confirm)).rejects.toBeInstanceOf(LinkNotValid)
  })
})

describe('refusing', () => {
  it('ends the subscription and every sign-up mail to the address', async () => {
    const { at, id, tokens } = await pending()
    await refuse(at, tokens.refuse)
    expect(await stored(at, id)).toMatchObject({ status: 'ended', endedAt: at.clock.now(), expiresAt: undefined })
    expect((await deeds(at, id)).at(-1)).toEqual(['refused', 'de'])
    at.clock.advance(DAY)
    await subscribe(at, EMAIL)
    await deliver(at)
    expect(mailsOf(at)).toHaveLength(1)
  })

  it('is as good pressed twice as once', async () => {
    const { at, id, tokens } = await pending()
    await refuse(at, tokens.refuse)
    const before = await stored(at, id)
    at.clock.advance(HOUR)
    await refuse(at, tokens.refuse)
    expect(await stored(at, id)).toEqual(before)
    expect(await deeds(at, id)).toHaveLength(2)
    expect(await show(at, 'refuse', tokens.refuse)).toMatchObject({ refused: true, subscription: { id } })
    await expect(show(at, 'confirm', tokens.confirm)).rejects.toBeInstanceOf(LinkNotValid)
  })

  it('holds back the mails of other feeds that wait already, and leaves what was confirmed there', async () => {
    const { at, tokens } = await pending()
    for (const name of ['news', 'offers']) await at.useCases.putFeed.execute({ name }, ADMIN)
    at.clock.advance(DAY)
    const news = await subscribe(at, EMAIL, { feed: 'news' })
    await confirm(at, await mailedToken(at, 'confirm'))
    at.clock.advance(DAY)
    await subscribe(at, EMAIL, { feed: 'offers' })
    await refuse(at, tokens.refuse)
    await deliver(at)
    expect(mailsOf(at)).toHaveLength(2)
    expect(await outboxOf(at)).toEqual([])
    expect((await stored(at, news.id)).status).toBe('confirmed')
  })

  it('undoes a confirmation as long as the link lives', async () => {
    const { at, id, tokens } = await pending()
    await confirm(at, tokens.confirm)
    await refuse(at, tokens.refuse)
    expect((await stored(at, id)).status).toBe('ended')
    const { tokens: late, at: there } = await pending()
    there.clock.advance(7 * DAY)
    await expect(refuse(there, late.refuse)).rejects.toBeInstanceOf(LinkNotValid)
  })

  it('is refused for a link that a later life has superseded, and for what is gone', async () => {
    const { at, id, tokens } = await pending()
    await unsubscribe(at, tokens.unsubscribe)
    await expect(refuse(at, tokens.refuse)).rejects.toBeInstanceOf(LinkNotValid)
    await subscribe(at, EMAIL)
    await expect(refuse(at, tokens.refuse)).rejects.toBeInstanceOf(LinkNotValid)
    expect((await stored(at, id)).status).toBe('pending')
    await erase(at, id)
    await expect(refuse(at, tokens.refuse)).rejects.toBeInstanceOf(LinkNotValid)
    await expect(refuse(at, tokens.confirm)).rejects.toBeInstanceOf(LinkNotValid)
  })
})

describe('unsubscribing', () => {
  it('ends a pending or confirmed subscription, and takes back the mail that waits', async () => {
    const { at, id, tokens } = await pending()
    await confirm(at, tokens.confirm)
    at.clock.advance(HOUR)
    await subscribe(at, EMAIL)
    expect(await outboxOf(at)).toHaveLength(1)
    await unsubscribe(at, tokens.unsubscribe)
    expect(await outboxOf(at)).toEqual([])
    expect(await stored(at, id)).toMatchObject({ status: 'ended', confirmedAt: at.clock.now() - HOUR })
    expect((await deeds(at, id)).at(-1)).toEqual(['ended', 'de'])
  })

  it('is good for ever, whatever became of the subscription', async () => {
    const { at, id, tokens } = await pending()
    at.clock.advance(3_650 * DAY)
    await unsubscribe(at, tokens.unsubscribe)
    const ended = await stored(at, id)
    await unsubscribe(at, tokens.unsubscribe)
    expect(await stored(at, id)).toEqual(ended)
    await subscribe(at, EMAIL)
    await unsubscribe(at, tokens.unsubscribe)
    expect((await stored(at, id)).status).toBe('ended')
    await erase(at, id)
    await unsubscribe(at, tokens.unsubscribe)
    expect(await show(at, 'unsubscribe', tokens.unsubscribe)).toEqual({ subscription: undefined, feed: undefined })
  })

  it('is refused for a link without a valid signature', async () => {
    const { at, tokens } = await pending()
    for (const token of ['', tokens.confirm, tokens.refuse, tokens.unsubscribe.replace(/.$/, 'x')])
      await expect(unsubscribe(at, token)).rejects.toBeInstanceOf(LinkNotValid)
  })
})

describe('looking at a link', () => {
  it('shows what it is about and changes nothing', async () => {
    const { at, id, tokens } = await pending()
    const before = [await stored(at, id), await consentsOf(at, id), await outboxOf(at)]
    for (const purpose of ['confirm', 'refuse', 'unsubscribe'] as const)
      expect(await show(at, purpose, tokens[purpose])).toMatchObject({
        subscription: { id, email: EMAIL },
        feed: { name: 'default' },
      })
    expect([await stored(at, id), await consentsOf(at, id), await outboxOf(at)]).toEqual(before)
  })

  it('is refused for a link without a valid signature, and for a confirmation or a refusal that is superseded', async () => {
    const { at, tokens } = await pending()
    await expect(show(at, 'confirm', tokens.refuse)).rejects.toBeInstanceOf(LinkNotValid)
    await unsubscribe(at, tokens.unsubscribe)
    await expect(show(at, 'confirm', tokens.confirm)).rejects.toBeInstanceOf(LinkNotValid)
    await expect(show(at, 'refuse', tokens.refuse)).rejects.toBeInstanceOf(LinkNotValid)
  })
})
