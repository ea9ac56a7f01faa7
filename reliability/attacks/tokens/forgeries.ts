import { createHmac, randomBytes } from 'node:crypto'
import { type Json, part, SigningKey } from './signing.ts'

/** What a forger knows and wants. */
export interface ForgeryOrder {
  /** The issuer's keys: only what a token says can be wrong where they sign. */
  readonly keys: readonly SigningKey[]
  /** Claims that make an administrator. */
  readonly claims: Json
  /** Where requests are counted. */
  readonly canary: string
  /** Whether the issuer is the service itself. */
  readonly own: boolean
}

export interface Forgery {
  readonly name: string
  readonly token: string
}

const SECOND = 1_000
const now = (): number => Math.floor(Date.now() / SECOND)
const with_ = (header: Json, more: Json): Json => ({ ...header, ...more })

/** Tokens without a signature of the issuer. (RFC 8725 sections 2.1 and 3.1) */
const unsigned = ({ keys, claims }: ForgeryOrder): Forgery[] =>
  keys.flatMap((key) => {
    const [, body = '', signature = ''] = key.token(claims).split('.')
    const none = ['none', 'None', 'NONE', 'nOnE', '', null, undefined, 0].flatMap((alg) => {
      const header = part(with_(key.header, { alg }))
      return [`${header}.${body}.`, `${header}.${body}.${signature}`, `${header}.${body}`].map((token, n) => ({
        name: `${key.algorithm}: alg ${JSON.stringify(alg)} (${n})`,
        token,
      }))
    })
    const bare = part(key.header)
    const zeros = [0, 32, 64, 256].map((length) => Buffer.alloc(length))
    const ones = [64, 256].map((length) => Buffer.concat([Buffer.alloc(length - 1), Buffer.from([1])]))
    // The neutral element of Ed25519, and zero.
    const neutral = Buffer.concat([Buffer.from([1]), Buffer.alloc(63)])
    const der = Buffer.from('3006020100020100', 'hex')
    const empty = [...zeros, ...ones, neutral, der, randomBytes(64), randomBytes(256)].map((bytes, n) => ({
      name: `${key.algorithm}: empty signature ${n}`,
      token: `${bare}.${body}.${bytes.toString('base64url')}`,
    }))
    return [...none, ...empty]
  })

/** Public keys taken for shared secrets. (RFC 8725 section 2.1) */
const confused = ({ keys, claims }: ForgeryOrder): Forgery[] =>
  keys.flatMap((key) => {
    const pem = key.publicKey.export({ format: 'pem', type: 'spki' }).toString()
    const jwk = key.publicJwk
    const secrets = [
      ...[pem, pem.trim(), key.publicKey.export({ format: 'der', type: 'spki' }), JSON.stringify(jwk), ''],
      ...[jwk.x, jwk.n].flatMap((text) => (typeof text === 'string' ? [text, Buffer.from(text, 'base64url')] : [])),
    ]
    return secrets.flatMap((secret, n) =>
      [256, 384, 512].flatMap((bits) =>
        [`HS${bits}`, key.algorithm].map((alg) => {
          const text = `${part(with_(key.header, { alg }))}.${part(claims)}`
          const signature = createHmac(`sha${bits}`, secret).update(text).digest('base64url')
          return {
            name: `${key.algorithm}: HMAC-${bits} with public key ${n} as ${alg}`,
            token: `${text}.${signature}`,
          }
        }),
      ),
    )
  })

/** Keys that the forger brings along or refers to. (RFC 8725 section 3.10) */
const brought = ({ keys, claims, canary }: ForgeryOrder): Forgery[] =>
  keys.flatMap((key) => {
    const mine = new SigningKey(key.algorithm, key.kid)
    const headers: Json[] = [
      {},
      { kid: undefined },
      { jwk: mine.publicJwk },
      { jku: `${canary}/jku` },
      { x5u: `${canary}/x5u` },
      { x5c: [mine.publicKey.export({ format: 'der', type: 'spki' }).toString('base64')] },
      { jwk: mine.publicJwk, kid: undefined },
      { jku: `${canary}/jku`, kid: undefined },
      { jku: `${canary}/jku`, kid: 'another' },
      ...[
        '../../../../dev/null',
        'file:///dev/null',
        `${canary}/kid`,
        "' OR '1'='1",
        '__proto__',
        'constructor',
        '',
      ].map((kid) => ({ kid })),
      ...[[key.kid], { kid: key.kid }, null, 0].map((kid) => ({ kid })),
    ]
    const signed = headers.map((more) => ({
      name: `${key.algorithm}: another key, ${JSON.stringify(more).slice(0, 60)}`,
      token: mine.token(claims, with_(key.header, more)),
    }))
    // What a file that is empty for everybody would sign.
    const text = `${part({ alg: 'HS256', typ: 'at+jwt', kid: '../../../../../dev/null' })}.${part(claims)}`
    const void_ = `${text}.${createHmac('sha256', '').update(text).digest('base64url')}`
    return [...signed, { name: 'kid of an empty file', token: void_ }]
  })

/** Tokens that the issuer has signed, but not for this, or not for now. */
const misused = ({ keys, claims, own }: ForgeryOrder): Forgery[] => {
  const wrong: readonly Json[] = [
    { exp: now() - 1 },
    ...[undefined, null, '9999999999', true, [now() + 60]].map((exp) => ({ exp })),
    ...(own ? [{ exp: 1e300 }, { exp: now() + 401 * 86_400 }] : []),
    { nbf: now() + 600 },
    { iat: now() + 600 },
    ...['https://elsewhere.example', '', undefined, [claims.iss], `${claims.iss}/`].map((iss) => ({ iss })),
    ...['another', [], undefined, { 0: claims.aud }, [['rollcall']], null, ''].map((aud) => ({ aud })),
    ...['token_use', 'at_hash', 'c_hash', 'events', 'cnf'].map((claim) => ({ [claim]: 'x' })),
    ...['ID', 'Refresh', 'Offline', 'Logout'].map((typ) => ({ typ })),
  ]
  return keys.flatMap((key) => [
    ...wrong.map((more) => ({
      name: `${key.algorithm}: ${JSON.stringify(more)}`,
      token: key.token({ ...claims, ...more }),
    })),
    { name: 'exp 1e999', token: key.token(JSON.stringify(claims).replace(/"exp":\d+/, '"exp":1e999')) },
    ...['secevent+jwt', 'logout+jwt', 'dpop+jwt', '', null, 7, ['at+jwt'], ...(own ? ['JWT', undefined] : [])].map(
      (typ) => ({ name: `typ ${JSON.stringify(typ)}`, token: key.token(claims, with_(key.header, { typ })) }),
    ),
    ...[['exp'], ['b64'], [], ['kid', 'typ'], 'exp', null].map((crit) => ({
      name: `crit ${JSON.stringify(crit)}`,
      token: key.token(claims, with_(key.header, { crit, b64: true, exp: 1 })),
    })),
    { name: 'b64 false', token: key.token(claims, with_(key.header, { b64: false, crit: ['b64'] })) },
  ])
}

/** A name that is there twice: the last one counts. (RFC 7519 section 4) */
const doubled = ({ keys, claims }: ForgeryOrder): Forgery[] =>
  keys.flatMap((key) => {
    const more = ['"exp":1', '"aud":"another"', '"iss":"https://elsewhere.example"', '"sub":""', '"at_hash":"x"']
    const open = (object: Json): string => JSON.stringify(object).slice(0, -1)
    return [
      ...more.map((text) => ({ name: `twice ${text}`, token: key.token(`${open(claims)},${text}}`) })),
      { name: 'twice alg', token: key.token(claims, `${open(key.header)},"alg":"none"}`) },
      { name: 'twice typ', token: key.token(claims, `${open(key.header)},"typ":"logout+jwt"}`) },
    ]
  })

const BITS_FLIPPED = 200

/** A genuine token that is not quite itself, and other things in its place. */
const damaged = ({ keys, claims }: ForgeryOrder): Forgery[] =>
  keys.flatMap((key) => {
    const good = key.token(claims)
    const [header = '', body = '', signature = ''] = good.split('.')
    const lower = key.token({ ...claims, roles: [] })
    const wrapped = [
      ...[`${header}.${part({ ...claims, sub: 'eve' })}.${signature}`, lower.replace(/\.[^.]+\./, `.${body}.`)],
      ...[`${header}.${body}.${signature}.`, `${good}.${signature}`, `${good}=`, `${good}A`, `.${good}`, `${good} x`],
      ...[`${header}.${body}`, `${header}..${signature}`, `${body}.${header}.${signature}`, good.replaceAll('.', ',')],
      ...[
        part(good),
        part({ protected: header, payload: body, signature }),
        `${part({ ...key.header, cty: 'JWT' })}.${part(good)}.${signature}`,
      ],
      `${part({ alg: 'dir', enc: 'A256GCM', kid: key.kid })}..${part('x')}.${body}.${part('y')}`,
      `${part({ alg: 'RSA-OAEP', enc: 'A256GCM', zip: 'DEF' })}.${part('k')}.${part('x')}.${body}.${part('y')}`,
    ]
    const flipped = Array.from({ length: BITS_FLIPPED }, (_, n) => {
      const at = Math.floor((n * good.length) / BITS_FLIPPED)
      // Within the alphabet, so that it arrives.
      const letter = good[at] === 'A' ? 'B' : 'A'
      return good[at] === '.' ? `${good}B` : `${good.slice(0, at)}${letter}${good.slice(at + 1)}`
    }).filter((token) => token !== good)
    return [
      ...wrapped.map((token, n) => ({ name: `${key.algorithm}: damaged ${n}`, token })),
      ...flipped.map((token, n) => ({ name: `${key.algorithm}: changed character ${n}`, token })),
    ]
  })

/** By family. */
export const FORGERIES: Readonly<Record<string, (order: ForgeryOrder) => Forgery[]>> = {
  'without a signature': unsigned,
  'signed with a public key': confused,
  'signed with a key of the forger': brought,
  'signed for something else, or not for now': misused,
  'with a name twice': doubled,
  damaged,
}
