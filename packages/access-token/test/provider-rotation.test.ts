import type { JWK } from 'jose'
import { describe, expect, it } from 'vitest'
import { newProviderKey } from './identity-provider.ts'
import { DISCOVERY_AT, issuedClaims, json, KEYS_AT, publicHalf, scripted } from './scripted-provider.ts'
import { expectRefused } from './tokens.ts'

const SECOND = 1_000
const MINUTE = 60 * SECOND

type Scripted = Awaited<ReturnType<typeof scripted>>

const keyRequests = ({ asked }: Scripted): number => asked.filter((url) => url === KEYS_AT).length
const nowIn = ({ clock }: Scripted): number => Math.floor(clock.time / SECOND)
const keysOf = (...keys: readonly JWK[]) => json({ keys: keys.map(publicHalf) })

/** It expects a wait of this many seconds at most. */
const expectUnjudged = async (verifying: Promise<unknown>, atMost = 5): Promise<void> => {
  const error = await verifying.catch((thrown: unknown) => thrown)
  const cause = expect.objectContaining({ name: 'ProviderTrouble' })
  expect(error).toMatchObject({ name: 'Unavailable', retryAfter: expect.any(Number), cause })
  const { retryAfter } = error as { readonly retryAfter: number }
  expect(retryAfter).toBeGreaterThan(0)
  expect(retryAfter).toBeLessThanOrEqual(atMost * SECOND)
}

/** The keys were fetched a while ago. */
const warm = async (alg?: string): Promise<Scripted> => {
  const at = await scripted({}, alg)
  await at.verifier.verify(await at.sign(issuedClaims({ jti: 'warm' })))
  at.clock.time += 31 * SECOND
  return at
}

const madeUp = async (at: Scripted, kid = 'made-up', claims: object = {}): Promise<string> =>
  await at.sign(issuedClaims({ iat: nowIn(at), exp: nowIn(at) + 600, ...claims }), { kid })

describe('a new key of the provider', () => {
  it('is found at most five seconds after a stranger sent a key id that was made up', async () => {
    const at = await warm()
    await expectRefused(at.verifier.verify(await madeUp(at)), 'notGenuine')
    const second = await newProviderKey('second', 'ES256')
    at.answers.set(KEYS_AT, keysOf(second, at.key))
    at.clock.time += SECOND
    const token = await at.sign(issuedClaims({ iat: nowIn(at) }), {}, second)
    await expectUnjudged(at.verifier.verify(token), 4)
    at.clock.time += 4 * SECOND
    expect((await at.verifier.verify(token)).subject).toBe('alice')
    expect(keyRequests(at)).toBe(3)
  })

  it('is not delayed by a stranger who goes on: one request every five seconds, whatever comes', async () => {
    const at = await warm()
    for (let tenth = 0; tenth < 300; tenth++) {
      await at.verifier.verify(await madeUp(at, `made-up-${tenth}`)).catch(() => undefined)
      at.clock.time += 100
    }
    expect(keyRequests(at)).toBe(1 + 6)
  })

  it('is not missed because the answer to another token was already on its way', async () => {
    const at = await warm()
    const second = await newProviderKey('second', 'ES256')
    const [asked, before] = [Promise.withResolvers<void>(), Promise.withResolvers<Response>()]
    at.answers.set(KEYS_AT, () => {
      asked.resolve()
      return before.promise
    })
    const refused = expectRefused(at.verifier.verify(await madeUp(at)), 'notGenuine')
    await asked.promise
    at.clock.time += 2 * SECOND
    const token = await at.sign(issuedClaims({ iat: nowIn(at) }), {}, second)
    const unjudged = expectUnjudged(at.verifier.verify(token), 3)
    before.resolve(await keysOf(at.key)(new Headers()))
    await Promise.all([refused, unjudged])
    at.answers.set(KEYS_AT, keysOf(second, at.key))
    at.clock.time += 3 * SECOND
    expect((await at.verifier.verify(token)).subject).toBe('alice')
  })

  it.each([
    ['another service', { aud: 'another' }, {}],
    ['another issuer', { iss: 'https://id.example.com/realms/other' }, {}],
    ['a time that is over', { exp: 1 }, {}],
    ['a sign-in', { at_hash: 'h' }, {}],
    ['no subject', { sub: undefined }, {}],
    ['another type', {}, { typ: 'logout+jwt' }],
    ['another algorithm', {}, { alg: 'PS512' }],
    ['an extension', {}, { crit: ['exp'], exp: 1 }],
  ])('is not looked for, or waited for, because of a token for %s', async (_what, claims, header) => {
    const at = await warm()
    const [, , signature] = (await at.sign(issuedClaims())).split('.')
    const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const whole = { alg: 'ES256', typ: 'at+jwt', kid: 'made-up', ...header }
    const token = `${part(whole)}.${part(issuedClaims({ iat: nowIn(at), ...claims }))}.${signature}`
    await expectRefused(at.verifier.verify(token), 'notGenuine')
    expect(keyRequests(at)).toBe(1)
  })

  it('cannot be that of a token that was issued long before the keys were asked for: it is refused at once', async () => {
    const at = await warm()
    at.clock.time += MINUTE
    const token = await at.sign(issuedClaims(), { kid: 'withdrawn' })
    for (let second = 0; second < 4; second++) {
      await expectRefused(at.verifier.verify(token), 'notGenuine')
      at.clock.time += SECOND
    }
    expect(keyRequests(at)).toBe(2)
    await expectUnjudged(at.verifier.verify(await madeUp(at, 'any', { iat: undefined })))
  })
})

describe('a provider that fails', () => {
  /** The seconds at which it is asked for the keys while tokens of unknown keys come all the time. */
  const askedWithin = async (seconds: number, headers: Record<string, string> = {}): Promise<readonly number[]> => {
    const at = await warm()
    const begin = at.clock.time
    const times: number[] = []
    const fail = () => {
      times.push((at.clock.time - begin) / SECOND)
      return new Response('', { status: 503, headers })
    }
    at.answers.set(KEYS_AT, fail)
    for (let second = 0; second < seconds; second++) {
      await expectUnjudged(at.verifier.verify(await madeUp(at)), 7_200)
      at.clock.time += SECOND
    }
    return times
  }

  it('is asked after 5, 10, 20 and then 30 seconds', async () => {
    expect(await askedWithin(100)).toEqual([0, 5, 15, 35, 65, 95])
  })

  it('is left alone for as long as it asks for, up to an hour', async () => {
    expect(await askedWithin(300, { 'Retry-After': '120' })).toEqual([0, 120, 240])
    expect(await askedWithin(20, { 'Retry-After': '1' })).toEqual([0, 5, 15])
    const date = { Date: 'Sat, 21 Nov 2026 11:00:00 GMT', 'Retry-After': 'Sat, 21 Nov 2026 11:01:00 GMT' }
    expect(await askedWithin(100, date)).toEqual([0, 60])
    expect(await askedWithin(3_700, { 'Retry-After': '999999999' })).toEqual([0, 3_600])
  })

  it('is asked every five seconds at most again once it has answered', async () => {
    const at = await warm()
    at.answers.set(KEYS_AT, json({}, { status: 500 }))
    for (const pause of [5, 10, 20]) {
      await expectUnjudged(at.verifier.verify(await madeUp(at)), pause)
      at.clock.time += pause * SECOND
    }
    at.answers.set(KEYS_AT, keysOf(at.key))
    await expectRefused(at.verifier.verify(await madeUp(at)), 'notGenuine')
    at.clock.time += 5 * SECOND
    await expectRefused(at.verifier.verify(await madeUp(at)), 'notGenuine')
    expect(at.asked.slice(-2)).toEqual([KEYS_AT, KEYS_AT])
    expect(at.asked.filter((url) => url === DISCOVERY_AT)).toHaveLength(4)
  })
})
