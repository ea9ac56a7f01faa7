import type { Random } from '../../../proving/shared/random.ts'
import { type Credentials, claimsOf, encoded } from '../credentials.ts'
import { GUARDED } from '../dictionary.ts'
import type { RequestInput, Surroundings } from '../input.ts'
import { mutated } from '../mutate.ts'
import { requestBytes } from './request.ts'
import { anyText } from './values.ts'

const URL_SAFE = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.'

/** What only a valid token may do. */
const AIMS: readonly [readonly [string, string], ...(readonly [string, string])[]] = [
  ['DELETE', `/users/${GUARDED}-1`],
  ['DELETE', `/feeds/${GUARDED}?subscriptions=erase`],
  ['PUT', `/users/${GUARDED}-2`],
  ['PUT', `/feeds/${GUARDED}`],
  ['GET', '/users'],
  ['GET', `/users/${GUARDED}-3/export`],
  ['GET', '/audit'],
  ['GET', '/subscriptions/export'],
  ['POST', '/subscriptions/import'],
  ['GET', '/events'],
]

const flippedBit = (random: Random, token: string): string => {
  const bytes = Buffer.from(token, 'latin1')
  const at = random.below(bytes.length)
  bytes[at] = (bytes[at] ?? 0) ^ (1 << random.below(8))
  return bytes.toString('latin1')
}

const otherCharacter = (random: Random, token: string): string => {
  const at = random.below(token.length)
  return token.slice(0, at) + URL_SAFE.charAt(random.below(URL_SAFE.length)) + token.slice(at + 1)
}

const HEADERS = [
  { alg: 'none' },
  { alg: 'NONE' },
  { alg: '' },
  { alg: 'HS256' },
  { alg: 'ES256' },
  { alg: 'EdDSA', crit: ['exp'] },
  { alg: 'EdDSA', jku: 'http://127.0.0.1:1/keys' },
  { alg: 'EdDSA', jwk: { kty: 'OKP', crv: 'Ed25519', x: 'A'.repeat(43) } },
  { alg: 'EdDSA', kid: '../../etc/passwd' },
  { alg: 'EdDSA', kid: {} },
  { alg: 'EdDSA', typ: 'JWT' },
  { alg: 'EdDSA', zip: 'DEF' },
  { alg: 'PBES2-HS256+A128KW', p2c: 2 ** 31 },
]

// Each is invalid, whatever key signed it.
const CLAIMS: readonly Readonly<Record<string, unknown>>[] = [
  { exp: 1 },
  { exp: -1 },
  { exp: null },
  { exp: '9999999999' },
  { exp: undefined },
  { iat: 2 ** 40 },
  { iat: 'now' },
  { nbf: 2 ** 40 },
  { nbf: {} },
  { iss: 'rollcalls' },
  { iss: ['rollcall'] },
  { aud: 'other' },
  { aud: [] },
  { aud: {} },
  { sub: '' },
  { sub: 7 },
  { sub: ['root'] },
  { sub: 'operator:root' },
  { jti: 7 },
  { jti: undefined },
  { token_use: 'id' },
  { typ: 'Refresh' },
  { at_hash: 'h' },
  { events: {} },
  { cnf: {} },
]

/** A token that must not be accepted. */
const badToken = (random: Random, { own, foreign, admin }: Credentials, text: string): string => {
  const claims = claimsOf('root', 'admin')
  const [head = '', payload = '', signature = ''] = admin.split('.')
  switch (random.below(10)) {
    case 0:
    case 1:
    case 2:
      return flippedBit(random, admin)
    case 3:
    case 4:
      return otherCharacter(random, admin)
    case 5:
      return mutated(random, Buffer.from(admin)).toString('latin1')
    case 6:
      return `${encoded(random.pick(HEADERS))}.${payload}.${random.pick([signature, '', 'AA', text])}`
    case 7:
      return random.oneIn(2) ? foreign.token(claims) : own.confusedToken(claims)
    case 8:
      return own.token({ ...claims, ...random.pick(CLAIMS) })
    default:
      return random.pick([
        `${head}.${encoded({ ...claims, sub: text })}.${signature}`,
        `${head}.${payload}.${signature}.${signature}`,
        `${head}.${payload}..${signature}.`,
        `${head}.${payload}.${signature}=`,
        `${head}.${payload}`,
        '.'.repeat(random.below(9_000)),
        'A'.repeat(random.below(9_000)),
      ])
  }
}

export const tokenInput = (random: Random, around: Surroundings, number: number): RequestInput => {
  const [method, target] = random.pick(AIMS)
  const token = badToken(random, around.credentials, anyText(random, around)).replace(/[\r\n]/g, '')
  const isGood = token.trim() === around.credentials.admin
  const requestId = `token-${number}`
  const headers = [
    ['Host', 'localhost'],
    ['X-Request-Id', requestId],
    ['Authorization', `Bearer ${isGood ? 'none' : token}`],
    ['Content-Type', 'application/json'],
  ] as const
  const body = method === 'PUT' ? Buffer.from('{"email":"changed@example.com","name":"","roles":[]}') : undefined
  const bytes = requestBytes({ method, target, headers, body })
  return { kind: 'token', number, bytes, method, requestId, expected: [400, 401, 431] }
}
