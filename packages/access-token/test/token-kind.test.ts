import { describe, expect, it } from 'vitest'
import { type TokenMark, tokenMarks } from '../src/token-kind.ts'
import { issuedClaims, scripted } from './scripted-provider.ts'
import { expectRefused } from './tokens.ts'

const EVERYBODY = { iss: 'https://id.example.com/realms/staff', aud: 'rollcall', sub: 'ada', iat: 1, exp: 2 }
const LOGOUT = { 'http://schemas.openid.net/event/backchannel-logout': {} }

// The shapes that the providers document. What says nothing of its kind is taken for an access token.
const SHAPES: readonly (readonly [what: string, claims: Record<string, unknown>, marks: readonly TokenMark[]])[] = [
  ['an access token of RFC 9068', { client_id: 's6BhdRkqt3', jti: 'j', scope: 'openid profile' }, []],
  ['a Keycloak access token', { typ: 'Bearer', azp: 'console', scope: 'openid', sid: 's', acr: '1' }, []],
  ['one before Keycloak 24', { typ: 'Bearer', azp: 'console', scope: 'openid', nonce: 'n', auth_time: 1 }, []],
  ['a Keycloak ID token', { typ: 'ID', azp: 'console', sid: 's', acr: '1' }, [['typ', 'id']]],
  [
    'a Keycloak ID token with more',
    { typ: 'ID', at_hash: 'h', nonce: 'n' },
    [
      ['typ', 'id'],
      ['at_hash', 'id'],
    ],
  ],
  ['a Keycloak refresh token', { typ: 'Refresh', azp: 'console', scope: 'openid' }, [['typ', 'other']]],
  ['a Keycloak offline token', { typ: 'Offline', azp: 'console', scope: 'offline_access' }, [['typ', 'other']]],
  [
    'a Keycloak logout token',
    { typ: 'Logout', sid: 's', events: LOGOUT },
    [
      ['typ', 'other'],
      ['events', 'other'],
    ],
  ],
  ['an authentik access token', { azp: 'rollcall', uid: 'u', nonce: 'n', auth_time: 1, acr: 'a', amr: ['pwd'] }, []],
  ['a Cognito access token', { token_use: 'access', client_id: '5bsjlins', scope: 'admin', version: 2 }, []],
  ['a Cognito ID token', { token_use: 'id', 'cognito:username': 'ada', auth_time: 1 }, [['token_use', 'id']]],
  ['a token for another use', { token_use: 'refresh' }, [['token_use', 'other']]],
  ['a token for several uses', { token_use: ['access'] }, [['token_use', 'other']]],
  ['an Entra ID access token', { ver: '2.0', tid: 't', oid: 'o', azp: 'a', azpacr: '1', scp: 'use' }, []],
  ['one for a program', { ver: '2.0', tid: 't', oid: 'o', azp: 'a', azpacr: '1', idtyp: 'app' }, []],
  ['an Entra ID access token, version 1', { ver: '1.0', tid: 't', oid: 'o', appid: 'a', scp: 'use' }, []],
  ['an ID token of Entra ID', { ver: '2.0', tid: 't', oid: 'o', rh: 'r', uti: 'u' }, [['azp', 'id']]],
  ['one with a nonce', { ver: '2.0', tid: 't', oid: 'o', nonce: 'n' }, [['azp', 'id']]],
  ['an Okta access token', { ver: 1, jti: 'AT.x', cid: '0oa', uid: '00u', scp: ['use'], auth_time: 1 }, []],
  ['an Okta ID token', { ver: 1, jti: 'ID.x', amr: ['pwd'], idp: '00o', at_hash: 'h' }, [['at_hash', 'id']]],
  ['an Auth0 access token', { azp: 'a', scope: 'openid profile', gty: 'password' }, []],
  ['a Google ID token', { azp: 'a', at_hash: 'h', email_verified: true }, [['at_hash', 'id']]],
  ['an ID token beside a code', { c_hash: 'h' }, [['c_hash', 'id']]],
  ['a Firebase ID token', { user_id: 'ada', auth_time: 1, firebase: { sign_in_provider: 'password' } }, []],
  ['a token with a nonce alone', { nonce: 'n' }, []],
  ['a notice of a logout', { sid: 's', events: LOGOUT }, [['events', 'other']]],
  ['a token bound to a key', { scope: 'use', cnf: { jkt: 'k' } }, [['cnf', 'other']]],
  ['a token whose type cannot be read', { typ: ['Bearer'] }, [['typ', 'other']]],
  ['a token in small letters', { typ: 'id' }, [['typ', 'id']]],
  ['a token that calls itself a JWT', { typ: 'JWT' }, []],
]

describe('the kind of a token', () => {
  it.each(SHAPES)('%s: %j', (_what, claims, marks) => {
    expect(tokenMarks({ ...EVERYBODY, ...claims })).toEqual(marks)
  })
})

describe('a token of a provider', () => {
  it.each(SHAPES)('%s passes where nothing shows another kind: %j', async (_what, claims, [first]) => {
    const { verifier, sign } = await scripted()
    for (const typ of ['at+jwt', 'JWT', undefined]) {
      const answer = verifier.verify(await sign(issuedClaims(claims), { typ }))
      if (first === undefined) expect((await answer).subject).toBe('alice')
      else await expect(answer).rejects.toMatchObject({ name: 'Unauthenticated', failedCheck: first[0] })
    }
  })

  it.each(SHAPES)('%s passes as an ID token, too, where those are accepted: %j', async (_what, claims, marks) => {
    const { verifier, sign } = await scripted({ acceptIdTokens: true })
    const answer = verifier.verify(await sign(issuedClaims(claims), { typ: 'JWT' }))
    if (marks.every(([, kind]) => kind === 'id')) expect((await answer).subject).toBe('alice')
    else await expectRefused(answer, 'notForUs')
  })
})
