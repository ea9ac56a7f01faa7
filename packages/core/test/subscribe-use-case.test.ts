import { describe, expect, it } from 'vitest'
import { openMemoryService } from '../memory/index.ts'
import { DAY, HOUR, InvalidInput, type LinkPurpose, MINUTE, SECOND, type SubscribeCommand } from '../src/index.ts'
import {
  ADMIN,
  confirm,
  consentsOf,
  deliver,
  mailedToken,
  mailsOf,
  outboxOf,
  refuse,
  type Service,
  SOURCE,
  stored,
  subscribe,
  tokenIn,
  unsubscribe,
} from './cast.ts'

const EMAIL = 'brian.smith@example.com'
const service = () => openMemoryService()
const idOf = async (at: Service, email = EMAIL) => (await subscribe(at, email, { website: 'machine' })).id

describe('subscribing', () => {
  it('answers with what was submitted, the id and the feed', async () => {
    const at = service()
    const result = await subscribe(at, 'Brian.Smith@Example.com', { name: 'Brian Smith' })
    expect(result).toEqual({ name: 'Brian Smith', email: 'Brian.Smith@Example.com', id: result.id, feed: 'default' })
    expect(Number.isSafeInteger(result.id)).toBe(true)
  })

  it('stores a pending subscription, its consent and the mail that is owed, and rings the bell', async () => {
    const at = service()
    const { id } = await subscribe(at, 'Brian.Smith@Example.com', { name: 'Brian', locale: 'de-CH' })
    const now = at.clock.now()
    const [owed, ...others] = await outboxOf(at)
    expect(await stored(at, id)).toEqual({
      id,
      feed: 'default',
      email: 'Brian.Smith@Example.com',
      addressKey: EMAIL,
      name: 'Brian',
      locale: 'de-CH',
      status: 'pending',
      episode: expect.stringMatching(/^[0-9a-f]{16}$/),
      createdAt: now,
      confirmedAt: undefined,
      endedAt: undefined,
      expiresAt: now + 7 * DAY,
      lastMail: owed?.id,
    })
    expect(owed).toMatchObject({ kind: 'confirmation', subscriptionId: id, expiresAt: now + 7 * DAY, attempts: 0 })
    expect(others).toEqual([])
    expect(await consentsOf(at, id)).toEqual([
      { ...SOURCE, at: now, deed: 'requested', wording: 'double-opt-in/1', language: 'de-CH', count: 1 },
    ])
    expect(at.bell.rings).toBe(1)
  })

  it('sends a mail that shows nothing submitted but the address', async () => {
    const at = service()
    await subscribe(at, EMAIL, { name: 'Buy pills at evil.example' })
    await deliver(at)
    expect(mailsOf(at)).toMatchObject([{ kind: 'confirmation', to: EMAIL, feed: { name: 'default' } }])
    expect(JSON.stringify(mailsOf(at))).not.toContain('pills')
  })

  it('refuses what is not valid, in the field that is not, and stores nothing', async () => {
    const at = service()
    const invalid: [field: string, command: Partial<SubscribeCommand>][] = [
      ['email', { email: 'nobody' }],
      ['name', { name: 'a\nb' }],
      ['locale', { locale: 'not a tag' }],
      ['feed', { feed: 'unknown' }],
      ['feed', { feed: 'Not A Name' }],
    ]
    for (const [field, command] of invalid) {
      const refusal = expect.objectContaining({ details: [expect.objectContaining({ field })] })
      await expect(subscribe(at, EMAIL, command)).rejects.toEqual(refusal)
      await expect(subscribe(at, EMAIL, { ...command, website: 'x' })).rejects.toBeInstanceOf(InvalidInput)
    }
    expect(await outboxOf(at)).toEqual([])
    await expect(stored(at, await idOf(at))).rejects.toThrow()
  })

  it('takes an empty field for one that was not given', async () => {
    const at = service()
    const { id, feed } = await subscribe(at, EMAIL, { name: '', feed: '', locale: '', website: '' })
    expect([feed, (await stored(at, id)).locale]).toEqual(['default', undefined])
  })

  it('keeps feeds apart', async () => {
    const at = service()
    await at.useCases.putFeed.execute({ name: 'news' }, ADMIN)
    const ids = [await subscribe(at, EMAIL), await subscribe(at, EMAIL, { feed: 'news' })].map(({ id }) => id)
    expect(new Set(ids).size).toBe(2)
    expect((await stored(at, ids[1]!)).feed).toBe('news')
  })
})

describe('subscribing again while pending', () => {
  it('takes name and locale of the latest form, and keeps address, link and expiry', async () => {
    const at = service()
    const { id } = await subscribe(at, 'Brian.Smith@example.com', { name: 'First', locale: 'en' })
    const before = await stored(at, id)
    at.clock.advance(MINUTE)
    await subscribe(at, 'BRIAN.SMITH@example.com', { name: 'Second' })
    expect(await stored(at, id)).toEqual({ ...before, name: 'Second', locale: undefined })
  })

  it('owes no second mail while the first waits', async () => {
    const at = service()
    await subscribe(at, EMAIL)
    at.clock.advance(DAY)
    await subscribe(at, EMAIL)
    expect(await outboxOf(at)).toHaveLength(1)
    expect(at.bell.rings).toBe(1)
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

  it('begins anew when the link has expired, before it is swept away too', async () => {
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

  it('begins anew without the old mail where that one still waits', async () => {
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
      links: { confirm: undefined, refuse: undefined, unsubscribe: mailsOf(at)[0]?.links.unsubscribe },
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

  it('owes a mail that a cap holds back until the cap allows it', async () => {
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
    expect(at.storage.signUpCounts.get('suppressed')).toBe(2)
  })
})

describe('a filled honeypot', () => {
  it('keeps nothing but a count', async () => {
    const at = service()
    const { id } = await subscribe(at, EMAIL, { website: 'http://spam.example' })
    await expect(stored(at, id)).rejects.toThrow()
    expect([await outboxOf(at), await consentsOf(at, id), at.bell.rings]).toEqual([[], [], 0])
    expect(at.storage.signUpCounts.get('honeypot')).toBe(1)
  })
})

describe('the answer to a sign-up', () => {
  const subscribed = async (at: Service, purpose: LinkPurpose) => {
    await subscribe(at, EMAIL)
    return await mailedToken(at, purpose)
  }

  it('is the same whatever was known of the address, after one unit of work each', async () => {
    const lives: Record<string, (at: Service) => Promise<unknown>> = {
      new: async () => {},
      pending: async (at) => subscribe(at, EMAIL),
      mailed: async (at) => subscribed(at, 'confirm'),
      confirmed: async (at) => confirm(at, await subscribed(at, 'confirm')),
      ended: async (at) => unsubscribe(at, await subscribed(at, 'unsubscribe')),
      refused: async (at) => refuse(at, await subscribed(at, 'refuse')),
      expired: async (at) => {
        await subscribe(at, EMAIL)
        at.clock.advance(8 * DAY)
      },
      erased: async (at) => {
        await subscribe(at, EMAIL)
        at.clock.advance(8 * DAY)
        await at.useCases.expireSubscriptions.execute()
      },
    }
    const answers: string[] = []
    for (const live of Object.values(lives))
      for (const website of [undefined, 'machine']) {
        const at = service()
        await live(at)
        at.clock.advance(SECOND)
        const { run } = at.storage.unitOfWork
        let units = 0
        Object.assign(at.storage.unitOfWork, {
          run: (work: Parameters<typeof run>[0]) => run(work).finally(() => units++),
        })
        answers.push(JSON.stringify([await subscribe(at, EMAIL, { name: 'B', website }), units]))
      }
    expect(answers).toHaveLength(16)
    expect(new Set(answers).size).toBe(1)
    expect(answers[0]).toMatch(/,1\]$/)
  })
})
