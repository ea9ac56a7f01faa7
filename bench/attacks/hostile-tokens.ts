import { createHmac, type KeyObject, sign } from 'node:crypto'

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
export const hostileTokens = (good: string, claims: object, key: KeyObject, published: string): HostileToken[] => {
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
