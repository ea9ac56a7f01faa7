import { describe, expect, it } from 'vitest'
import { openMemoryService } from '../memory/index.ts'
import { DAY, InvalidInput, type LinkPurpose, SECOND, type SubscribeCommand } from '../src/index.ts'
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
  unsubscribe,
} from './cast.ts'

const EMAIL = 'brian.smith@example.com'
const service = () => openMemoryService()
const idOf = async (at: Service, email = EMAIL) => (await subscribe(at, email, { website: 'machine' })).id

describe('subscribing', () => {
  it('answers with what was submitted, the id and the feed', async () => {
    const at = service()
    const email = '\u200e Brian.Smith@Example.com\u2060\n'
    const result = await subscribe(at, email, { name: 'Brian Smith' })
    expect(result).toEqual({ name: 'Brian Smith', email, id: result.id, feed: 'default' })
    expect((await subscribe(at, EMAIL)).id).toBe(result.id)
    expect(Number.isSafeInteger(result.id)).toBe(true)
  })

  it('stores a pending subscription, its consent and the mail to be sent, and notifies the worker', async () => {
    const at = service()
    const { id } = await subscribe(at, 'Brian.Smith@Example.com', { name: 'Brian', locale: 'de-CH' })
    const now = at.clock.now()
    const [queued, ...others] = await outboxOf(at)
    expect(await stored(at, id)).toEqual({
      id,
      feed: 'default',
      email: 'Brian.Smith@example.com',
      addressKey: EMAIL,
      name: 'Brian',
      locale: 'de-CH',
      status: 'pending',
      episode: expect.stringMatching(/^[0-9a-f]{16}$/),
      createdAt: now,
      confirmedAt: undefined,
      endedAt: undefined,
      expiresAt: now + 7 * DAY,
      lastMail: queued?.id,
    })
    expect(queued).toMatchObject({ kind: 'confirmation', subscriptionId: id, expiresAt: now + 7 * DAY, attempts: 0 })
    expect(others).toEqual([])
    expect(await consentsOf(at, id)).toEqual([
      { ...SOURCE, at: now, deed: 'requested', wording: 'double-opt-in/1', language: 'de-CH', count: 1 },
    ])
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

  it('takes a locale as operating systems write it, and none that cannot be read', async () => {
    const at = service()
    const { id } = await subscribe(at, EMAIL, { locale: 'de_DE' })
    expect((await stored(at, id)).locale).toBe('de-DE')
    expect((await consentsOf(at, id))[0]?.language).toBe('de-DE')
    await subscribe(at, EMAIL, { locale: 'not a tag\n' })
    expect((await stored(at, id)).locale).toBeUndefined()
  })

  it('keeps feeds apart', async () => {
    const at = service()
    await at.useCases.putFeed.execute({ name: 'news' }, ADMIN)
    const ids = [await subscribe(at, EMAIL), await subscribe(at, EMAIL, { feed: 'news' })].map(({ id }) => id)
    expect(new Set(ids).size).toBe(2)
    expect((await stored(at, ids[1]!)).feed).toBe('news')
  })
})

describe('a filled honeypot', () => {
  it('keeps nothing but a count', async () => {
    const at = service()
    const { id } = await subscribe(at, EMAIL, { website: 'http://spam.example' })
    await expect(stored(at, id)).rejects.toThrow()
    expect([await outboxOf(at), await consentsOf(at, id)]).toEqual([[], []])
    expect(await at.storage.readers.signUpCounts.count('honeypot')).toBe(1)
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
