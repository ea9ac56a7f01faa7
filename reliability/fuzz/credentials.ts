import { createHash, createHmac, createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto'

type Json = Readonly<Record<string, unknown>>

/** Signs access tokens, with the key of the service or another one. A seed decides the key. */
class Signer {
  readonly #key: KeyObject
  readonly #kid: string

  constructor(seed: string, kid: string) {
    const secret = createHash('sha256').update(seed).digest()
    // RFC 8410: the prefix of the 32 bytes of an Ed25519 key.
    const der = Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), secret])
    this.#key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })
    this.#kid = kid
  }

  /** With the private key, for the setting of the service. */
  get jwks(): string {
    return JSON.stringify({ keys: [{ ...this.#key.export({ format: 'jwk' }), kid: this.#kid }] })
  }

  get header(): Json {
    return { alg: 'EdDSA', typ: 'at+jwt', kid: this.#kid }
  }

  token(claims: Json, header: Json = this.header): string {
    const text = `${encoded(header)}.${encoded(claims)}`
    return `${text}.${sign(null, Buffer.from(text), this.#key).toString('base64url')}`
  }

  /** Signed with the public key as if it were a shared secret (RFC 8725 section 2.1). */
  confusedToken(claims: Json): string {
    const text = `${encoded({ ...this.header, alg: 'HS256' })}.${encoded(claims)}`
    const secret = createPublicKey(this.#key).export({ format: 'pem', type: 'spki' })
    return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`
  }
}

export const encoded = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')

const ISSUED = Math.floor(Date.now() / 1000) - 60
const LIFETIME = 24 * 3600

export const claimsOf = (subject: string, ...roles: readonly string[]): Json => ({
  iss: 'rollcall',
  aud: 'rollcall',
  sub: subject,
  jti: `${subject}-token`,
  iat: ISSUED,
  exp: ISSUED + LIFETIME,
  roles,
})

export interface Credentials {
  readonly own: Signer
  readonly foreign: Signer
  readonly admin: string
  readonly auditor: string
  readonly noRoles: string
}

export const credentials = (): Credentials => {
  const own = new Signer('the key of the service', 'own')
  const foreign = new Signer('another key', 'own')
  const token = (subject: string, ...roles: readonly string[]) => own.token(claimsOf(subject, ...roles))
  return { own, foreign, admin: token('root', 'admin'), auditor: token('eye', 'auditor'), noRoles: token('no-roles') }
}
