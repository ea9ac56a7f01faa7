import { decodeJwt, decodeProtectedHeader, importJWK, jwtVerify } from 'jose'
import { describe, expect, it } from 'vitest'
import { claims, expectRefused, NOON, type SetUp, setUp } from './tokens.ts'

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
