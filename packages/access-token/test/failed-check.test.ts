import { describe, expect, it } from 'vitest'
import { REFUSAL, type Refusal } from '../src/check-token.ts'
import { newProviderKey } from './identity-provider.ts'
import { issuedClaims, scripted } from './scripted-provider.ts'
import { claims, NOON, setUp } from './tokens.ts'

const SECONDS = NOON / 1_000

/** What the refusal says to the operator; a client gets the message alone. */
const failedCheckOf = async (verifying: Promise<unknown>, message: unknown = expect.any(String)): Promise<unknown> => {
  const error = await verifying.catch((thrown: unknown) => thrown)
  expect(error).toMatchObject({ name: 'Unauthenticated', message })
  return (error as { readonly failedCheck?: unknown }).failedCheck
}

type Row = [check: string, claims: Record<string, unknown>, header?: Record<string, unknown>, why?: Refusal]

/** What no token may say, whoever has issued it. */
const OF_ALL: readonly Row[] = [
  ...['account', ['account', 'rollcall2'], [], undefined, null, { rollcall: true }, 'rollcall account'].map(
    (aud): Row => ['aud', { aud }],
  ),
  ...['https://idp.example.com', ['rollcall'], [issuedClaims().iss], `${issuedClaims().iss}/`, undefined].map(
    (iss): Row => ['iss', { iss }],
  ),
  ...[undefined, '', 7, ['alice']].map((sub): Row => ['sub', { sub }]),
  ...[undefined, 'tomorrow', `${SECONDS + 60}`, null, 1e300, 8.64e12 + 1].map((exp): Row => ['exp', { exp }]),
  ...[SECONDS - 60, SECONDS].map((exp): Row => ['exp', { exp }, {}, 'expired']),
  ['nbf', { nbf: 'soon' }],
  ['nbf', { nbf: SECONDS + 60 }, {}, 'tooEarly'],
  ['iat', { iat: '1' }],
  ['iat', { iat: SECONDS + 60 }, {}, 'tooEarly'],
  ['jti', { jti: 7 }],
  ['feeds', { feeds: 7 }],
  ['token_use', { token_use: 'id' }],
  ...['ID', 'Refresh', ['Bearer']].map((typ): Row => ['typ', { typ }]),
  ['azp', { tid: 't', ver: '2.0' }],
  ...['h', '', null].map((at_hash): Row => ['at_hash', { at_hash }]),
  ['c_hash', { c_hash: 'h' }],
  ['cnf', { cnf: { jkt: '0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4I' } }],
  ['events', { events: { 'http://schemas.openid.net/event/backchannel-logout': {} } }],
  ...['logout+jwt', 'secevent+jwt', 'dpop+jwt', 'id_token+jwt', 'at+jwt2', 'xat+jwt', 'application/x/jwt', 'JOSE'].map(
    (typ): Row => ['typ', {}, { typ }],
  ),
  ...['', null, 7, ['at+jwt']].map((typ): Row => ['typ', {}, { typ }]),
  ['kid', {}, { kid: 'unknown' }, 'notGenuine'],
  ['kid', {}, { kid: 7 }, 'notGenuine'],
]

/** What ours say besides. */
const OF_OURS: readonly Row[] = [
  ['jti', { jti: undefined }],
  ['iat', { iat: undefined }],
  ['exp', { exp: SECONDS + 400 * 86_400 + 1 }],
  ['exp', { iat: SECONDS - 400 * 86_400, exp: SECONDS + 1 }],
  ...['JWT', 'jwt', undefined].map((typ): Row => ['typ', {}, { typ }]),
]

describe('a refused token says which check failed:', () => {
  it.each<Row>(OF_ALL)('%s of %j, %j, from a provider', async (check, other, header, why = 'notForUs') => {
    const { verifier, sign } = await scripted({ feedsClaim: 'feeds' })
    const token = await sign(issuedClaims(other), header)
    expect(await failedCheckOf(verifier.verify(token), REFUSAL[why])).toBe(check)
  })

  it.each<Row>([...OF_ALL, ...OF_OURS])('%s of %j, %j, of ours', async (check, other, header, why = 'notForUs') => {
    const { verifier, sign } = await setUp()
    const token = await sign(claims(other), header)
    expect(await failedCheckOf(verifier.verify(token), REFUSAL[why])).toBe(check)
  })

  it('its algorithm, signature, form or length, an extension in its header, or claims that are no object', async () => {
    const { verifier, sign, key } = await scripted({}, 'RS256')
    const { alg: _, ...any } = key
    const [, body, signature] = (await sign(issuedClaims())).split('.')
    const critical = Buffer.from(JSON.stringify({ alg: 'RS256', kid: 'one', crit: ['x'], x: 1 })).toString('base64url')
    const found: Readonly<Record<string, string>> = {
      alg: await sign(issuedClaims(), { alg: 'PS512' }, any),
      signature: await sign(issuedClaims(), { kid: key.kid }, await newProviderKey('one')),
      form: 'x.y',
      length: 'x'.repeat(9_000),
      crit: `${critical}.${body}.${signature}`,
      header: `e30.${body}.${signature}`,
      claims: await sign([]),
    }
    for (const [check, token] of Object.entries(found)) expect(await failedCheckOf(verifier.verify(token))).toBe(check)
  })

  it('its end, if that is beyond all numbers', async () => {
    const { sign, verifier } = await setUp()
    const text = JSON.stringify(claims()).replace(/"exp":\d+/, '"exp":1e999')
    expect(await failedCheckOf(verifier.verify(await sign(text)))).toBe('exp')
  })
})
