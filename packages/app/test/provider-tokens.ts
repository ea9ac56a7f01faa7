/** A token as a provider documents it, but for its issuer, its audience and its times. */
interface DocumentedToken {
  readonly header: Readonly<Record<string, string>>
  readonly claims: Readonly<Record<string, unknown>>
  /** What an ID token of the same login has in place of these; left out if nothing tells them apart. */
  readonly idToken?: Readonly<Record<string, unknown>>
}

const JWT = { typ: 'JWT' }

/** By the heading of the guide. The user is an administrator. */
export const PROVIDER_TOKENS: Readonly<Record<string, DocumentedToken>> = {
  Keycloak: {
    header: JWT,
    claims: {
      ...{
        jti: 'onrtac:0d9b',
        aud: ['rollcall', 'account'],
        sub: '8c1f',
        typ: 'Bearer',
        azp: 'shop',
        sid: 'a1',
        acr: '1',
      },
      ...{ 'allowed-origins': ['https://shop.example'], realm_access: { roles: ['offline_access', 'admin'] } },
      ...{
        resource_access: { account: { roles: ['view-profile'] } },
        scope: 'openid profile',
        preferred_username: 'ada',
      },
    },
    idToken: { typ: 'ID', aud: 'shop', at_hash: 'h', nonce: 'n' },
  },
  authentik: {
    header: JWT,
    claims: {
      ...{
        aud: 'fK3vQ9xW2mTz',
        sub: 'f0c3',
        auth_time: 1,
        acr: 'goauthentik.io/providers/oauth2/default',
        amr: ['pwd'],
      },
      ...{ nonce: 'n', azp: 'fK3vQ9xW2mTz', uid: 'u1', name: 'Ada', preferred_username: 'ada', nickname: 'ada' },
      ...{ groups: ['authentik Admins', 'rollcall admins'], scope: 'openid profile' },
    },
  },
  'Microsoft Entra ID': {
    header: JWT,
    claims: {
      ...{ aud: '1b2c3d4e-5f60-4718-92a3-b4c5d6e7f809', aio: 'x', azp: '9f8e', azpacr: '1', name: 'Ada', oid: '00aa' },
      ...{
        preferred_username: 'ada@example.com',
        rh: '0.A',
        roles: ['admin'],
        scp: 'access_as_user',
        sid: 's',
        sub: 'PaIr',
      },
      ...{ tid: '7c1e5a0e-93a7-4b3c-8f55-0c1d2e3f4a5b', uti: 'u', ver: '2.0' },
    },
    idToken: { azp: undefined, azpacr: undefined, scp: undefined },
  },
  Okta: {
    header: {},
    claims: {
      ...{
        ver: 1,
        jti: 'AT.1',
        aud: 'api://default',
        cid: '0oa',
        uid: '00u1',
        scp: ['openid', 'profile'],
        auth_time: 1,
      },
      ...{ sub: 'ada@example.com', groups: ['Everyone', 'Rollcall Admins'] },
    },
    idToken: { jti: 'ID.1', aud: '0oa', uid: undefined, scp: undefined, at_hash: 'h', amr: ['pwd'] },
  },
  Auth0: {
    header: JWT,
    claims: {
      ...{ aud: ['https://rollcall.example.com', 'https://staff.eu.auth0.com/userinfo'], sub: 'auth0|5f7c', azp: 'cl' },
      ...{ scope: 'openid profile', permissions: [], 'https://rollcall.example.com/roles': ['admin'] },
    },
    idToken: { aud: 'cl', azp: undefined, nonce: 'n', sid: 's', scope: undefined },
  },
  'Amazon Cognito': {
    header: {},
    claims: {
      ...{
        sub: 'aaaa',
        'cognito:groups': ['admin', 'eu-central-1_Ab12Cd34E_Google'],
        client_id: '5bsjlins0example0client0id',
      },
      ...{ origin_jti: 'o', event_id: 'e', token_use: 'access', scope: 'aws.cognito.signin.user.admin', auth_time: 1 },
      ...{ jti: 'j', username: 'ada', version: 2 },
    },
    idToken: { aud: '5bsjlins0example0client0id', client_id: undefined, token_use: 'id', at_hash: 'h' },
  },
  Zitadel: {
    header: JWT,
    claims: {
      ...{ aud: ['265846912846118913@staff', '265846912846118914'], sub: '165460784409739521', jti: 'V2_1', nbf: 1 },
      ...{ client_id: '265846912846118913@staff' },
      'urn:zitadel:iam:org:project:roles': { admin: { 165459784409739520: 'staff.zitadel.cloud' } },
      'urn:zitadel:iam:org:project:265846912846118914:roles': { admin: { 165459784409739520: 'staff.zitadel.cloud' } },
    },
    idToken: { amr: ['pwd'], azp: '265846912846118913@staff', at_hash: 'h', nonce: 'n' },
  },
  Firebase: {
    header: JWT,
    claims: {
      ...{
        aud: 'staff-4711',
        auth_time: 1,
        user_id: 'Zx1',
        sub: 'Zx1',
        email: 'ada@example.com',
        email_verified: true,
      },
      ...{ firebase: { identities: { email: ['ada@example.com'] }, sign_in_provider: 'password' }, roles: ['admin'] },
    },
  },
}
