import { createHmac, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'

type Json = Readonly<Record<string, unknown>>

const part = (value: unknown): string =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url')

/** A key pair, of the service or of a forger. */
export class SigningKey {
  readonly #key: KeyObject = generateKeyPairSync('ed25519').privateKey
  readonly header: Json = { alg: 'EdDSA', typ: 'at+jwt', kid: 'own' }

  get publicKey(): KeyObject {
    return createPublicKey(this.#key)
  }

  /** For the setting of the service. */
  get jwks(): string {
    return JSON.stringify({ keys: [{ ...this.#key.export({ format: 'jwk' }), kid: 'own' }] })
  }

  /** With any header and claims; these may be given as text, so that a name can be in it twice. */
  token(claims: Json | string, header: Json = this.header): string {
    const text = `${part(header)}.${part(claims)}`
    return `${text}.${sign(null, Buffer.from(text), this.#key).toString('base64url')}`
  }
}

const later = (): number => Math.floor(Date.now() / 1_000) + 86_400
const each = (name: string, values: readonly unknown[]): Json[] => values.map((value) => ({ [name]: value }))

// Each is invalid, whatever key signed it.
const CLAIMS: readonly Json[] = [
  ...each('exp', [1, -1, null, '9999999999', undefined, true]),
  ...each('iat', [later(), 'now', undefined]),
  ...each('nbf', [later(), {}]),
  ...each('iss', ['rollcalls', '', undefined, ['rollcall']]),
  ...each('aud', ['other', '', [], {}, undefined, [['rollcall']]]),
  ...each('sub', ['', 7, ['root'], 'operator:root', undefined]),
  ...each('jti', [7, undefined]),
  ...each('typ', ['ID', 'Refresh', 'Logout']),
  ...['token_use', 'at_hash', 'c_hash', 'events', 'cnf'].map((claim) => ({ [claim]: 'id' })),
]
const HEADERS: readonly Json[] = [
  ...each('typ', ['secevent+jwt', 'logout+jwt', 'dpop+jwt', 'JWT', '', null, 7, undefined]),
  ...each('crit', [['exp'], ['b64'], [], 'exp', null]),
  { b64: false, crit: ['b64'] },
]
const CANARY = 'http://127.0.0.1:1'
/** Where a forger says that its key is. */
const REFERENCES = (key: KeyObject): readonly Json[] => [
  {},
  ...each('kid', [undefined, '', '../../../../dev/null', 'file:///dev/null', "' OR '1'='1", '__proto__', ['own'], {}]),
  ...[{ jwk: key.export({ format: 'jwk' }) }, { jku: `${CANARY}/jku` }, { x5u: `${CANARY}/x5u` }],
  { x5c: [key.export({ format: 'der', type: 'spki' }).toString('base64')] },
]
/** A name that is there twice: the last one counts. (RFC 7519 section 4) */
const TWICE = ['"exp":1', '"aud":"another"', '"iss":"https://elsewhere.example"', '"sub":""', '"at_hash":"x"']

/** Tokens that must not be accepted, of what tests of the verifier try at length. (RFC 8725) `claims` make an administrator. */
export const forgeriesOf = (key: SigningKey, claims: Json): readonly string[] => {
  const mine = new SigningKey()
  const [head = '', body = '', signature = ''] = key.token(claims).split('.')
  const pem = key.publicKey.export({ format: 'pem', type: 'spki' }).toString()
  const hmac = (alg: string, secret: string): string => {
    const text = `${part({ ...key.header, alg })}.${body}`
    return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`
  }
  return [
    ...['none', 'NONE', '', null, undefined, 'ES256', 'PBES2-HS256+A128KW'].flatMap((alg) =>
      ['', signature].map((end) => `${part({ ...key.header, alg })}.${body}.${end}`),
    ),
    ...[0, 64, 256].map((length) => `${head}.${body}.${Buffer.alloc(length).toString('base64url')}`),
    ...[pem, pem.trim(), ''].flatMap((secret) => ['HS256', 'EdDSA'].map((alg) => hmac(alg, secret))),
    ...REFERENCES(mine.publicKey).map((header) => mine.token(claims, { ...mine.header, ...header })),
    ...CLAIMS.map((more) => key.token({ ...claims, ...more })),
    ...HEADERS.map((more) => key.token(claims, { ...key.header, ...more })),
    ...TWICE.map((text) => key.token(`${JSON.stringify(claims).slice(0, -1)},${text}}`)),
    ...[`${head}.${part({ ...claims, sub: 'eve' })}.${signature}`, `${head}.${body}.${signature}.${signature}`],
    ...[`${head}.${body}`, `${head}..${signature}`, `${head}.${body}.${signature}=`, `${body}.${head}.${signature}`],
    `${part({ alg: 'dir', enc: 'A256GCM', kid: 'own' })}..${part('x')}.${body}.${part('y')}`,
  ]
}
