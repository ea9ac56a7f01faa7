import { createHmac } from 'node:crypto'
import fc from 'fast-check'
import { CompactEncrypt, type CryptoKey, exportSPKI, generateKeyPair, importJWK, type JWK } from 'jose'
import { describe, expect, it } from 'vitest'
import { newProviderKey } from './identity-provider.ts'
import { DISCOVERY_AT, issuedClaims, KEYS_AT, publicHalf, scripted } from './scripted-provider.ts'
import { base64url, claims, expectRefused, newJwk, setUp } from './tokens.ts'

const ours = async () => {
  const { jwk, sign, verifier } = await setUp()
  const key: JWK = { ...jwk, alg: 'EdDSA' }
  const another = async (): Promise<JWK> => ({ ...(await newJwk('one')), alg: 'EdDSA' })
  return { key, sign, verifier, claims, another, expectSilence: () => undefined }
}

/** The keys are known already and were asked for just now: from here on nothing may be asked of anybody. */
const ofProvider = async () => {
  const { key, sign, verifier, asked } = await scripted({}, 'RS256')
  await verifier.verify(await sign(issuedClaims({ jti: 'warm' })))
  const expectSilence = () => expect(asked).toEqual([DISCOVERY_AT, KEYS_AT])
  return { key, sign, verifier, claims: issuedClaims, another: () => newProviderKey('one'), expectSilence }
}

describe.each([
  ['of ours', ours],
  ['of a provider', ofProvider],
] as const)('a forged token %s is refused, and nothing is asked for: (RFC 8725)', (_, open) => {
  const good = async (at: Awaited<ReturnType<typeof open>>) => await at.sign(at.claims())

  it.each(['none', 'None', 'NONE', 'nOnE', '', undefined, null, 7, ['RS256']])(
    'algorithm %j, with and without signature (2.1)',
    async (alg) => {
      const at = await open()
      const [, body, signature] = (await good(at)).split('.')
      const input = `${base64url({ alg, typ: 'at+jwt', kid: 'one' })}.${body}`
      await expectRefused(at.verifier.verify(`${input}.`), 'broken')
      for (const one of ['AA', base64url('signature'), signature])
        await expectRefused(at.verifier.verify(`${input}.${one}`), 'notGenuine')
      at.expectSilence()
    },
  )

  it.each(['HS256', 'HS384', 'HS512', undefined])('%s with the public key for its secret (2.1, 3.1)', async (hmac) => {
    const { key, verifier, claims, expectSilence } = await open()
    const published = publicHalf(key)
    const { x = '', n = x } = published
    const spki = await exportSPKI((await importJWK(published, key.alg, { extractable: true })) as CryptoKey)
    const { alg = hmac } = hmac === undefined ? key : {}
    const input = `${base64url({ alg, typ: 'at+jwt', kid: 'one' })}.${base64url(claims())}`
    for (const secret of ['', 'secret', n, Buffer.from(n, 'base64url'), spki, spki.trim(), JSON.stringify(published)]) {
      const signature = createHmac(`sha${hmac?.slice(2) ?? 256}`, secret).update(input)
      await expectRefused(verifier.verify(`${input}.${signature.digest('base64url')}`), 'notGenuine')
    }
    expectSilence()
  })

  it('a key that comes with the token, or by an address in it (2.9, 3.10)', async () => {
    const { verifier, sign, claims, another, expectSilence } = await open()
    const other = await another()
    const references = [
      ...[{}, { jwk: publicHalf(other) }, { jku: 'https://evil.example.com/keys' }, { jku: KEYS_AT }],
      ...[{ x5u: 'https://evil.example.com/chain.pem' }, { x5c: ['MIIB'] }],
    ]
    for (const reference of references)
      for (const header of [reference, { ...reference, kid: undefined }])
        await expectRefused(verifier.verify(await sign(claims(), header, other)), 'notGenuine')
    expectSilence()
  })

  it.each([
    ...['../../../../dev/null', "one' OR '1'='1", '__proto__', 'constructor', 'ONE', 'one ', 'one\u0000', ''],
    ...[null, 1, ['one'], { kid: 'one' }],
  ])('the key id %j (2.9, 3.10)', async (kid) => {
    const { verifier, sign, claims, expectSilence } = await open()
    await expectRefused(verifier.verify(await sign(claims(), { kid })), 'notGenuine')
    expectSilence()
  })

  it.each([['exp'], ['b64'], ['typ', 'kid'], []])('a crit header that lists %j', async (...crit) => {
    const at = await open()
    const [, body, signature] = (await good(at)).split('.')
    const header = base64url({ alg: at.key.alg, typ: 'at+jwt', kid: 'one', crit, b64: true, exp: 1 })
    await expectRefused(at.verifier.verify(`${header}.${body}.${signature}`), 'notGenuine')
    at.expectSilence()
  })

  it('a rightly signed one with a crit header that the library itself would take (b64)', async () => {
    const { verifier, sign, claims } = await open()
    await expectRefused(verifier.verify(await sign(claims(), { crit: ['b64'], b64: true })), 'notGenuine')
  })

  it('an encrypted token, also one of a signed one (2.3, 3.2)', async () => {
    const at = await open()
    const { publicKey } = await generateKeyPair('RSA-OAEP-256')
    for (const text of [JSON.stringify(at.claims()), await good(at)]) {
      const jwe = await new CompactEncrypt(Buffer.from(text))
        .setProtectedHeader({ alg: 'RSA-OAEP-256', enc: 'A256GCM', kid: 'one', typ: 'at+jwt', cty: 'JWT' })
        .encrypt(publicKey)
      await expectRefused(at.verifier.verify(jwe), 'broken')
    }
    at.expectSilence()
  })

  it('claims in another encoding than UTF-8, or that are no object (2.6, 3.7)', async () => {
    const { verifier, sign, claims, expectSilence } = await open()
    const utf16 = () => Buffer.from(`\ufeff${JSON.stringify(claims())}`, 'utf16le')
    const texts = ['', 'null', '[]', '"alice"', '7', '{', '{}}', '\uFEFF{}']
    for (const payload of [...texts, utf16(), utf16().swap16(), Buffer.from([0xff])])
      await expectRefused(verifier.verify(await sign(payload)))
    expectSilence()
  })

  it('with parts swapped, repeated, taken from another, or cut', async () => {
    const at = await open()
    const [header, body, signature] = (await good(at)).split('.')
    const [, otherBody, otherSignature] = (await at.sign(at.claims({ roles: [] }))).split('.')
    const forged = [
      [body, header, signature],
      [header, signature, body],
      [header, otherBody, signature],
      [header, body, otherSignature],
      [header, body],
      [header],
      [header, body, signature, signature],
      [header, body, signature, ''],
      ['', body, signature],
      [header, '', signature],
      [header, body, ''],
      [],
    ]
    for (const parts of forged) await expectRefused(at.verifier.verify(parts.join('.')))
  })

  it('with anything before, after or within, whitespace and padding included', async () => {
    const at = await open()
    const token = await good(at)
    for (const extra of [' ', '\n', '\r\n', '\t', '\0', '=', '==', '.', ',', 'A', '\u00a0', '\ufeff', '"', '+', '/']) {
      const dot = token.lastIndexOf('.')
      for (const place of [0, 10, dot, dot + 1, token.length])
        await expectRefused(at.verifier.verify(token.slice(0, place) + extra + token.slice(place)))
    }
  })

  it('with any one bit of any character changed', async () => {
    const at = await open()
    const token = await good(at)
    await at.verifier.verify(token)
    const flips = Array.from(token, (_, place) => [0, 1, 2, 3, 4, 5, 6, 7].map((bit) => ({ place, bit }))).flat()
    await Promise.all(
      flips.map(({ place, bit }) => {
        const flipped = String.fromCharCode(token.charCodeAt(place) ^ (1 << bit))
        return expectRefused(at.verifier.verify(token.slice(0, place) + flipped + token.slice(place + 1)))
      }),
    )
  })

  it('with its last character replaced by any other of the alphabet', async () => {
    const at = await open()
    const token = await good(at)
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
    for (const letter of alphabet.replace(token.at(-1)!, ''))
      await expectRefused(at.verifier.verify(token.slice(0, -1) + letter))
  })

  it('over 8 KiB before anything of it is read, and it is judged up to there', async () => {
    const { sign, verifier, claims } = await open()
    const fitting = await sign(claims({ padding: 'x'.repeat(5_000) }))
    expect(fitting.length).toBeLessThan(8192)
    expect((await verifier.verify(fitting)).subject).toBe('alice')
    await expectRefused(verifier.verify(await sign(claims({ padding: 'x'.repeat(8_192) }))), 'tooLong')
    await expectRefused(verifier.verify('.'.repeat(8_193)), 'tooLong')
    await expectRefused(verifier.verify('.'.repeat(8_192)), 'broken')
    await expectRefused(verifier.verify('a'.repeat(50_000_000)), 'tooLong')
  })

  it('with the same refusal for any text at all, never another error', async () => {
    const { verifier } = await open()
    const part = fc.oneof(fc.base64String(), fc.string({ unit: 'binary' }), fc.json().map(base64url))
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(part, { maxLength: 6 }).map((parts) => parts.join('.')),
    )
    await fc.assert(
      fc.asyncProperty(text, async (token) => await expectRefused(verifier.verify(token))),
      { numRuns: 500, seed: 1 },
    )
  })
})
