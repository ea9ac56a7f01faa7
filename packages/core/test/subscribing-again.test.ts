import { describe, expect, it } from 'vitest'
import { openMemoryService } from '../memory/index.ts'
import { DAY, MINUTE } from '../src/index.ts'
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
  unsubscribe,
} from './cast.ts'

const EMAIL = 'brian.smith@example.com'
const service = () => openMemoryService()

describe('subscribing again while pending', () => {
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
    expect(await at.useCases.readers.numbers.ever()).toContainEqual({ what: 'turned-away:suppressed', count: 2 })
  })
})
