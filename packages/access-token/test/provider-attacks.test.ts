import { type CryptoKey, exportJWK, type JWK } from 'jose'
import { describe, it } from 'vitest'
import { issuedClaims, json, KEYS_AT, scripted } from './scripted-provider.ts'
import { base64url, expectRefused } from './tokens.ts'

describe('an attack of RFC 8725 with the key of a provider is refused:', () => {
  it.each(['RS384', 'RS512', 'PS256', 'PS384', 'PS512'])(
    '%s, which is not on the list, or not what the key is published for (3.1)',
    async (alg) => {
      const { verifier, sign, key } = await scripted({}, 'RS256')
      const { alg: _, ...any } = key
      await expectRefused(verifier.verify(await sign(issuedClaims(), { alg }, any)), 'notGenuine')
    },
  )

  it('an RSA key that is too short, though it is published (3.5)', async () => {
    const short: { publicKey: CryptoKey; privateKey: CryptoKey } = await crypto.subtle.generateKey(
      { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256', modulusLength: 1024, publicExponent: new Uint8Array([1, 0, 1]) },
      true,
      ['sign', 'verify'],
    )
    const at = await scripted()
    const key: JWK = { ...(await exportJWK(short.publicKey)), kid: 'short', alg: 'RS256' }
    at.answers.set(KEYS_AT, json({ keys: [key] }))
    const input = `${base64url({ alg: 'RS256', kid: 'short' })}.${base64url(issuedClaims())}`
    const signature = await crypto.subtle.sign('RSASSA-PKCS1-v1_5', short.privateKey, Buffer.from(input))
    await expectRefused(at.verifier.verify(`${input}.${Buffer.from(signature).toString('base64url')}`), 'notGenuine')
  })

  it('an elliptic signature of nothing but zeros, or of another length or form (2.1, 3.4)', async () => {
    const { verifier, sign } = await scripted({}, 'ES256')
    const [header, body, signature = ''] = (await sign(issuedClaims())).split('.')
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
  })
})
