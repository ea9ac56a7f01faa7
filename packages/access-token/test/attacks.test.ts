import { createHmac } from 'node:crypto'
import fc from 'fast-check'
import { CompactEncrypt, exportSPKI, importJWK } from 'jose'
import { describe, expect, it } from 'vitest'
import { base64url, claims, expectRefused, NOON, newJwk, setUp } from './tokens.ts'

const hmacSigned = (header: object, secret: string | Buffer): string => {
  const input = `${base64url(header)}.${base64url(claims())}`
  return `${input}.${createHmac('sha256', secret).update(input).digest('base64url')}`
}

describe('a forged token is refused: (RFC 8725)', () => {
  it.each(['none', 'None', 'NONE', 'nOnE', '', undefined, null, 7])(
    'algorithm %j, with and without signature',
    async (alg) => {
      const { issuer, verifier } = await setUp()
      const { token } = await issuer.issue({ subject: 'alice', roles: ['admin'], lifetime: 60 })
      const [, body, signature] = token.split('.')
      const header = base64url({ alg, typ: 'at+jwt', kid: 'one' })
      await expectRefused(verifier.verify(`${header}.${body}.`), 'broken')
      await expectRefused(verifier.verify(`${header}.${body}.${signature}`), 'notGenuine')
    },
  )

  it('HMAC with the public key as its secret, in every form that the key is published in', async () => {
    const { keys, verifier, jwk } = await setUp()
    const spki = await exportSPKI((await keys.find('one', 'EdDSA'))[0]!.key)
    const secrets = [
      jwk.x!,
      Buffer.from(jwk.x!, 'base64url'),
      spki,
      spki.trim(),
      JSON.stringify(verifier.jwks().keys[0]),
    ]
    for (const secret of secrets) {
      await expectRefused(
        verifier.verify(hmacSigned({ alg: 'HS256', typ: 'at+jwt', kid: 'one' }, secret)),
        'notGenuine',
      )
      await expectRefused(
        verifier.verify(hmacSigned({ alg: 'EdDSA', typ: 'at+jwt', kid: 'one' }, secret)),
        'notGenuine',
      )
    }
  })

  it('a key of its own that comes embedded or by reference', async () => {
    const { verifier } = await setUp()
    const other = await setUp()
    const { d: _, ...embedded } = other.jwk
    const references = [
      { jwk: embedded },
      { jku: 'http://127.0.0.1:1/jwks.json' },
      { x5u: 'http://127.0.0.1:1/chain.pem' },
      { x5c: ['MIIB'] },
    ]
    for (const reference of references) {
      await expectRefused(verifier.verify(await other.sign(claims(), reference)), 'notGenuine')
      await expectRefused(verifier.verify(await other.sign(claims(), { ...reference, kid: undefined })), 'notGenuine')
    }
  })

  it.each([
    ['../../../../dev/null'],
    ["one' OR '1'='1"],
    ['__proto__'],
    ['constructor'],
    ['ONE'],
    ['one '],
    ['one\u0000'],
    [''],
    [undefined],
    [null],
    [['one']],
    [{ kid: 'one' }],
    [1],
  ])('key id %j', async (kid) => {
    const { sign, verifier } = await setUp()
    await expectRefused(verifier.verify(await sign(claims(), { kid })), 'notGenuine')
  })

  it.each([['exp'], ['b64'], ['typ', 'kid'], []])('a crit header that lists %j', async (...crit) => {
    const { issuer, verifier } = await setUp()
    const { token } = await issuer.issue({ subject: 'alice', roles: [], lifetime: 60 })
    const [, body, signature] = token.split('.')
    const header = base64url({ alg: 'EdDSA', typ: 'at+jwt', kid: 'one', crit, b64: true, exp: 1 })
    await expectRefused(verifier.verify(`${header}.${body}.${signature}`), 'notGenuine')
  })

  it('a rightly signed one with a crit header that the library itself would take (b64)', async () => {
    const { sign, verifier } = await setUp()
    await expectRefused(verifier.verify(await sign(claims(), { crit: ['b64'], b64: true })), 'notGenuine')
  })

  it.each(['JWT', 'jwt', 'secevent+jwt', 'logout+jwt', 'dpop+jwt', '', undefined, null, 7, ['at+jwt']])(
    'type %j',
    async (typ) => {
      const { sign, verifier } = await setUp()
      await expectRefused(verifier.verify(await sign(claims(), { typ })), 'notForUs')
    },
  )

  it.each([{ token_use: 'id' }, { at_hash: 'h' }, { at_hash: '' }, { at_hash: null }])(
    'an ID token (%j)',
    async (mark) => {
      const { sign, verifier } = await setUp()
      await expectRefused(verifier.verify(await sign(claims(mark))), 'notForUs')
    },
  )

  it('a key set or a token that is encrypted (five parts)', async () => {
    const { verifier } = await setUp()
    const secret = await importJWK({ kty: 'oct', k: Buffer.alloc(32, 1).toString('base64url') }, 'dir')
    const jwe = await new CompactEncrypt(Buffer.from(JSON.stringify(claims())))
      .setProtectedHeader({ alg: 'dir', enc: 'A256GCM', kid: 'one', typ: 'at+jwt' })
      .encrypt(secret)
    await expectRefused(verifier.verify(jwe), 'broken')
  })
})

describe('a rightly signed token is refused when it', () => {
  it.each([
    ['comes from elsewhere', { iss: 'https://idp.example.com' }],
    ['comes from several', { iss: ['rollcall'] }],
    ['does not say where it comes from', { iss: undefined }],
    ['is for another', { aud: 'another' }],
    ['is for a list without us', { aud: ['another', 'rollcall2'] }],
    ['has no audience', { aud: [] }],
    ['lacks the audience', { aud: undefined }],
    ['is for an object', { aud: { rollcall: true } }],
    ['has no subject', { sub: undefined }],
    ['has an empty subject', { sub: '' }],
    ['has a number for a subject', { sub: 7 }],
    ['has a list for a subject', { sub: ['alice'] }],
    ['never expires', { exp: undefined }],
    ['lives longer than 400 days', { exp: NOON / 1000 + 400 * 86_400 + 1 }],
    [
      'was made so long ago that it lives longer than 400 days',
      { iat: NOON / 1000 - 400 * 86_400, exp: NOON / 1000 + 1 },
    ],
    ['expires at no time that a clock can show', { exp: 1e300 }],
    ['expires at a text', { exp: '9999999999' }],
    ['expires at null', { exp: null }],
    ['does not say since when', { iat: undefined }],
    ['says since when as text', { iat: '1' }],
    ['says not-before as text', { nbf: '1' }],
    ['has no id', { jti: undefined }],
    ['has a number for an id', { jti: 7 }],
  ])('%s', async (_what, other) => {
    const { sign, verifier } = await setUp()
    await expectRefused(verifier.verify(await sign(claims(other))), 'notForUs')
  })

  it('expires beyond all numbers', async () => {
    const { sign, verifier } = await setUp()
    const text = JSON.stringify(claims()).replace(/"exp":\d+/, '"exp":1e999')
    await expectRefused(verifier.verify(await sign(text)), 'notForUs')
  })

  it.each(['', 'null', '[]', '"alice"', '7', '{', '{}}', '\uFEFF{}'])('holds %j instead of claims', async (text) => {
    const { sign, verifier } = await setUp()
    await expectRefused(verifier.verify(await sign(text)))
  })
})

describe('a good token that is not quite itself', () => {
  it('is refused with parts swapped, repeated, taken from another, or cut', async () => {
    const { issuer, verifier } = await setUp()
    const { token } = await issuer.issue({ subject: 'alice', roles: [], lifetime: 60 })
    const other = (await issuer.issue({ subject: 'alice', roles: ['admin'], lifetime: 60 })).token
    const [header, body, signature] = token.split('.')
    const [, otherBody, otherSignature] = other.split('.')
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
    ].map((parts) => parts.join('.'))
    for (const text of forged) await expectRefused(verifier.verify(text))
  })

  it('is refused with anything before, after or within, whitespace and padding included', async () => {
    const { issuer, verifier } = await setUp()
    const { token } = await issuer.issue({ subject: 'alice', roles: [], lifetime: 60 })
    for (const extra of [' ', '\n', '\r\n', '\t', '\0', '=', '==', '.', ',', 'A', '\u00a0', '\ufeff', '"', '+', '/']) {
      const dot = token.lastIndexOf('.')
      for (const at of [0, 10, dot, dot + 1, token.length]) {
        await expectRefused(verifier.verify(token.slice(0, at) + extra + token.slice(at)))
      }
    }
  })

  it('is refused with any one bit of any character changed', async () => {
    const { issuer, verifier } = await setUp()
    const { token } = await issuer.issue({ subject: 'alice', roles: ['admin'], lifetime: 60 })
    await verifier.verify(token)
    const flips = Array.from(token, (_, at) => [0, 1, 2, 3, 4, 5, 6, 7].map((bit) => ({ at, bit }))).flat()
    await Promise.all(
      flips.map(({ at, bit }) => {
        const flipped = String.fromCharCode(token.charCodeAt(at) ^ (1 << bit))
        return expectRefused(verifier.verify(token.slice(0, at) + flipped + token.slice(at + 1)))
      }),
    )
  })

  it('is refused with any character replaced by any other of the alphabet, the last one above all', async () => {
    const { issuer, verifier } = await setUp()
    const { token } = await issuer.issue({ subject: 'alice', roles: ['admin'], lifetime: 60 })
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
    for (const letter of alphabet.replace(token.at(-1)!, '')) {
      await expectRefused(verifier.verify(token.slice(0, -1) + letter))
    }
    const change = fc.record({ at: fc.nat(token.length - 1), letter: fc.constantFrom(...alphabet) })
    await fc.assert(
      fc.asyncProperty(change, async ({ at, letter }) => {
        fc.pre(token[at] !== letter)
        await expectRefused(verifier.verify(token.slice(0, at) + letter + token.slice(at + 1)))
      }),
      { numRuns: 300, seed: 1 },
    )
  })

  it('is refused over 8 KiB before anything of it is read, and judged up to there', async () => {
    const { sign, verifier } = await setUp()
    const fitting = await sign(claims({ padding: 'x'.repeat(5_000) }))
    expect(fitting.length).toBeLessThan(8192)
    expect((await verifier.verify(fitting)).subject).toBe('alice')
    await expectRefused(verifier.verify(await sign(claims({ padding: 'x'.repeat(8_192) }))), 'tooLong')
    await expectRefused(verifier.verify('.'.repeat(8_193)), 'tooLong')
    await expectRefused(verifier.verify('.'.repeat(8_192)), 'broken')
    await expectRefused(verifier.verify('a'.repeat(50_000_000)), 'tooLong')
  })

  it('gets the same refusal for any text at all, never another error', async () => {
    const { verifier } = await setUp()
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

  it('is refused by a service with other keys, even under the same id', async () => {
    const { issuer } = await setUp()
    const { token } = await issuer.issue({ subject: 'alice', roles: [], lifetime: 60 })
    const other = await setUp()
    await expectRefused(other.verifier.verify(token), 'notGenuine')
    expect((await newJwk('one')).x).not.toBe(other.jwk.x)
  })
})
