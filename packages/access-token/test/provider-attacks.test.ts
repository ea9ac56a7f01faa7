import { createHmac } from 'node:crypto'
import { CompactEncrypt, type CryptoKey, exportJWK, exportSPKI, importJWK } from 'jose'
import { describe, expect, it } from 'vitest'
import { newProviderKey } from './identity-provider.ts'
import { DISCOVERY_AT, issuedClaims, json, KEYS_AT, publicHalf, scripted } from './scripted-provider.ts'
import { base64url, expectRefused } from './tokens.ts'
import { wycheproof } from './wycheproof.ts'

type Scripted = Awaited<ReturnType<typeof scripted>>

/** The keys are known already and were asked for just now: from here on nothing may be asked of anybody. */
const attacked = async (alg = 'RS256'): Promise<Scripted & { expectSilence(): void }> => {
  const at = await scripted({}, alg)
  await at.verifier.verify(await at.sign(issuedClaims({ jti: 'warm' })))
  return { ...at, expectSilence: () => expect(at.asked).toEqual([DISCOVERY_AT, KEYS_AT]) }
}

const unsigned = (header: object, claims: unknown = issuedClaims()): string =>
  `${base64url(header)}.${base64url(claims)}`

describe('an attack of RFC 8725 with the token of a provider is refused, without any request:', () => {
  it.each(['none', 'None', 'NONE', 'nOnE', '', undefined, null, 7, ['RS256']])(
    'no signature, algorithm %j (2.1)',
    async (alg) => {
      const { verifier, expectSilence } = await attacked()
      const input = unsigned({ alg, typ: 'at+jwt', kid: 'one' })
      for (const signature of ['', 'AA', base64url('signature')])
        await expectRefused(verifier.verify(`${input}.${signature}`))
      expectSilence()
    },
  )

  it.each(['HS256', 'HS384', 'HS512'])('%s with the public key for its secret (2.1, 3.1)', async (alg) => {
    const { verifier, key, expectSilence } = await attacked()
    const cryptoKey = await importJWK(publicHalf(key), 'RS256', { extractable: true })
    const spki = await exportSPKI(cryptoKey as CryptoKey)
    const published = publicHalf(key)
    const secrets = [spki, spki.trim(), JSON.stringify(published), published.n!, Buffer.from(published.n!, 'base64url')]
    const input = unsigned({ alg, typ: 'at+jwt', kid: 'one' })
    for (const secret of ['', 'secret', ...secrets]) {
      const signature = createHmac(`sha${alg.slice(2)}`, secret)
        .update(input)
        .digest('base64url')
      await expectRefused(verifier.verify(`${input}.${signature}`), 'notGenuine')
    }
    expectSilence()
  })

  it.each(['RS384', 'RS512', 'PS384', 'PS512'])(
    '%s with the right key, which is not on the list (3.1)',
    async (alg) => {
      const { verifier, sign, key, expectSilence } = await attacked()
      const { alg: _, ...any } = key
      await expectRefused(verifier.verify(await sign(issuedClaims(), { alg }, any)), 'notGenuine')
      expectSilence()
    },
  )

  it('another algorithm of the list than the key is published for (3.1)', async () => {
    const { verifier, sign, key, expectSilence } = await attacked()
    const { alg: _, ...any } = key
    await expectRefused(verifier.verify(await sign(issuedClaims(), { alg: 'PS256', kid: 'one' }, any)), 'notGenuine')
    expectSilence()
  })

  it('an RSA key that is too short, though it is published (3.5)', async () => {
    const short = await crypto.subtle.generateKey(
      { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256', modulusLength: 1024, publicExponent: new Uint8Array([1, 0, 1]) },
      true,
      ['sign', 'verify'],
    )
    const at = await scripted()
    at.answers.set(KEYS_AT, json({ keys: [{ ...(await exportJWK(short.publicKey)), kid: 'short', alg: 'RS256' }] }))
    const input = unsigned({ alg: 'RS256', kid: 'short' })
    const signature = await crypto.subtle.sign('RSASSA-PKCS1-v1_5', short.privateKey, Buffer.from(input))
    const token = `${input}.${Buffer.from(signature).toString('base64url')}`
    await expectRefused(at.verifier.verify(token), 'notGenuine')
  })

  it('an elliptic signature of nothing but zeros, or of another length or form (2.1, 3.4)', async () => {
    const { verifier, sign, expectSilence } = await attacked('ES256')
    const good = await sign(issuedClaims())
    const [header, body, signature = ''] = good.split('.')
    const bytes = Buffer.from(signature, 'base64url')
    const order = Buffer.from('ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551', 'hex')
    const forged = [
      Buffer.alloc(64),
      Buffer.concat([order, order]),
      Buffer.concat([Buffer.alloc(32), bytes.subarray(32)]),
      Buffer.concat([bytes, Buffer.alloc(1)]),
      bytes.subarray(1),
      Buffer.from('3006020101020101', 'hex'),
    ]
    for (const text of forged)
      await expectRefused(verifier.verify(`${header}.${body}.${text.toString('base64url')}`), 'notGenuine')
    expectSilence()
  })

  it('an encrypted token, also one of a signed one (2.3, 3.2)', async () => {
    const { verifier, sign, key, expectSilence } = await attacked()
    const { alg: _a, use: _u, ...any } = publicHalf(key)
    for (const text of [JSON.stringify(issuedClaims()), await sign(issuedClaims())]) {
      const jwe = await new CompactEncrypt(Buffer.from(text))
        .setProtectedHeader({ alg: 'RSA-OAEP-256', enc: 'A256GCM', kid: 'one', typ: 'at+jwt', cty: 'JWT' })
        .encrypt(await importJWK(any, 'RSA-OAEP-256'))
      await expectRefused(verifier.verify(jwe), 'broken')
    }
    expectSilence()
  })

  it('claims in another encoding than UTF-8, or that are no object (2.6, 3.7)', async () => {
    const { verifier, key, expectSilence } = await attacked()
    const privateKey = (await importJWK(key, 'RS256')) as CryptoKey
    const text = JSON.stringify(issuedClaims())
    const utf16 = () => Buffer.from(`\ufeff${text}`, 'utf16le')
    const payloads = [utf16(), utf16().swap16(), Buffer.from('[]'), Buffer.from('null'), Buffer.from([0xff])]
    for (const payload of payloads) {
      const input = `${base64url({ alg: 'RS256', kid: 'one' })}.${payload.toString('base64url')}`
      const signature = await crypto.subtle.sign('RSASSA-PKCS1-v1_5', privateKey, Buffer.from(input))
      await expectRefused(verifier.verify(`${input}.${Buffer.from(signature).toString('base64url')}`))
    }
    expectSilence()
  })

  it.each([
    ['for another service', { aud: 'another' }],
    ['without an audience', { aud: [] }],
    ['of another issuer', { iss: 'https://id.example.com/realms/other' }],
    ['of the issuer with a slash more', { iss: `${issuedClaims().iss}/` }],
    ['of a list of issuers', { iss: [issuedClaims().iss] }],
    ['that never expires', { exp: undefined }],
    ['that expires at no time that a clock can show', { exp: 1e300 }],
    ['that expires after the last time that a clock can show', { exp: 8.64e12 + 1 }],
    ['without a subject', { sub: undefined }],
    ['that is an ID token by its token_use', { token_use: 'id' }],
    ['that is an ID token by its typ', { typ: 'ID' }],
    ['that is an ID token by its at_hash', { at_hash: 'h' }],
    ['that is an ID token by its c_hash', { c_hash: 'h' }],
    ['that is bound to a key of its holder', { cnf: { jkt: '0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4I' } }],
    ['about a logout', { events: { 'http://schemas.openid.net/event/backchannel-logout': {} } }],
  ])('a rightly signed token %s (2.7, 2.8, 3.8, 3.9)', async (_what, other) => {
    const { verifier, sign, expectSilence } = await attacked()
    await expectRefused(verifier.verify(await sign(issuedClaims(other))), 'notForUs')
    expectSilence()
  })

  it.each([
    'logout+jwt',
    'secevent+jwt',
    'dpop+jwt',
    'id_token+jwt',
    'at+jwt2',
    'xat+jwt',
    'application/x/jwt',
    '',
    null,
    7,
  ])('a rightly signed token of type %j (3.11)', async (typ) => {
    const { verifier, sign, expectSilence } = await attacked()
    await expectRefused(verifier.verify(await sign(issuedClaims(), { typ })), 'notForUs')
    expectSilence()
  })

  it('a key that comes with the token, or by an address in it (2.9, 3.10)', async () => {
    const { verifier, sign, asked, expectSilence } = await attacked()
    const other = await newProviderKey('one')
    const references = [
      { jwk: publicHalf(other) },
      { jku: 'https://evil.example.com/keys' },
      { jku: KEYS_AT },
      { x5u: 'https://evil.example.com/chain.pem' },
      { x5c: ['MIIB'] },
      { jku: 'https://evil.example.com/keys', kid: undefined },
    ]
    for (const reference of references)
      await expectRefused(verifier.verify(await sign(issuedClaims(), reference, other)), 'notGenuine')
    expectSilence()
    expect(asked.some((url) => url.includes('evil'))).toBe(false)
  })

  it.each([
    '../../../dev/null',
    "one' OR '1'='1",
    '__proto__',
    'constructor',
    'ONE',
    'one\u0000',
    '',
    null,
    1,
    ['one'],
    {},
  ])('the key id %j (2.9, 3.10)', async (kid) => {
    const { verifier, sign, expectSilence } = await attacked()
    await expectRefused(verifier.verify(await sign(issuedClaims(), { kid })), 'notGenuine')
    expectSilence()
  })

  it.each([['exp'], ['b64'], []])('a crit header that lists %j', async (...crit) => {
    const { verifier, sign, expectSilence } = await attacked()
    const [, body, signature] = (await sign(issuedClaims())).split('.')
    const header = base64url({ alg: 'RS256', typ: 'at+jwt', kid: 'one', crit, b64: true, exp: 1 })
    await expectRefused(verifier.verify(`${header}.${body}.${signature}`), 'notGenuine')
    expectSilence()
  })

  it('more than 8 KiB, unread: not even the keys are asked for', async () => {
    const { verifier, asked, sign } = await scripted()
    await expectRefused(verifier.verify(await sign(issuedClaims({ padding: 'x'.repeat(8_192) }))), 'tooLong')
    expect(asked).toEqual([])
  })

  it('any change of one character of a good token', async () => {
    const { verifier, sign, expectSilence } = await attacked('ES256')
    const token = await sign(issuedClaims())
    const changed = Array.from(
      token,
      (letter, at) => `${token.slice(0, at)}${letter === 'A' ? 'B' : 'A'}${token.slice(at + 1)}`,
    )
    await Promise.all(changed.map((text) => expectRefused(verifier.verify(text))))
    expectSilence()
  })
})

describe('the test vectors of project Wycheproof (JSON Web Signature), their keys published by a provider', () => {
  const groups = wycheproof()

  it.runIf(groups.length > 0)('are all refused, and cost one look at the keys', async () => {
    for (const { public: key, tests } of groups) {
      const at = await scripted()
      at.answers.set(KEYS_AT, json({ keys: key === undefined ? [] : [key] }))
      for (const { jws, tcId } of tests) {
        if (typeof jws !== 'string') continue
        const error = await at.verifier.verify(jws).catch((refusal: Error) => refusal)
        expect(error, `test ${tcId}`).toMatchObject({ name: 'Unauthenticated', tokenRefused: true })
      }
      expect(at.asked.length).toBeLessThanOrEqual(2)
    }
  })
})
