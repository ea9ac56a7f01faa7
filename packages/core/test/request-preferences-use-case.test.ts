import { describe, expect, it } from 'vitest'
import { openMemoryService } from '../memory/index.ts'
import {
  type ChallengeAuthority,
  createUseCases,
  DAY,
  HOUR,
  InvalidInput,
  LinkNotValid,
  type TurnedAwayBy,
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
import { failWith, heal, REFUSED } from './deliveries.ts'
import { ask, change, download, EMAIL, linkOf, show, withThree } from './preferences.ts'

const countsOf = async ({ useCases }: Service) => {
  const ever = await useCases.readers.numbers.ever()
  const count = (rule: string) => ever.find(({ what }) => what === `turned-away:${rule}`)?.count ?? 0
  return Object.fromEntries(['honeypot', 'suppressed', 'unknown-address'].map((rule) => [rule, count(rule)]))
}

/** Asks so many times, with this long before each, and has what is due delivered. */
const askEvery = async (at: Service, pause: number, times: number) => {
  for (let n = 0; n < times; n++) {
    at.clock.advance(pause)
    await ask(at)
    await deliver(at)
  }
}

const NOTHING = { honeypot: 0, suppressed: 0, 'unknown-address': 0 }

describe('asking for the link to one’s preferences', () => {
  it('queues a mail to the address, whose link is good for one hour from when it is sent', async () => {
    const { at, ids } = await withThree()
    await ask(at)
    expect(await outboxOf(at)).toMatchObject([
      {
        kind: 'preferences',
        subscriptionId: ids.default,
        expiresAt: at.clock.now() + 7 * DAY,
        notBefore: at.clock.now(),
      },
    ])
    expect((await stored(at, ids.default)).preferencesMail).toBe((await outboxOf(at))[0]?.id)
    at.clock.advance(5 * HOUR)
    await deliver(at)
    const { kind, to, locale, links } = lastMailOf(at)
    expect([kind, to, locale, links.confirm, links.refuse]).toEqual(['preferences', EMAIL, 'de', undefined, undefined])
    expect(links.preferences).toMatch(/^https:\/\/rollcall\.example\/preferences\/[0-9a-f.]+$/)
    const token = links.preferences?.split('/').at(-1) ?? ''
    at.clock.advance(HOUR - 1)
    expect((await show(at, token)).own.subscription.id).toBe(ids.default)
    at.clock.advance(1)
    await expect(show(at, token)).rejects.toThrow(LinkNotValid)
  })

  it('asks once however the address is written, and never sends a mail after a week', async () => {
    const { at } = await withThree()
    await ask(at, 'ADA@Example.com')
    await ask(at, EMAIL)
    expect(await outboxOf(at)).toHaveLength(1)
    const before = mailsOf(at).length
    at.clock.advance(7 * DAY)
    await deliver(at)
    expect([await outboxOf(at), mailsOf(at).length]).toEqual([[], before])
  })

  it('is owed whatever becomes of the subscription, and goes with its erasure', async () => {
    const at = openMemoryService()
    const { id } = await subscribe(at, EMAIL)
    const mail = await mailedToken(at, 'confirm')
    const end = await mailedToken(at, 'unsubscribe')
    await ask(at)
    await confirm(at, mail)
    await unsubscribe(at, end)
    await subscribe(at, EMAIL)
    expect((await outboxOf(at)).map(({ kind }) => kind)).toEqual(['preferences', 'confirmation'])
    await at.useCases.eraseSubscription.execute({ subscriptionId: String(id) }, ADMIN)
    expect(await outboxOf(at)).toEqual([])
  })

  it('ignores a subscription whose time to confirm is over', async () => {
    const at = openMemoryService()
    await subscribe(at, EMAIL)
    await deliver(at)
    at.clock.advance(7 * 24 * HOUR)
    await ask(at)
    expect([await outboxOf(at), await countsOf(at)]).toEqual([[], { ...NOTHING, 'unknown-address': 1 }])
  })

  it('queues no second one while one waits, but one beside a mail of another kind', async () => {
    const at = openMemoryService()
    await subscribe(at, EMAIL)
    for (let n = 0; n < 100; n++) await ask(at)
    expect((await outboxOf(at)).map(({ kind }) => kind)).toEqual(['confirmation', 'preferences'])
    await confirm(at, await mailedToken(at, 'confirm'))
    at.clock.advance(HOUR)
    await deliver(at)
    expect(mailsOf(at).map(({ kind }) => kind)).toEqual(['confirmation', 'preferences'])
    at.clock.advance(HOUR)
    await Promise.all(Array.from({ length: 100 }, () => ask(at)))
    expect((await outboxOf(at)).map(({ kind }) => kind)).toEqual(['preferences'])
  })

  it('changes nothing of the subscription but its queued mail', async () => {
    const { at, ids } = await withThree()
    const before = await stored(at, ids.default)
    await ask(at, EMAIL.toUpperCase(), { locale: 'fr' })
    expect({ ...(await stored(at, ids.default)), preferencesMail: undefined }).toEqual(before)
  })

  it.each([
    ['no address', { email: '' }, ['email']],
    ['what is no address', { email: 'x' }, ['email']],
  ])('refuses %s', async (_, fields, expected) => {
    const at = openMemoryService()
    const refusal = await at.useCases.requestPreferences.execute(fields).catch((error) => error)
    expect(refusal).toBeInstanceOf(InvalidInput)
    expect(refusal.details.map(({ field }: { field: string }) => field)).toEqual(expected)
    expect(await countsOf(at)).toEqual(NOTHING)
  })
})

describe('a caller who asks for another person’s preferences', () => {
  it('gets the same answer, whatever is known of the address', async () => {
    const at = openMemoryService()
    const mails = async (more = {}) => {
      expect(await ask(at, EMAIL, more)).toBeUndefined()
      return (await outboxOf(at)).map(({ kind }) => kind)
    }
    expect(await mails()).toEqual([])
    await subscribe(at, EMAIL)
    expect(await mails()).toEqual(['confirmation', 'preferences'])
    expect(await mails()).toEqual(['confirmation', 'preferences'])
    const token = await mailedToken(at, 'refuse')
    at.clock.advance(HOUR)
    await deliver(at)
    expect(await mails({ website: 'https://spam.example' })).toEqual([])
    expect(await mails()).toEqual(['preferences'])
    await refuse(at, token)
    expect(await mails()).toEqual(['preferences'])
    at.clock.advance(HOUR)
    await deliver(at)
    expect(await mails()).toEqual([])
    expect(await countsOf(at)).toEqual({ honeypot: 1, suppressed: 1, 'unknown-address': 1 })
  })

  it('has one mail sent in 30 days to an owner who wants none: the way back', async () => {
    const { at } = await withThree()
    await change(at, await linkOf(at), 'never-again')
    const before = mailsOf(at).length
    await askEvery(at, DAY, 31)
    expect(mailsOf(at).length - before).toBe(2)
    await change(at, lastMailOf(at).links.preferences?.split('/').at(-1) ?? '', 'allow')
    await ask(at)
    at.clock.advance(HOUR)
    await deliver(at)
    expect(mailsOf(at).length - before).toBe(3)
  })

  it('sends it again to such an owner if the relay gave up the one before', async () => {
    const { at } = await withThree()
    await change(at, await linkOf(at), 'never-again')
    at.clock.advance(DAY)
    failWith(at, REFUSED)
    await ask(at)
    await deliver(at)
    heal(at)
    const before = mailsOf(at).length
    await askEvery(at, HOUR, 3)
    expect(mailsOf(at).length - before).toBe(1)
  })

  it('tells an owner who wants no mail, in the download, when the link was sent', async () => {
    const { at } = await withThree()
    const token = await linkOf(at)
    await change(at, token, 'never-again')
    const asked = at.clock.now()
    await ask(at)
    expect((await download(at, token)).linkMailedAt).toBe(asked)
  })

  it('must have solved a challenge where one is asked for, and each solution counts once', async () => {
    const at = openMemoryService()
    const { id } = await subscribe(at, EMAIL)
    await unsubscribe(at, await mailedToken(at, 'unsubscribe'))
    const authority: ChallengeAuthority = {
      create: async () => ({}),
      verify: async (solution) =>
        solution.startsWith('good') ? { id: solution, expiresAt: at.clock.now() + HOUR } : undefined,
    }
    const rules: TurnedAwayBy[] = []
    const metrics = { turnedAway: (rule: TurnedAwayBy) => rules.push(rule) }
    const ports = { ...at.ports, challenge: authority, metrics }
    const { requestPreferences } = createUseCases(ports, { publicUrl: 'https://x', linkLife: HOUR })
    const send = (altcha?: string, email = EMAIL) => requestPreferences.execute({ email, altcha })
    at.clock.advance(HOUR)
    await expect(send()).rejects.toBeInstanceOf(InvalidInput)
    await expect(send('bad')).rejects.toBeInstanceOf(InvalidInput)
    await expect(send('good 1', 'no address')).rejects.toBeInstanceOf(InvalidInput)
    await send('good 1')
    await expect(send('good 1')).rejects.toBeInstanceOf(InvalidInput)
    expect((await outboxOf(at)).map(({ subscriptionId }) => subscriptionId)).toEqual([id])
    await send('good 2')
    await send('good 3', 'stranger@example.com')
    expect(rules).toEqual(['challenge', 'challenge', 'challenge', 'mail-cap'])
  })
})
