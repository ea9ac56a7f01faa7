import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import type { JWK } from 'jose'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createProviderTokenVerifier } from '../src/index.ts'
import { newProviderKey } from './identity-provider.ts'
import { DISCOVERY_AT, issuedClaims, json, KEYS_AT, publicHalf, scripted } from './scripted-provider.ts'
import { expectRefused, SettableClock } from './tokens.ts'

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const unavailable = expect.objectContaining({ name: 'Unavailable' })
const ORIGIN = new URL(DISCOVERY_AT).origin

type Scripted = Awaited<ReturnType<typeof scripted>>

const never = () => new Promise<Response>(() => undefined)
const failing = () => Promise.reject(new TypeError('fetch failed', { cause: { code: 'ECONNREFUSED' } }))

const fresh = async ({ sign }: Scripted, jti: string) => await sign(issuedClaims({ jti }))
const subjectOf = async (at: Scripted, token: string) => (await at.verifier.verify(token)).subject
const keyRequests = ({ asked }: Scripted) => asked.filter((url) => url === KEYS_AT).length

describe('the keys of a provider', () => {
  it('are not fetched before a token needs them', async () => {
    const at = await scripted()
    expect(at.asked).toEqual([])
    for (const token of ['', 'a.b.c', 'x'.repeat(9_000)]) await expectRefused(at.verifier.verify(token))
    expect(at.asked).toEqual([])
  })

  it('are fetched once for all tokens that come at the same time', async () => {
    const at = await scripted()
    const tokens = await Promise.all(Array.from({ length: 50 }, (_, n) => fresh(at, `token-${n}`)))
    await Promise.all(tokens.map((token) => subjectOf(at, token)))
    expect(at.asked).toEqual([DISCOVERY_AT, KEYS_AT])
  })

  it('are fetched again while they still serve: no request waits for that', async () => {
    const at = await scripted()
    const token = await fresh(at, '1')
    await subjectOf(at, token)
    at.clock.time += 4 * MINUTE
    await subjectOf(at, await fresh(at, '2'))
    expect(keyRequests(at)).toBe(1)
    at.clock.time += 2 * MINUTE
    at.answers.set(KEYS_AT, never)
    for (const one of [token, await fresh(at, '3')]) expect(await subjectOf(at, one)).toBe('alice')
    expect(keyRequests(at)).toBe(2)
  })

  it('are waited for when they are older than ten minutes, and not believed before', async () => {
    const at = await scripted()
    const token = await fresh(at, '1')
    await subjectOf(at, token)
    at.answers.set(KEYS_AT, json({ keys: [publicHalf(await newProviderKey('two', 'ES256'))] }))
    at.clock.time += 10 * MINUTE
    await expectRefused(at.verifier.verify(token), 'notGenuine')
  })

  it('that did not change leave tokens that were found good as they are', async () => {
    const at = await scripted()
    await subjectOf(at, await fresh(at, '1'))
    const token = await fresh(at, '2')
    const first = await at.verifier.verify(token)
    at.clock.time += 31 * SECOND
    await expectRefused(at.verifier.verify(await at.sign(issuedClaims(), { kid: 'unknown' })), 'notGenuine')
    expect(keyRequests(at)).toBe(2)
    expect(await at.verifier.verify(token)).toBe(first)
  })

  it.each([
    ['no connection', failing],
    ['an error', json({}, { status: 500 })],
    ['no JSON', () => new Response('<html>')],
    ['no key set', json({ keys: 'none' })],
    ['no key set but a list', json([])],
    ['null', json(null)],
    ['keys that are no objects', json({ keys: ['key'] })],
    ['bytes that are no text', () => new Response(new Uint8Array([0x7b, 0xff, 0xfe, 0x7d]))],
    ['nothing at all', () => new Response(null)],
  ])(
    'serve on when their address gives %s, and it is asked again after the cool-down, not before',
    async (_what, answer) => {
      const at = await scripted()
      const whole = at.answers.get(KEYS_AT)!
      await subjectOf(at, await fresh(at, '1'))
      at.answers.set(KEYS_AT, answer)
      at.clock.time += 11 * MINUTE
      for (const jti of ['2', '3', '4']) expect(await subjectOf(at, await fresh(at, jti))).toBe('alice')
      expect(keyRequests(at)).toBe(2)
      expect(at.troubles).toEqual([expect.objectContaining({ name: 'ProviderTrouble' })])
      at.clock.time += 4 * SECOND
      await subjectOf(at, await fresh(at, '5'))
      expect(keyRequests(at)).toBe(2)
      at.answers.set(KEYS_AT, whole)
      at.clock.time += 2 * SECOND
      await subjectOf(at, await fresh(at, '6'))
      expect(keyRequests(at)).toBe(3)
    },
  )

  it('keep no request waiting while the provider answers nothing, once that is known', async () => {
    const at = await scripted()
    await subjectOf(at, await fresh(at, '1'))
    at.answers.set(KEYS_AT, failing)
    at.clock.time += 20 * MINUTE
    await subjectOf(at, await fresh(at, '2'))
    at.answers.set(KEYS_AT, never)
    at.clock.time += 20 * MINUTE
    expect(await subjectOf(at, await fresh(at, '3'))).toBe('alice')
    expect(keyRequests(at)).toBe(3)
  })

  it('leave a token with an unknown key unjudged while the provider is down, and refused while it is not', async () => {
    const at = await scripted()
    await subjectOf(at, await fresh(at, '1'))
    const other = await newProviderKey('two', 'ES256')
    const token = await at.sign(issuedClaims(), {}, other)
    await expectRefused(at.verifier.verify(token), 'notGenuine')
    at.answers.set(KEYS_AT, failing)
    at.clock.time += 31 * SECOND
    await expect(at.verifier.verify(token)).rejects.toEqual(unavailable)
    at.answers.set(KEYS_AT, json({ keys: [publicHalf(at.key), publicHalf(other)] }))
    await expect(at.verifier.verify(token)).rejects.toEqual(unavailable)
    at.clock.time += 31 * SECOND
    expect(await subjectOf(at, token)).toBe('alice')
  })

  it('are looked up again when they have moved', async () => {
    const at = await scripted()
    await subjectOf(at, await fresh(at, '1'))
    const moved = `${ORIGIN}/moved`
    at.answers.set(moved, at.answers.get(KEYS_AT)!)
    at.answers.set(DISCOVERY_AT, json({ issuer: issuedClaims().iss, jwks_uri: moved }))
    at.answers.delete(KEYS_AT)
    at.clock.time += 11 * MINUTE
    await subjectOf(at, await fresh(at, '2'))
    at.clock.time += 31 * SECOND
    await subjectOf(at, await fresh(at, '3'))
    await new Promise(setImmediate)
    expect(at.asked).toEqual([DISCOVERY_AT, KEYS_AT, KEYS_AT, DISCOVERY_AT, moved])
  })

  it('are no younger because the clock was once wrong by years', async () => {
    const at = await scripted()
    at.clock.time += 365 * 24 * HOUR
    const token = await at.sign(issuedClaims({ exp: at.clock.time / 1_000 + 60 }))
    await subjectOf(at, token)
    at.clock.time -= 365 * 24 * HOUR
    await subjectOf(at, token)
    expect(keyRequests(at)).toBe(2)
  })
})

describe('a request to the provider', () => {
  const serveAt = async (handle: http.RequestListener): Promise<string> => {
    const server = http.createServer(handle).listen(0, '127.0.0.1')
    await once(server, 'listening')
    onTestFinished(async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    })
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  }

  const troubleAt = async (issuer: string): Promise<Error> => {
    const troubles: Error[] = []
    const onProviderTrouble = (error: unknown) => troubles.push(error as Error)
    const options = { issuer, audience: ['rollcall'], onProviderTrouble, clock: new SettableClock() }
    const { sign } = await scripted()
    const token = await sign(issuedClaims({ iss: issuer, exp: 4e9 }))
    await expect(createProviderTokenVerifier(options).verify(token)).rejects.toEqual(unavailable)
    expect(troubles).toHaveLength(1)
    return troubles[0]!
  }

  it('ends after 5 seconds, answered half or not at all', async () => {
    const soon = AbortSignal.timeout.bind(AbortSignal)
    const timeout = vi.spyOn(AbortSignal, 'timeout').mockImplementation((after) => soon(after / 100))
    onTestFinished(() => timeout.mockRestore())
    for (const begin of [false, true]) {
      const issuer = await serveAt((_request, response) => {
        if (begin) response.writeHead(200, { 'Content-Type': 'application/json' }).write('{"issuer":')
      })
      expect((await troubleAt(issuer)).message).toContain('TimeoutError')
    }
    expect(timeout.mock.calls).toEqual([[5_000], [5_000]])
  })

  it.each([
    ['as it is', (text: string) => Buffer.from(text), {}],
    ['compressed', (text: string) => gzipSync(text), { 'Content-Encoding': 'gzip' }],
  ])('reads no more than half a megabyte, %s', async (_how, encode, headers) => {
    const body = encode(JSON.stringify({ padding: 'x'.repeat(600 * 1024) }))
    const issuer = await serveAt((_request, response) => response.writeHead(200, headers).end(body))
    expect((await troubleAt(issuer)).message).toMatch(/more than 524288 bytes/)
  })

  it('follows no redirect to another origin, nor endless ones', async () => {
    const asked: string[] = []
    const other = await serveAt((request, response) => {
      asked.push(request.url ?? '')
      response.end('{}')
    })
    for (const status of [301, 302, 303, 307, 308]) {
      const issuer = await serveAt((request, response) => {
        response.writeHead(status, { Location: `${other}${request.url}` }).end()
      })
      expect((await troubleAt(issuer)).message).toMatch(/another place/)
    }
    expect(asked).toEqual([])
    const circle = await serveAt((request, response) => response.writeHead(302, { Location: request.url ?? '' }).end())
    expect((await troubleAt(circle)).message).toMatch(/too often/)
  })

  it('follows a redirect within the origin', async () => {
    const at = await scripted()
    const behind = `${ORIGIN}/behind`
    at.answers.set(behind, at.answers.get(KEYS_AT)!)
    at.answers.set(KEYS_AT, () => new Response(null, { status: 307, headers: { Location: '/behind' } }))
    expect(await subjectOf(at, await fresh(at, '1'))).toBe('alice')
    expect(at.asked).toEqual([DISCOVERY_AT, KEYS_AT, behind])
  })
})

describe('the discovery document', () => {
  const issuer = String(issuedClaims().iss)

  it('may be that of an authorization server, its name before the path of the issuer (RFC 8414)', async () => {
    const at = await scripted()
    const place = `${ORIGIN}/.well-known/oauth-authorization-server/realms/staff`
    at.answers.set(place, at.answers.get(DISCOVERY_AT)!)
    at.answers.delete(DISCOVERY_AT)
    expect(await subjectOf(at, await fresh(at, '1'))).toBe('alice')
    expect(at.asked).toEqual([DISCOVERY_AT, place, KEYS_AT])
  })

  it('is not looked for elsewhere when there was an answer other than 404', async () => {
    const at = await scripted()
    at.answers.set(DISCOVERY_AT, json({}, { status: 503 }))
    await expect(at.verifier.verify(await fresh(at, '1'))).rejects.toEqual(unavailable)
    expect(at.asked).toEqual([DISCOVERY_AT])
  })

  it.each([
    ['another issuer', { issuer: 'https://id.example.com/realms/other', jwks_uri: KEYS_AT }],
    ['the issuer with one slash more', { issuer: `${issuer}/`, jwks_uri: KEYS_AT }],
    ['the issuer in other letters', { issuer: issuer.toUpperCase(), jwks_uri: KEYS_AT }],
    ['no issuer', { jwks_uri: KEYS_AT }],
    ['no keys', { issuer }],
    ['keys over plain http', { issuer, jwks_uri: 'http://id.example.com/keys' }],
    ['keys on this machine', { issuer, jwks_uri: 'http://127.0.0.1/keys' }],
    ['keys in a file', { issuer, jwks_uri: 'file:///etc/keys' }],
    ['keys behind a password', { issuer, jwks_uri: 'https://user:secret@id.example.com/keys' }],
    ['keys that are no address', { issuer, jwks_uri: ['https://id.example.com/keys'] }],
    ['nothing', null],
    ['a text', 'https://id.example.com/keys'],
  ])('is refused that names %s', async (_what, document) => {
    const at = await scripted()
    at.answers.set(DISCOVERY_AT, json(document))
    await expect(at.verifier.verify(await fresh(at, '1'))).rejects.toEqual(unavailable)
    expect(at.asked).toEqual([DISCOVERY_AT])
    expect(at.troubles).toHaveLength(1)
    expect(at.troubles[0]?.message).not.toContain('secret')
  })
})

describe('a published key', () => {
  const accepted = async (change: (key: JWK) => unknown, header: object = {}, alg = 'RS256'): Promise<boolean> => {
    const at = await scripted({}, alg)
    at.answers.set(KEYS_AT, json({ keys: [change(publicHalf(at.key))].flat() }))
    const token = await at.sign(issuedClaims(), { ...header })
    return await at.verifier.verify(token).then(
      () => true,
      () => false,
    )
  }

  it('is used without alg, use and key_ops', async () => {
    expect(await accepted(({ alg, use, ...key }) => key)).toBe(true)
    expect(await accepted(({ alg, use, ...key }) => key, { alg: 'PS256' })).toBe(true)
  })

  it.each([
    [{ use: 'enc' }],
    [{ key_ops: ['encrypt'] }],
    [{ key_ops: [] }],
    [{ alg: 'PS256' }],
    [{ alg: 'RSA-OAEP' }],
    [{ kty: 'EC' }],
    [{ n: 'AQAB' }],
    [{ kid: 'other' }],
    [{ kid: 1 }],
  ])('is not used for what it is not meant for (%j)', async (change) => {
    expect(await accepted((key) => ({ ...key, ...change }) as JWK)).toBe(false)
  })

  it('is not used where it is private: it has leaked', async () => {
    const at = await scripted()
    at.answers.set(KEYS_AT, json({ keys: [at.key] }))
    await expectRefused(at.verifier.verify(await fresh(at, '1')), 'notGenuine')
  })

  it('that is damaged or of a kind unknown here keeps no other from being used', async () => {
    const odd = [{ kty: 'new' }, {}, { kty: 'RSA', kid: 'x' }, { kty: 'EC', crv: 'P-256', x: 1, y: 2, kid: 'y' }]
    expect(await accepted((key) => [...odd, key])).toBe(true)
  })

  it.each([[null], ['key'], [7], [[]]])('keeps no other from being used where %j is listed as a key', async (odd) => {
    expect(await accepted((key) => [[odd], key].flat() as unknown[])).toBe(true)
  })

  it('is tried with the others that have its id, or with all that fit where a token has none', async () => {
    const other = publicHalf(await newProviderKey('two'))
    const elliptic = publicHalf(await newProviderKey('three', 'ES256'))
    const weak = { ...other, n: 'AQAB' }
    const headers: readonly object[] = [{ kid: undefined }, { kid: 'one' }]
    for (const header of headers) {
      expect(await accepted((key) => key, header)).toBe(true)
      expect(await accepted((key) => [elliptic, { ...elliptic, kid: 'one' }, key], header)).toBe(true)
      expect(await accepted((key) => [{ ...weak, kid: 'one' }, { ...other, kid: 'one' }, key], header)).toBe(true)
    }
    expect(await accepted(() => [other, other], { kid: undefined })).toBe(false)
    expect(await accepted((key) => [...Array.from({ length: 7 }, () => other), key], { kid: undefined })).toBe(true)
    expect(await accepted((key) => [...Array.from({ length: 8 }, () => other), key], { kid: undefined })).toBe(false)
    expect(await accepted(({ kid, ...key }) => key, { kid: undefined })).toBe(true)
    expect(await accepted(({ kid, ...key }) => key, { kid: 'one' })).toBe(false)
  })
})
