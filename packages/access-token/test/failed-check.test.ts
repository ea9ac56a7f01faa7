import { describe, expect, it } from 'vitest'
import { newProviderKey } from './identity-provider.ts'
import { issuedClaims, scripted } from './scripted-provider.ts'
import { claims, NOON, setUp } from './tokens.ts'

const SECOND = 1_000

/** What the refusal says to the operator; a client gets the message alone. */
const failedCheckOf = async (verifying: Promise<unknown>): Promise<unknown> => {
  const error = await verifying.catch((thrown: unknown) => thrown)
  expect(error).toMatchObject({ name: 'Unauthenticated' })
  return (error as { readonly failedCheck?: unknown }).failedCheck
}

describe('a refused token of a provider says which check failed:', () => {
  it.each<[string, Record<string, unknown>, Record<string, unknown>?]>([
    ['aud', { aud: 'account' }],
    ['aud', { aud: undefined }],
    ['iss', { iss: 'https://id.example.com/realms/other' }],
    ['exp', { exp: NOON / SECOND - 60 }],
    ['exp', { exp: NOON / SECOND }],
    ['exp', { exp: undefined }],
    ['exp', { exp: 'tomorrow' }],
    ['nbf', { nbf: NOON / SECOND + 60 }],
    ['iat', { iat: NOON / SECOND + 60 }],
    ['sub', { sub: undefined }],
    ['sub', { sub: '' }],
    ['jti', { jti: 7 }],
    ['feeds', { feeds: 7 }],
    ['token_use', { token_use: 'id' }],
    ['typ', { typ: 'Refresh' }],
    ['azp', { tid: 't', ver: '2.0' }],
    ['at_hash', { at_hash: 'h' }],
    ['cnf', { cnf: {} }],
    ['events', { events: {} }],
    ['typ', {}, { typ: 'logout+jwt' }],
    ['alg', {}, { alg: 'PS512' }],
    ['kid', {}, { kid: 'unknown' }],
    ['kid', {}, { kid: 7 }],
  ])('%s of %j, %j', async (check, other, header) => {
    const { verifier, sign, key } = await scripted({ feedsClaim: 'feeds' }, 'RS256')
    const { alg: _, ...any } = key
    const token = await sign(issuedClaims(other), { alg: 'RS256', ...header }, any)
    expect(await failedCheckOf(verifier.verify(token))).toBe(check)
  })

  it('its signature, its form, its length, an extension in its header, or claims that are no object', async () => {
    const { verifier, sign, key } = await scripted()
    const token = await sign(issuedClaims())
    const [header, body, signature] = token.split('.')
    const critical = Buffer.from(JSON.stringify({ alg: 'ES256', kid: 'one', crit: ['x'], x: 1 })).toString('base64url')
    const stranger = await sign(issuedClaims(), { kid: key.kid }, await newProviderKey('one', 'ES256'))
    const found = [stranger, 'x.y', 'x'.repeat(9_000), `${critical}.${body}.${signature}`, `e30.${body}.${signature}`]
    expect(await Promise.all([...found, await sign([])].map((text) => failedCheckOf(verifier.verify(text))))).toEqual([
      ...['signature', 'form', 'length', 'crit', 'header', 'claims'],
    ])
    expect(header).toBeDefined()
  })

  it('likewise an own one', async () => {
    const { verifier, sign } = await setUp()
    for (const [check, other] of [
      ['jti', { jti: undefined }],
      ['iat', { iat: undefined }],
      ['aud', { aud: 'another' }],
    ] as const)
      expect(await failedCheckOf(verifier.verify(await sign(claims(other))))).toBe(check)
    expect(await failedCheckOf(verifier.verify(await sign(claims(), { typ: 'JWT' })))).toBe('typ')
  })
})
