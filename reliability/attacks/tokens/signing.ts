import { createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'

export type Json = Readonly<Record<string, unknown>>
export type Algorithm = 'EdDSA' | 'ES256' | 'RS256'

export const part = (value: unknown): string =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url')

const PAIRS: Readonly<Record<Algorithm, () => { readonly privateKey: KeyObject }>> = {
  EdDSA: () => generateKeyPairSync('ed25519'),
  ES256: () => generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  RS256: () => generateKeyPairSync('rsa', { modulusLength: 2_048 }),
}

/** A key pair, of an issuer or of an attacker. */
export class SigningKey {
  readonly algorithm: Algorithm
  readonly kid: string
  readonly #key: KeyObject

  constructor(algorithm: Algorithm, kid: string) {
    this.algorithm = algorithm
    this.kid = kid
    this.#key = PAIRS[algorithm]().privateKey
  }

  get header(): Json {
    return { alg: this.algorithm, typ: 'at+jwt', kid: this.kid }
  }

  get publicKey(): KeyObject {
    return createPublicKey(this.#key)
  }

  get publicJwk(): Json {
    return { ...this.publicKey.export({ format: 'jwk' }), kid: this.kid, alg: this.algorithm, use: 'sig' }
  }

  get privateJwk(): Json {
    return { ...this.#key.export({ format: 'jwk' }), kid: this.kid }
  }

  signature(text: string): Buffer {
    const data = Buffer.from(text)
    if (this.algorithm === 'EdDSA') return sign(null, data, this.#key)
    return sign('sha256', data, this.algorithm === 'ES256' ? { key: this.#key, dsaEncoding: 'ieee-p1363' } : this.#key)
  }

  /** With any header and claims; both may be given as text, so that a name can be in it twice. */
  token(claims: Json | string, header: Json | string = this.header): string {
    const text = `${part(header)}.${part(claims)}`
    return `${text}.${this.signature(text).toString('base64url')}`
  }
}
