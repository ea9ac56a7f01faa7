// Measures what hostile tokens cost both verifiers, own keys and an identity provider's, and prints it as JSON.
// Run it with --expose-gc and a large heap, so that garbage is not collected during a measurement.
import { createHmac, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import {
  createOwnTokenIssuer,
  createOwnTokenVerifier,
  createProviderTokenVerifier,
  parseOwnKeys,
} from '../../packages/access-token/src/index.ts'
import { spread } from '../statistics.ts'
import type { AttackFigures } from './measure-attacks.ts'

interface HostileToken {
  readonly name: string
  readonly token: string
}

const part = (value: unknown): string =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url')

/** The longest token that is read at all, in characters. */
const LONGEST = 8_192

/**
 * Tokens of an attacker: forged in every way of RFC 8725, and as costly
 * to read as can be. The claims are good; `key` is that of the attacker.
 */
const hostileTokens = (good: string, claims: object, key: KeyObject, published: string): HostileToken[] => {
  const [header = '', body = '', signature = ''] = good.split('.')
  const unsigned = (fields: object): string => `${part({ typ: 'at+jwt', kid: 'one', ...fields })}.${part(claims)}`
  const forged = (fields: object): string => {
    const input = unsigned({ alg: 'RS256', ...fields })
    return `${input}.${sign('sha256', Buffer.from(input), key).toString('base64url')}`
  }
  const hmac = unsigned({ alg: 'HS256' })
  const fill = (text: string, around = ''): string => text.repeat((LONGEST - around.length) / text.length)
  const deep = '['.repeat(2_900)
  return [
    { name: 'no signature', token: `${unsigned({ alg: 'none' })}.` },
    {
      name: 'HMAC with the public key',
      token: `${hmac}.${createHmac('sha256', published).update(hmac).digest('base64url')}`,
    },
    { name: 'signed with another key', token: forged({}) },
    { name: 'signed with another key, of an unknown name', token: forged({ kid: 'another' }) },
    { name: 'key embedded', token: forged({ jwk: key.export({ format: 'jwk' }) }) },
    { name: 'key by reference', token: forged({ jku: 'http://127.0.0.1:1/keys', x5u: 'http://127.0.0.1:1/chain' }) },
    { name: 'crit', token: forged({ crit: ['exp'], exp: 1 }) },
    { name: 'signature of another token', token: `${header}.${part({ ...claims, sub: 'root' })}.${signature}` },
    {
      name: 'one bit changed',
      token: `${header}.${body}.${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`,
    },
    { name: 'longest signature', token: `${header}.${body}.${fill('A', `${header}.${body}.`)}` },
    { name: 'longest header', token: `${fill('e', `.${body}.${signature}`)}.${body}.${signature}` },
    { name: 'deepest header', token: `${part(deep)}.${body}.${signature}`.slice(0, LONGEST) },
    { name: 'deepest claims', token: `${header}.${part(deep)}.${signature}`.slice(0, LONGEST) },
    { name: 'nothing but dots', token: fill('.') },
    { name: 'no text', token: fill('\u0000') },
    { name: 'fifty million characters', token: 'a'.repeat(50_000_000) },
  ]
}

const ROUNDS = 21
const ISSUER = 'https://id.example.com'
const now = Math.floor(Date.now() / 1_000)

const rsa = () => generateKeyPairSync('rsa', { modulusLength: 2_048 })
const attacker = rsa().privateKey

interface Verifier {
  verify(token: string): Promise<unknown>
}

interface Target {
  readonly name: string
  readonly verifier: Verifier
  readonly good: string
  readonly claims: object
  readonly published: string
  readonly asked: () => number
}

const ownKeys = async (): Promise<Target> => {
  const jwk = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' })
  const keys = await parseOwnKeys(JSON.stringify({ keys: [{ ...jwk, kid: 'one' }] }))
  const names = { issuer: 'rollcall', audience: 'rollcall' }
  const { token } = await createOwnTokenIssuer(keys, names).issue({ subject: 'alice', roles: [], lifetime: 3_600 })
  const claims = {
    iss: 'rollcall',
    aud: 'rollcall',
    sub: 'alice',
    jti: 'a',
    iat: now,
    exp: now + 3_600,
    roles: ['admin'],
  }
  const verifier = createOwnTokenVerifier(keys, names)
  return { name: 'own keys', verifier, good: token, claims, published: jwk.x ?? '', asked: () => 0 }
}

const provider = async (): Promise<Target> => {
  const { privateKey, publicKey } = rsa()
  let asked = 0
  const jwks_uri = `${ISSUER}/keys`
  const fetch = async (url: URL): Promise<Response> => {
    asked++
    const keys = [{ ...publicKey.export({ format: 'jwk' }), kid: 'one', alg: 'RS256' }]
    return Response.json(url.href === jwks_uri ? { keys } : { issuer: ISSUER, jwks_uri })
  }
  const verifier = createProviderTokenVerifier({ issuer: ISSUER, audience: ['rollcall'], fetch })
  const claims = { iss: ISSUER, aud: 'rollcall', sub: 'alice', jti: 'a', iat: now, exp: now + 3_600, roles: ['admin'] }
  const text = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
  const input = `${text({ alg: 'RS256', typ: 'at+jwt', kid: 'one' })}.${text(claims)}`
  const good = `${input}.${sign('sha256', Buffer.from(input), privateKey).toString('base64url')}`
  await verifier.verify(good)
  const known = asked
  const published = publicKey.export({ format: 'pem', type: 'spki' })
  return { name: 'a provider', verifier, good, claims, published: String(published), asked: () => asked - known }
}

const isAccepted = async ({ verifier }: Target, token: string): Promise<boolean> => {
  try {
    await verifier.verify(token)
    return true
  } catch {
    // Any error will do: the tests check how it is refused.
    return false
  }
}

const held = (): number => {
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

const figuresOf = async (target: Target, name: string, token: string): Promise<AttackFigures> => {
  const [times, sizes] = [[] as number[], [] as number[]]
  let accepted = false
  for (let round = 0; round < ROUNDS; round++) {
    globalThis.gc?.()
    const [size, { user, system }] = [held(), process.cpuUsage()]
    accepted ||= await isAccepted(target, token)
    const used = process.cpuUsage()
    times.push((used.user + used.system - user - system) / 1_000)
    sizes.push(Math.max(0, held() - size))
  }
  const [milliseconds, bytes] = [spread(times), spread(sizes)]
  return { name: `${name}, ${target.name}`, milliseconds, bytes, accepted, asked: target.asked() }
}

const figures: AttackFigures[] = []
for (const target of [await ownKeys(), await provider()])
  for (const { name, token } of hostileTokens(target.good, target.claims, attacker, target.published))
    figures.push(await figuresOf(target, name, token))
process.stdout.write(JSON.stringify(figures))
