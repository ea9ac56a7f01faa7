import { describe, expect, it } from 'vitest'
import { openMemoryService } from '../memory/index.ts'
import { DAY, HOUR, MINUTE } from '../src/index.ts'
import {
  ADMIN,
  confirm,
  consentsOf,
  deliver,
  mailedToken,
  mailsOf,
  outboxOf,
  refuse,
  stored,
  subscribe,
  tokenIn,
  unsubscribe,
} from './cast.ts'

const EMAIL = 'brian.smith@example.com'
const service = () => openMemoryService()

describe('subscribing again while pending', () => {
  it('takes name and locale of the latest form, and keeps address, link and expiry', async () => {
    const at = service()
    const { id } = await subscribe(at, 'Brian.Smith@example.com', { name: 'First', locale: 'en' })
    const before = await stored(at, id)
    at.clock.advance(MINUTE)
    await subscribe(at, 'BRIAN.SMITH@example.com', { name: 'Second' })
    expect(await stored(at, id)).toEqual({ ...before, name: 'Second', locale: undefined })
  })

  it('queues no second mail while the first waits', async () => {
    const at = service()
    await subscribe(at, EMAIL)
    at.clock.advance(DAY)
    await subscribe(at, EMAIL)
    expect(await outboxOf(at)).toHaveLength(1)
  })

  it('sends a copy with the same link within the caps, and none beyond them', async () => {
    const at = service()
    await subscribe(at, EMAIL)
    const token = await mailedToken(at, 'confirm')
    at.clock.advance(10 * MINUTE - 1)
    await subscribe(at, EMAIL)
    expect(await outboxOf(at)).toEqual([])
    at.clock.advance(1)
    await subscribe(at, EMAIL)
    expect(await mailedToken(at, 'confirm')).toBe(token)
    expect(mailsOf(at)).toHaveLength(2)
  })

  it('sends at most three mails a day, whatever a caller does', async () => {
    const at = service()
    for (let n = 0; n < 144; n++) {
      await subscribe(at, EMAIL)
      await deliver(at)
      at.clock.advance(10 * MINUTE - 1)
    }
    expect(mailsOf(at)).toHaveLength(3)
  })

  it('counts repetitions within ten minutes in one consent record', async () => {
    const at = service()
    const { id } = await subscribe(at, EMAIL)
    for (let n = 0; n < 3; n++) await subscribe(at, EMAIL)
    at.clock.advance(10 * MINUTE)
    await subscribe(at, EMAIL)
    expect((await consentsOf(at, id)).map(({ deed, count }) => [deed, count])).toEqual([
      ['requested', 4],
      ['requested', 1],
    ])
  })

  it('starts again when the link has expired, before it is swept away too', async () => {
    const at = service()
    const { id } = await subscribe(at, EMAIL, { name: 'First' })
    const old = await mailedToken(at, 'confirm')
    const before = await stored(at, id)
    at.clock.advance(7 * DAY)
    await subscribe(at, 'Brian.SMITH@example.com', { name: 'Second' })
    const after = await stored(at, id)
    expect(after).toMatchObject({ email: 'Brian.SMITH@example.com', name: 'Second', createdAt: at.clock.now() })
    expect(after.episode).not.toBe(before.episode)
    expect(after.expiresAt).toBe(at.clock.now() + 7 * DAY)
    await expect(confirm(at, old)).rejects.toThrow('not valid')
    await confirm(at, await mailedToken(at, 'confirm'))
  })

  it('starts again without the old mail where that one still waits', async () => {
    const at = service()
    await subscribe(at, EMAIL)
    at.clock.advance(7 * DAY)
    await subscribe(at, EMAIL)
    expect(await outboxOf(at)).toMatchObject([{ createdAt: at.clock.now() }])
  })
})

describe('subscribing again when confirmed', () => {
  const confirmed = async () => {
    const at = service()
    const { id } = await subscribe(at, EMAIL, { name: 'Brian', locale: 'de' })
    await confirm(at, await mailedToken(at, 'confirm'))
    return { at, id, before: await stored(at, id) }
  }

  it('changes nothing that its owner would see', async () => {
    const { at, id, before } = await confirmed()
    at.clock.advance(HOUR)
    await subscribe(at, EMAIL, { name: 'Stranger', locale: 'en' })
    expect({ ...(await stored(at, id)), lastMail: before.lastMail }).toEqual(before)
  })

  it("sends its owner an 'already subscribed' mail without a link to confirm, within the caps", async () => {
    const { at } = await confirmed()
    await subscribe(at, EMAIL)
    expect(await outboxOf(at)).toEqual([])
    at.clock.advance(10 * MINUTE)
    for (let n = 0; n < 3; n++) await subscribe(at, EMAIL)
    await deliver(at)
    expect(mailsOf(at)).toHaveLength(2)
    expect(mailsOf(at)[1]).toMatchObject({
      kind: 'already-subscribed',
      locale: 'de',
      links: {
        confirm: undefined,
        refuse: undefined,
        preferences: undefined,
        unsubscribe: mailsOf(at)[0]?.links.unsubscribe,
      },
    })
  })
})

describe('subscribing again after an end', () => {
  it('needs a fresh confirmation: the links of before are superseded', async () => {
    const at = service()
    const { id } = await subscribe(at, EMAIL, { name: 'First' })
    const old = await mailedToken(at, 'confirm')
    await confirm(at, old)
    const first = await stored(at, id)
    await unsubscribe(at, tokenIn(mailsOf(at)[0]!, 'unsubscribe'))
    at.clock.advance(HOUR)
    await subscribe(at, EMAIL, { name: 'Second' })
    expect(await stored(at, id)).toMatchObject({
      status: 'pending',
      name: 'Second',
      createdAt: first.createdAt,
      confirmedAt: undefined,
      endedAt: undefined,
    })
    await expect(confirm(at, old)).rejects.toThrow('not valid')
    await confirm(at, await mailedToken(at, 'confirm'))
    expect((await stored(at, id)).status).toBe('confirmed')
  })

  it('queues a mail that a cap holds back until the cap allows it', async () => {
    const at = service()
    await subscribe(at, EMAIL)
    await unsubscribe(at, await mailedToken(at, 'unsubscribe'))
    await subscribe(at, EMAIL)
    await deliver(at)
    expect(mailsOf(at)).toHaveLength(1)
    at.clock.advance(10 * MINUTE)
    await deliver(at)
    expect(mailsOf(at)).toHaveLength(2)
  })
})

describe('subscribing an address that was refused', () => {
  it('keeps and sends nothing, on any feed, ever', async () => {
    const at = service()
    await at.useCases.putFeed.execute({ name: 'news' }, ADMIN)
    const { id } = await subscribe(at, EMAIL)
    await refuse(at, await mailedToken(at, 'refuse'))
    const before = await stored(at, id)
    at.clock.advance(30 * DAY)
    await subscribe(at, EMAIL)
    const other = await subscribe(at, EMAIL.toUpperCase(), { feed: 'news' })
    await deliver(at)
    expect(mailsOf(at)).toHaveLength(1)
    expect(await stored(at, id)).toEqual(before)
    await expect(stored(at, other.id)).rejects.toThrow()
    expect(await at.storage.readers.signUpCounts.count('suppressed')).toBe(2)
  })
})
