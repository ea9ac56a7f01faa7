import { describe, expect, it } from 'vitest'
import { aFeed } from '../contract/samples.ts'
import { openMemoryService } from '../memory/index.ts'
import { MEMORY_SETTINGS } from '../memory/memory-service.ts'
import {
  addressHash,
  createUseCases,
  DAY,
  InvalidInput,
  LONGEST_BACKLOG,
  MINUTE,
  type NewRequest,
  plainFeed,
  type Readers,
  type SubscribeCommand,
  Unavailable,
} from '../src/index.ts'
import {
  ADMIN,
  confirm,
  consentsOf,
  deliver,
  mailedToken,
  mailsOf,
  outboxOf,
  type Service,
  SOURCE,
  stored,
  subscribe,
} from './cast.ts'

const EMAIL = 'brian.smith@example.com'
const service = () => openMemoryService()
const idOf = async (at: Service, email = EMAIL) => (await subscribe(at, email, { website: 'machine' })).id

describe('subscribing', () => {
  it('answers with what was submitted, the id and the feed', async () => {
    const at = service()
    const email = '\u200e Brian.Smith@Example.com\u2060\n'
    const result = await subscribe(at, email, { name: 'Brian Smith' })
    const subscription = { name: 'Brian Smith', email, id: result.id, feed: 'default' }
    expect(result).toMatchObject({ ...subscription, subscriptions: [subscription], returnTo: undefined })
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
      address: addressHash(at.ports.digests, EMAIL),
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

  it('refuses feeds that a form cannot ask for, and return URLs that not all of them have', async () => {
    const at = service()
    const home = 'https://example.com/thanks'
    await at.useCases.putFeed.execute({ name: 'news', returnUrls: [home] }, ADMIN)
    await at.useCases.putFeed.execute({ name: 'closed', open: false }, ADMIN)
    await at.storage.unitOfWork.run(({ feeds }) => feeds.put(aFeed('leaving', { deletingSince: at.clock.now() })))
    const many = (length: number) => Array.from({ length }, (_, n) => `f${n}`)
    const noFeed = 'There is no such feed. Check the name, or leave it out.'
    const returnUrls = "Use exactly one of the feed's return URLs."
    const refused: [field: string, message: string, command: Partial<SubscribeCommand>][] = [
      ['feeds', "Give either 'feed' or 'feeds'.", { feed: 'news', feeds: ['news'] }],
      ['feeds', 'Name at least one feed.', { feeds: [] }],
      ['feeds', 'Name at most 20 feeds.', { feeds: many(21) }],
      ['feeds', noFeed, { feeds: many(20) }],
      ['feed', 'This feed takes no new subscriptions. Choose another.', { feed: 'closed' }],
      ['feed', noFeed, { feed: 'leaving' }],
      ['return_to', returnUrls, { feed: 'news', returnTo: `${home}/` }],
      ['return_to', returnUrls, { feeds: ['news', 'default'], returnTo: home }],
    ]
    for (const [field, message, command] of refused)
      await expect(subscribe(at, EMAIL, command)).rejects.toMatchObject({ details: [{ field, message }] })
    expect(await outboxOf(at)).toEqual([])
    expect((await subscribe(at, EMAIL, { feed: 'news', returnTo: home })).returnTo).toBe(home)
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
})

describe('subscribing again when confirmed', () => {
  it("sends its owner an 'already subscribed' mail without a link to confirm, within the caps", async () => {
    const at = service()
    await subscribe(at, EMAIL, { name: 'Brian', locale: 'de' })
    await confirm(at, await mailedToken(at, 'confirm'))
    await subscribe(at, EMAIL)
    expect(await outboxOf(at)).toEqual([])
    at.clock.advance(10 * MINUTE)
    for (let n = 0; n < 3; n++) await subscribe(at, EMAIL)
    await deliver(at)
    const { unsubscribe } = mailsOf(at)[0]?.links ?? {}
    expect(mailsOf(at)).toHaveLength(2)
    expect(mailsOf(at)[1]).toMatchObject({
      ...{ kind: 'already-subscribed', locale: 'de' },
      links: { confirm: undefined, refuse: undefined, preferences: undefined, unsubscribe },
    })
  })
})

describe('the answer to a sign-up', () => {
  it('is the same for an address that is known', async () => {
    const at = service()
    const first = await subscribe(at, EMAIL, { name: 'B' })
    await confirm(at, await mailedToken(at, 'confirm'))
    const answers = [
      first,
      await subscribe(at, EMAIL, { name: 'B' }),
      await subscribe(at, EMAIL, { name: 'B', website: 'x' }),
    ]
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
  })

  it('needs no port by which it could read what is stored about an address', async () => {
    const { challenge: _, ...ports } = service().ports
    const appended: NewRequest[] = []
    const useCases = createUseCases(
      {
        ...ports,
        unitOfWork: { run: () => Promise.reject(new Error('It must not begin a unit of work.')) },
        readers: {
          requests: { count: async () => 0 },
          subscriptions: { displaced: async () => new Map() },
        } as unknown as Readers,
        inbox: {
          feed: async (name) => plainFeed(name, 0),
          append: async (request) => appended.push(request) > 0,
        },
        requestWorker: { isAtWork: async () => true, moment: async () => undefined },
      },
      MEMORY_SETTINGS,
    )
    const { id } = await useCases.subscribe.execute({ email: EMAIL, source: SOURCE })
    await useCases.requestPreferences.execute({ email: EMAIL })
    expect(id).toBe((await subscribe(service(), EMAIL)).id)
    expect(appended.map(({ asked }) => asked.kind)).toEqual(['sign-up', 'preferences'])
  })

  it('is a refusal while too many wait, whoever asks', async () => {
    const at = service()
    const readers = {
      ...at.ports.readers,
      requests: { ...at.ports.readers.requests, count: async () => LONGEST_BACKLOG },
    }
    const useCases = createUseCases({ ...at.ports, readers }, MEMORY_SETTINGS)
    await expect(useCases.subscribe.execute({ email: EMAIL, source: SOURCE })).rejects.toThrow(Unavailable)
    await expect(useCases.requestPreferences.execute({ email: 'x@example.com' })).rejects.toThrow(Unavailable)
  })
})
