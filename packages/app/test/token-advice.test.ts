import type { ProviderSettings } from '@rollcall/access-token/provider-settings'
import { expect, it } from 'vitest'
import { audienceAdvice, issuerAdvice, rolesAdvice, subjectAdvice } from '../src/doctor/token-advice.ts'

const provider: ProviderSettings = { issuer: 'https://id.example.com/', audience: ['api'], rolesClaim: 'roles' }
const roleMap = new Map([['ops', ['admin']]])

it.each([
  [{ aud: 'shop' }, {}, 'Its aud has none of', 'set what it puts there: "shop".'],
  // Set, these would let in the tokens of every client.
  [{ aud: 'account' }, {}, 'Its aud has none of', 'a token of an API that you register; what is there is the provider'],
  [{ aud: ['https://id.example.com/userinfo', 'shop'] }, {}, 'Its aud has none of', 'set what it puts there: "shop".'],
  [{ aud: '00000003-0000-0000-c000-000000000000' }, {}, 'Its aud has none of', 'tokens of any client may have it.'],
  [{ aud: ['a', 'b', 'c', 'd'] }, {}, 'Its aud has none of', 'there: "a", "b", "c".'],
  [{ client_id: 'api' }, {}, 'It has no aud; its client_id is one', 'Set ROLLCALL_AUTH_AUDIENCE_CLAIM=client_id.'],
  [{ azp: 'api' }, {}, 'It has no aud; its azp is one', 'Set ROLLCALL_AUTH_AUDIENCE_CLAIM=azp.'],
  [{ client_id: 'other' }, {}, 'It has no aud', 'AUDIENCE_CLAIM=client_id, and ROLLCALL_AUTH_AUDIENCE to the id'],
  [{}, {}, 'It has no aud', 'by an audience mapper.'],
  [{ client_id: 'x' }, { audienceClaim: 'client_id' }, 'Its client_id is none of', 'to the id of the client'],
  [
    { aud: ['api'], azp: 'x' },
    { audienceClaim: 'azp' },
    'Its azp is none of',
    'Leave out ROLLCALL_AUTH_AUDIENCE_CLAIM',
  ],
] as const)('the audience of %j under %j: %s, %s', (claims, settings, message, remedy) => {
  const [said, toDo] = audienceAdvice(claims, { ...provider, ...settings })
  expect(said).toContain(message)
  expect(toDo).toContain(remedy)
  // It may be the subject of a program's token.
  expect(`${said}${toDo}`).not.toContain('other')
})

it.each([
  [{ iss: 'https://id.example.com' }, 'as the provider writes it, here "https://id.example.com". If this machine'],
  [{ iss: 'http://keycloak:8080/realms/staff' }, 'Have the provider write the address that its users see'],
  [{ iss: 'https://sts.windows.net/7c1e/', ver: '1.0' }, 'requestedAccessTokenVersion'],
  [{ iss: 'https://sts.windows.net/7c1e/', ver: '2.0' }, 'as the provider writes it, here'],
  [{ iss: 7 }, 'exactly as the provider writes it.'],
  [{}, 'exactly as the provider writes it.'],
])('the issuer of %j: %s', (claims, remedy) => {
  const [message, toDo] = issuerAdvice(claims, provider)
  expect(message).toBe('Its iss is not https://id.example.com/.')
  expect(toDo).toContain(remedy)
})

it.each([
  [{ realm_access: { roles: ['admin'] } }, {}, 'set ROLLCALL_AUTH_ROLES_CLAIM=/realm_access/roles.'],
  [{ resource_access: { 'a/b': { roles: ['admin'] } } }, {}, '=/resource_access/a~1b/roles.'],
  [{ 'cognito:groups': ['admin'] }, {}, '=cognito:groups.'],
  [{ 'https://api.example.com/roles': 'x admin' }, {}, '=https://api.example.com/roles.'],
  [{ 'urn:zitadel:iam:org:project:roles': { admin: {} } }, {}, '=urn:zitadel:iam:org:project:roles.'],
  [{ roles: ['Admin'] }, {}, 'There are other names: say in ROLLCALL_AUTH_ROLE_MAP'],
  [{ roles: ['Ops'], groups: ['admin'] }, {}, '=groups; or, of the names there, say in ROLLCALL_AUTH_ROLE_MAP'],
  [{ roles: ['Admin', 'x'] }, { roleMap }, 'has none of the 2 names there'],
  [{ groups: ['0a1b', '2c3d'] }, {}, 'set ROLLCALL_AUTH_ROLES_CLAIM=groups, and say in ROLLCALL_AUTH_ROLE_MAP'],
  [{ groups: ['admin'] }, { roleMap }, 'names at groups: set ROLLCALL_AUTH_ROLES_CLAIM=groups, and say in'],
  [{ _claim_names: { groups: 'src1' } }, {}, 'too many groups'],
  [{ hasgroups: true }, {}, 'too many groups'],
  // Names of people, clients and scopes are no roles.
  [
    { preferred_username: 'admin', aud: ['admin'], scope: 'admin', amr: ['admin'] },
    {},
    'Check ROLLCALL_AUTH_ROLES_CLAIM',
  ],
  [{ roles: null }, {}, 'Check ROLLCALL_AUTH_ROLES_CLAIM'],
] as const)('the roles of %j under %j: %s', (claims, settings, remedy) => {
  const [message, toDo] = rolesAdvice(claims, { ...provider, ...settings }, ['admin', 'auditor'])
  expect(message).toBe('lists no known role at roles')
  expect(toDo).toContain(remedy)
})

it.each([
  [{ sub: 'ada@example.com', uid: '00u1' }, {}, '_SUBJECT_CLAIM=uid'],
  [{ sub: 'ada@example.com', oid: '1' }, {}, '_SUBJECT_CLAIM=oid'],
  [{ sub: 'ada@example.com' }, {}, 'a claim that never changes'],
  [{ sub: 'ada@example.com', uid: '00u1' }, { subjectClaim: 'uid' }, undefined],
  [{ sub: 'robot@clients' }, {}, undefined],
  [{ sub: 'auth0|5f' }, {}, undefined],
])('the subject of %j under %j: %s', (claims, settings, remedy) => {
  const advice = subjectAdvice(claims, { ...provider, ...settings })
  if (remedy === undefined) expect(advice).toBeUndefined()
  else expect(advice?.[1]).toContain(remedy)
  expect(String(advice)).not.toContain('ada@')
})
