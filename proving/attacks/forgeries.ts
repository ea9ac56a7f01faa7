import { createHmac, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'

export type Json = Readonly<Record<string, unknown>>

const part = (value: unknown): string =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url')

const PAIRS = {
  EdDSA: () => generateKeyPairSync('ed25519'),
  ES256: () => generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  RS256: () => generateKeyPairSync('rsa', { modulusLength: 2_048 }),
}

/** A key pair, of an issuer or of a forger. */
export class SigningKey {
  readonly algorithm: keyof typeof PAIRS
  readonly kid: string
  readonly #key: KeyObject

  constructor(algorithm: keyof typeof PAIRS, kid: string) {
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

  /** With any header and claims; both may be given as text, so that a name can be in it twice. */
  token(claims: Json | string, header: Json | string = this.header): string {
    const text = `${part(header)}.${part(claims)}`
    const key = this.algorithm === 'ES256' ? { key: this.#key, dsaEncoding: 'ieee-p1363' as const } : this.#key
    return `${text}.${sign(this.algorithm === 'EdDSA' ? null : 'sha256', Buffer.from(text), key).toString('base64url')}`
  }
}

/** What a forger knows and wants. */
export interface ForgeryOrder {
  /** The issuer's: if it signs, only what a token says can be wrong. */
  readonly key: SigningKey
  /** That make an administrator. */
  readonly claims: Json
  /** Where requests are counted. */
  readonly canary: string
}

const now = (): number => Math.floor(Date.now() / 1_000)

/** Without a signature of the issuer, by header. (RFC 8725 sections 2.1 and 3.10) */
const foreignHeaders = ({ key, canary }: ForgeryOrder, mine: SigningKey): readonly Json[] => [
  {},
  ...[undefined, '', '../../../../dev/null', 'file:///dev/null', `${canary}/kid`, "' OR '1'='1", '__proto__'].map(
    (kid) => ({
      kid,
    }),
  ),
  ...[{ jwk: mine.publicJwk }, { jku: `${canary}/jku` }, { x5u: `${canary}/x5u` }],
  { x5c: [mine.publicKey.export({ format: 'der', type: 'spki' }).toString('base64')] },
  { kid: [key.kid] },
]

/** With the issuer's signature, for something else or not for now, by claims and by header. */
const CLAIMS: readonly (() => Json)[] = [
  ...[() => now() - 1, () => undefined, () => null, () => '9999999999', () => true].map((exp) => () => ({
    exp: exp(),
  })),
  () => ({ nbf: now() + 600 }),
  () => ({ iat: now() + 600 }),
  ...['https://elsewhere.example', '', undefined, ['rollcall']].map((iss) => () => ({ iss })),
  ...['another', [], undefined, {}, [['rollcall']], ''].map((aud) => () => ({ aud })),
  ...['token_use', 'at_hash', 'c_hash', 'events', 'cnf'].map((claim) => () => ({ [claim]: 'x' })),
  ...['ID', 'Refresh', 'Logout'].map((typ) => () => ({ typ })),
]
const HEADERS: readonly Json[] = [
  ...['secevent+jwt', 'logout+jwt', 'dpop+jwt', '', null, 7].map((typ) => ({ typ })),
  ...[['exp'], ['b64'], [], 'exp', null].map((crit) => ({ crit, b64: true, exp: 1 })),
  { b64: false, crit: ['b64'] },
]
/** A name that is there twice: the last one counts. (RFC 7519 section 4) */
const TWICE = ['"exp":1', '"aud":"another"', '"iss":"https://elsewhere.example"', '"sub":""', '"at_hash":"x"']
const CHANGED = 40

/** Tokens that must not be accepted, by what is wrong with them. What tests of the verifier try at length, once each. */
export const forgeriesOf = (order: ForgeryOrder): Readonly<Record<string, string>> => {
  const { key, claims } = order
  const mine = new SigningKey(key.algorithm, key.kid)
  const good = key.token(claims)
  const [head = '', body = '', signature = ''] = good.split('.')
  const forged: Record<string, string> = {}
  const add = (name: string, token: string): void => {
    forged[`${key.algorithm}: ${name}`] = token
  }
  for (const alg of ['none', 'None', '', null, undefined])
    for (const end of ['', signature])
      add(`alg ${alg}, ${end.length}`, `${part({ ...key.header, alg })}.${body}.${end}`)
  for (const bytes of [Buffer.alloc(0), Buffer.alloc(64), Buffer.alloc(256), Buffer.alloc(64, 1)])
    add(`an empty signature of ${bytes.length}, ${bytes[0]}`, `${head}.${body}.${bytes.toString('base64url')}`)
  const pem = key.publicKey.export({ format: 'pem', type: 'spki' }).toString()
  for (const [n, secret] of [
    pem,
    pem.trim(),
    JSON.stringify(key.publicJwk),
    `${key.publicJwk.x ?? key.publicJwk.n}`,
    '',
  ].entries())
    for (const alg of ['HS256', key.algorithm]) {
      const text = `${part({ ...key.header, alg })}.${body}`
      add(
        `the public key ${n} as a secret, ${alg}`,
        `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`,
      )
    }
  for (const header of foreignHeaders(order, mine))
    add(`another key, ${JSON.stringify(header).slice(0, 60)}`, mine.token(claims, { ...key.header, ...header }))
  for (const make of CLAIMS) add(JSON.stringify(make()), key.token({ ...claims, ...make() }))
  for (const header of HEADERS) add(JSON.stringify(header), key.token(claims, { ...key.header, ...header }))
  for (const text of TWICE) add(`twice ${text}`, key.token(`${JSON.stringify(claims).slice(0, -1)},${text}}`))
  const lower = key.token({ ...claims, roles: [] }).split('.')
  for (const [n, token] of [
    `${head}.${part({ ...claims, sub: 'eve' })}.${signature}`,
    `${lower[0]}.${body}.${lower[2]}`,
    ...[`${good}.${signature}`, `${good}=`, `${good}A`, `.${good}`, `${head}.${body}`, `${head}..${signature}`],
    ...[good.replaceAll('.', ','), part(good), part({ protected: head, payload: body, signature })],
    `${part({ alg: 'dir', enc: 'A256GCM', kid: key.kid })}..${part('x')}.${body}.${part('y')}`,
  ].entries())
    add(`damaged ${n}`, token)
  for (let n = 0; n < CHANGED; n++) {
    const at = Math.floor((n * good.length) / CHANGED)
    if (good[at] !== '.')
      add(`changed character ${at}`, `${good.slice(0, at)}${good[at] === 'A' ? 'B' : 'A'}${good.slice(at + 1)}`)
  }
  return forged
}
