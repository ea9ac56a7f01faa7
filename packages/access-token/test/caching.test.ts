import { Unavailable } from '@rollcall/core'
import { describe, expect, it } from 'vitest'
import { CachingVerifier, VerifiedTokenCache } from '../src/caching-verifier.ts'
import type { KeySource, VerificationRules } from '../src/check-token.ts'
import { namesAt } from '../src/names-claim.ts'
import { claims, expectRefused, NOON, OWN, setUp } from './tokens.ts'
import { wycheproof } from './wycheproof.ts'

const RULES: VerificationRules = {
  issuer: OWN.issuer,
  audience: [OWN.audience],
  types: ['at+jwt'],
  algorithms: ['EdDSA'],
  required: [],
  roles: namesAt('roles'),
}

/** Counts how often it is asked: once per verification from nothing. */
const counting = (keys: KeySource): KeySource & { asked: number } => ({
  asked: 0,
  generation: 0,
  find(...wanted) {
    this.asked++
    return keys.find(...wanted)
  },
})

describe('a token that was found good', () => {
  it('is not verified from nothing again, and gives the very same answer', async () => {
    const { keys, clock, sign } = await setUp()
    const source = counting(keys)
    const verifier = new CachingVerifier(source, RULES, clock)
    const token = await sign(claims())
    const first = await verifier.verify(token)
    for (let i = 0; i < 10; i++) expect(await verifier.verify(token)).toBe(first)
    expect(source.asked).toBe(1)
    expect(Object.isFrozen(first) && Object.isFrozen(first.roles)).toBe(true)
  })

  it('is refused as expired from the very moment it expires', async () => {
    const { keys, clock, sign } = await setUp()
    const verifier = new CachingVerifier(keys, RULES, clock)
    const token = await sign(claims({ exp: NOON / 1000 + 1 }))
    await verifier.verify(token)
    clock.time = NOON + 999
    await verifier.verify(token)
    clock.time = NOON + 1_000
    await expectRefused(verifier.verify(token), 'expired')
  })

  it('is verified again when the keys have changed, also while its verification was under way', async () => {
    const { keys, clock, sign } = await setUp()
    let generation = 0
    let known = true
    const source: KeySource = {
      get generation() {
        return generation
      },
      find: async (keyId, algorithm) => (known ? keys.find(keyId, algorithm) : []),
    }
    const verifier = new CachingVerifier(source, RULES, clock)
    const token = await sign(claims())
    const underWay = verifier.verify(token)
    generation++
    known = false
    const afterwards = expectRefused(verifier.verify(token), 'notGenuine')
    await Promise.allSettled([underWay])
    await afterwards
    await expectRefused(verifier.verify(token), 'notGenuine')
  })
})

describe('a token that was refused', () => {
  it('is verified again every time: refusals take no room', async () => {
    const { keys, clock, sign } = await setUp()
    const source = counting(keys)
    const verifier = new CachingVerifier(source, RULES, clock)
    const token = await sign(claims({ aud: 'another' }))
    for (let i = 0; i < 3; i++) await expectRefused(verifier.verify(token), 'notForUs')
    expect(source.asked).toBe(3)
  })

  it('leaves a trouble of the key source as it is, and is good once that is over', async () => {
    const { keys, clock, sign } = await setUp()
    let up = false
    const source: KeySource = {
      generation: 0,
      find: async (keyId, algorithm) => {
        if (!up) throw new Unavailable()
        return await keys.find(keyId, algorithm)
      },
    }
    const verifier = new CachingVerifier(source, RULES, clock)
    const token = await sign(claims())
    await expect(verifier.verify(token)).rejects.toBeInstanceOf(Unavailable)
    up = true
    expect((await verifier.verify(token)).subject).toBe('alice')
  })
})

describe('the cache of verified tokens', () => {
  const verified = { subject: 'alice', roles: [], tokenId: undefined }

  it('holds a bounded number of tokens and keeps those in use', () => {
    const cache = new VerifiedTokenCache()
    cache.keep('first', verified, 1, 0)
    for (let i = 0; i < 20_000; i++) {
      cache.keep(`token-${i}`, verified, 1, 0)
      cache.find('first', 0, 0)
    }
    expect(cache.size).toBe(5_000)
    expect(cache.find('first', 0, 0)).toBeDefined()
    expect(cache.find('token-0', 0, 0)).toBeUndefined()
  })

  it('holds fewer of long ones: its bytes are bounded too', () => {
    const cache = new VerifiedTokenCache()
    for (let i = 0; i < 5_000; i++) cache.keep(`${i}`.padEnd(8_000, 'x'), verified, 1, 0)
    expect(cache.size).toBeLessThan(600)
  })
})

describe('the test vectors of project Wycheproof (JSON Web Signature)', () => {
  const groups = wycheproof()
  const ALGORITHMS = ['ES256', 'PS256', 'RS256', 'EdDSA', 'Ed25519']

  it.runIf(groups.length > 0)('are all refused, the wrongly signed ones for their signature', async () => {
    const { importJWK } = await import('jose')
    const { clock } = await setUp()
    let rightlySigned = 0
    for (const { public: jwk, tests } of groups) {
      const usable = jwk !== undefined && ALGORITHMS.includes(jwk.alg) && jwk.use === 'sig'
      const key = usable ? await importJWK(jwk, jwk.alg) : undefined
      const source: KeySource = {
        generation: 0,
        find: async (_keyId, algorithm) => (key && 'type' in key && algorithm === jwk!.alg ? [{ key }] : []),
      }
      const verifier = new CachingVerifier(source, { ...RULES, algorithms: ALGORITHMS }, clock)
      for (const { jws, result, tcId } of tests) {
        if (typeof jws !== 'string') continue
        const refusal = await verifier.verify(jws).catch((error: Error) => error.message)
        expect(refusal, `test ${tcId}`).toBeTypeOf('string')
        const forItsClaims = String(refusal).includes('is not an access token')
        if (result === 'invalid') expect(forItsClaims, `test ${tcId} passed as signed`).toBe(false)
        if (result === 'valid' && forItsClaims) rightlySigned++
      }
    }
    expect(rightlySigned).toBe(9)
  })
})
