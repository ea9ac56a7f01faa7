import { decodeJwt, decodeProtectedHeader, importJWK, jwtVerify } from 'jose'
import { describe, expect, it } from 'vitest'
import { parseOwnKeySet } from '../src/own-keys.ts'
import { claims, expectRefused, NOON, newJwk, type SetUp, setUp } from './tokens.ts'

const SECOND = 1000

describe('own tokens', () => {
  it('have exactly the header and claims that the contract names', async () => {
    const { issuer } = await setUp()
    const { token, tokenId } = await issuer.issue({ subject: 'alice', roles: [], lifetime: 60 })
    expect(decodeProtectedHeader(token)).toEqual({ alg: 'EdDSA', typ: 'at+jwt', kid: 'one' })
    const iat = NOON / SECOND
    expect(decodeJwt(token)).toEqual({
      iss: 'rollcall',
      aud: 'rollcall',
      sub: 'alice',
      jti: tokenId,
      iat,
      exp: iat + 60,
      roles: [],
    })
    expect(Buffer.from(tokenId, 'base64url')).toHaveLength(16)
  })

  it('have a claim for the feeds they are bound to, and none where they are not bound', async () => {
    const { issuer, verifier, sign } = await setUp()
    const request = { subject: 'mailer', roles: ['sender'], lifetime: 60 }
    const bound = await issuer.issue({ ...request, feeds: ['weekly'] })
    expect(decodeJwt(bound.token)).toMatchObject({ feeds: ['weekly'] })
    expect(await verifier.verify(bound.token)).toMatchObject({ feeds: ['weekly'], own: true })
    const free = await issuer.issue(request)
    expect(decodeJwt(free.token)).not.toHaveProperty('feeds')
    expect((await verifier.verify(free.token)).feeds).toBeUndefined()
    expect((await verifier.verify(await sign(claims({ feeds: null })))).feeds).toEqual([])
    for (const feeds of [7, ['weekly', 7]])
      await expect(verifier.verify(await sign(claims({ feeds })))).rejects.toMatchObject({ failedCheck: 'feeds' })
  })

  it('verify for 400 days after they were issued, and so do all that the first release issued', async () => {
    const { sign, verifier, clock } = await setUp()
    const issuedAt = NOON / SECOND
    for (const days of [366, 367, 400]) {
      const token = await sign(claims({ exp: issuedAt + days * 86_400, jti: `of ${days} days` }))
      clock.time = NOON
      expect((await verifier.verify(token)).subject).toBe('alice')
      clock.time = NOON + days * 86_400 * SECOND - 1
      expect((await verifier.verify(token)).subject).toBe('alice')
    }
  })

  it('can be verified by others with nothing but the published JWK set', async () => {
    const { issuer, verifier } = await setUp()
    const { token } = await issuer.issue({ subject: 'alice', roles: [], lifetime: 60 })
    const [jwk] = verifier.jwks().keys
    const options = { issuer: 'rollcall', audience: 'rollcall', typ: 'at+jwt', currentDate: new Date(NOON) }
    const { payload } = await jwtVerify(token, await importJWK(jwk!, 'EdDSA'), options)
    expect(payload.sub).toBe('alice')
  })

  it('verify whether the algorithm is spelled EdDSA or Ed25519', async () => {
    const { sign, verifier } = await setUp()
    const token = await sign(claims(), { alg: 'Ed25519' })
    expect((await verifier.verify(token)).subject).toBe('alice')
  })

  it('verify with the type in other letters and as a whole media type', async () => {
    const { sign, verifier } = await setUp()
    const whole = await sign(claims(), { typ: 'application/AT+JWT' })
    expect((await verifier.verify(whole)).subject).toBe('alice')
  })

  it('of a key that came with a change of keys verify; those of a key that went are refused at once', async () => {
    const { keys, issuer, verifier, jwk } = await setUp()
    const before = await issuer.issue({ subject: 'alice', roles: [], lifetime: 60 })
    await verifier.verify(before.token)
    const second = await newJwk('two')
    const retired = { ...jwk, d: undefined }
    keys.use(await parseOwnKeySet(JSON.stringify({ keys: [retired, second] }), 'test'))
    expect(verifier.jwks().keys.map(({ kid }) => kid)).toEqual(['one', 'two'])
    const after = await issuer.issue({ subject: 'bob', roles: [], lifetime: 60 })
    expect((await verifier.verify(before.token)).subject).toBe('alice')
    expect((await verifier.verify(after.token)).subject).toBe('bob')
    keys.use(await parseOwnKeySet(JSON.stringify({ keys: [second] }), 'test'))
    await expectRefused(verifier.verify(before.token), 'notGenuine')
    expect((await verifier.verify(after.token)).subject).toBe('bob')
  })
})

describe('the clock', () => {
  const issue = async ({ issuer }: SetUp) => (await issuer.issue({ subject: 'alice', roles: [], lifetime: 60 })).token

  it('lets a token live until the very millisecond of its exp, and not longer', async () => {
    const world = await setUp()
    const token = await issue(world)
    world.clock.time = NOON + 60 * SECOND - 1
    expect((await world.verifier.verify(token)).subject).toBe('alice')
    world.clock.time = NOON + 60 * SECOND
    await expectRefused(world.verifier.verify(token), 'expired')
  })

  it.each(['iat', 'nbf'])('takes an %s up to five seconds ahead, and not six', async (claim) => {
    const { sign, verifier } = await setUp()
    const ahead = (seconds: number) => sign(claims({ [claim]: NOON / SECOND + seconds }))
    expect((await verifier.verify(await ahead(5))).subject).toBe('alice')
    await expectRefused(verifier.verify(await ahead(6)), 'tooEarly')
  })
})

describe('the roles claim', () => {
  it.each([
    [
      ['admin', 'auditor'],
      ['admin', 'auditor'],
    ],
    ['admin auditor', ['admin', 'auditor']],
    [' admin  auditor ', ['admin', 'auditor']],
    ['', []],
    [[], []],
    [undefined, []],
    [null, []],
    [true, []],
    [{ admin: true }, ['admin']],
    [['admin', 7], ['admin']],
    [[['admin']], []],
    ['admin\tauditor', ['admin\tauditor']],
  ])('%j lists %j', async (roles, expected) => {
    const { sign, verifier } = await setUp()
    expect((await verifier.verify(await sign(claims({ roles })))).roles).toEqual(expected)
  })
})
