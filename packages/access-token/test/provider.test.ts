import { decodeJwt, decodeProtectedHeader } from 'jose'
import { describe, expect, it, onTestFinished } from 'vitest'
import {
  createProviderTokenVerifier,
  inspectProvider,
  type ProviderOptions,
  ProviderSettingsNotUsable,
} from '../src/index.ts'
import { parseNamesMap, roleMapProblem } from '../src/provider/provider-settings.ts'
import { IdentityProvider, newProviderKey } from './identity-provider.ts'
import { issuedClaims, KEYS_AT, scripted } from './scripted-provider.ts'
import { expectRefused, NOON, SettableClock } from './tokens.ts'

const DISCOVERY = '/.well-known/openid-configuration'
const MINUTE = 60_000
const HOUR = 60 * MINUTE
const unavailable = expect.objectContaining({ name: 'Unavailable' })

const open = async (options: Partial<ProviderOptions> = {}, alg = 'RS256') => {
  const provider = await IdentityProvider.start([await newProviderKey('first', alg)])
  onTestFinished(() => provider[Symbol.asyncDispose]())
  const clock = new SettableClock()
  clock.time = Date.now()
  const { issuer } = provider
  const troubles: unknown[] = []
  const onProviderTrouble = (error: unknown) => troubles.push(error)
  const verifier = createProviderTokenVerifier({
    issuer,
    audience: ['rollcall'],
    clock,
    onProviderTrouble,
    ...options,
  })
  return { provider, clock, verifier, troubles }
}

describe('a token of a real identity provider', () => {
  it('is good, with its subject, its id and its roles, after two requests: where the keys are, and the keys', async () => {
    const { provider, verifier } = await open()
    const token = await provider.token({ claims: { roles: ['admin'] } })
    expect(decodeProtectedHeader(token)).toEqual({ alg: 'RS256', typ: 'at+jwt', kid: 'first' })
    expect(await verifier.verify(token)).toMatchObject({
      subject: 'robot',
      roles: ['admin'],
      tokenId: decodeJwt(token).jti,
    })
    expect(provider.asked).toEqual([DISCOVERY, '/jwks'])
  })

  it.each(['RS256', 'PS256', 'ES256', 'EdDSA', 'Ed25519'] as const)('is good when signed with %s', async (alg) => {
    const { provider, verifier } = await open({}, alg)
    const token = await provider.token({ alg })
    expect(decodeProtectedHeader(token).alg).toBe(alg)
    expect((await verifier.verify(token)).subject).toBe('robot')
  })

  it('is good for any of the names that this service has there, and for no other', async () => {
    const { provider, verifier } = await open({ audience: ['rollcall', 'https://api.example.com'] })
    for (const audience of ['rollcall', 'https://api.example.com'])
      expect((await verifier.verify(await provider.token({ audience }))).subject).toBe('robot')
    for (const audience of ['another', 'rollcal', 'ROLLCALL'])
      await expectRefused(verifier.verify(await provider.token({ audience })), 'notForUs')
  })

  it('has times in whole milliseconds, whatever fractions of a second it says', async () => {
    const { verifier, clock, sign } = await scripted()
    const now = clock.time / 1_000
    const token = await sign(issuedClaims({ iat: now - 0.5004, exp: now + 60.2506 }))
    const times = { issuedAt: clock.time - 501, expiresAt: clock.time + 60_250 }
    expect(await verifier.verify(token)).toMatchObject(times)
  })

  it('is good for a day while the provider is down, then cannot be judged, and can be again when it is back', async () => {
    const { provider, verifier, clock, troubles } = await open()
    const [known, other] = [await provider.token(), await provider.token()]
    await verifier.verify(known)
    provider.goDown()
    for (const later of [9 * MINUTE, 11 * MINUTE, HOUR, 22 * HOUR]) {
      clock.time += later
      for (const token of [known, other]) expect((await verifier.verify(token)).subject).toBe('robot')
    }
    clock.time += HOUR
    for (const token of [known, other]) await expect(verifier.verify(token)).rejects.toEqual(unavailable)
    expect(troubles.length).toBeGreaterThan(0)
    provider.comeBack()
    await expect(verifier.verify(known)).rejects.toEqual(unavailable)
    clock.time += 31_000
    for (const token of [known, other]) expect((await verifier.verify(token)).subject).toBe('robot')
  })
})

describe('asking a provider by hand', () => {
  it('says where its keys are, or what is wrong', async () => {
    const { provider } = await open()
    expect(await inspectProvider(provider)).toBe(`${provider.issuer}/jwks`)
    await expect(inspectProvider({ issuer: `${provider.issuer}/another` })).rejects.toThrow(/answered 404/)
    provider.goDown()
    await expect(inspectProvider(provider)).rejects.toMatchObject({ name: 'ProviderTrouble' })
  })
})

describe('settings', () => {
  const good = { issuer: 'https://id.example.com', audience: ['rollcall'] }

  it.each([
    'https://id.example.com',
    'https://id.example.com/',
    'https://id.example.com:8443/realms/staff',
    'http://localhost:8080/realms/staff',
    'http://id.localhost',
    'http://127.1.2.3:9000',
    'http://[::1]:9000/',
  ])('take the issuer %s', (issuer) => {
    expect(createProviderTokenVerifier({ ...good, issuer })).toHaveProperty('verify')
  })

  it.each([
    ['http://id.example.com', 'https'],
    ['http://10.0.0.1', 'https'],
    ['http://localhost.example.com', 'https'],
    ['http://127.0.0.1.example.com', 'https'],
    ['https://id.example.com?tenant=1', 'query'],
    ['https://id.example.com/#', 'fragment'],
    ['https://user:secret@id.example.com', 'without a user'],
    ['ftp://id.example.com', 'use the address'],
    ['id.example.com', 'use the address'],
    [' https://id.example.com', 'use the address'],
    ['', 'use the address'],
  ])('refuse the issuer %j, saying what to use', (issuer, remedy) => {
    const create = () => createProviderTokenVerifier({ ...good, issuer })
    expect(create).toThrow(ProviderSettingsNotUsable)
    expect(create).toThrow(remedy)
    expect(create).not.toThrow(/secret/)
  })

  it.each([[[]], [['']], [['rollcall', '']]])('refuse the audience %j', (audience) => {
    expect(() => createProviderTokenVerifier({ ...good, audience })).toThrow(ProviderSettingsNotUsable)
  })

  it.each([
    'https://id.example.com/certs',
    'https://id.example.com/keys?p=B2C_1_signin',
    'http://keycloak:8080/realms/staff/protocol/openid-connect/certs',
    'http://id.default.svc.cluster.local/keys',
    'http://id.auth.svc/keys',
    'http://10.1.2.3/keys',
    'http://[fd00::1]/keys',
    'http://127.0.0.1/keys',
  ])('take %s as the address of the keys', (jwksUrl) => {
    expect(createProviderTokenVerifier({ ...good, jwksUrl })).toHaveProperty('verify')
  })

  it.each([
    ['http://id.example.com/keys', 'https'],
    ['http://8.8.8.8/keys', 'https'],
    ['http://172.32.0.1/keys', 'https'],
    ['http://[2001:db8::1]/keys', 'https'],
    ['http://keycloak.example.com/keys', 'https'],
    ['https://user:secret@id.example.com/keys', 'without a user'],
    ['https://id.example.com/.well-known/openid-configuration', 'the keys themselves'],
    ['keycloak:8080/keys', 'use the address'],
    ['', 'use the address'],
  ])('refuse %j as the address of the keys, saying what to use', (jwksUrl, remedy) => {
    const create = () => createProviderTokenVerifier({ ...good, jwksUrl })
    expect(create).toThrow(ProviderSettingsNotUsable)
    expect(create).toThrow(remedy)
    expect(create).not.toThrow(/secret/)
  })

  it('have the keys fetched from an inner address, and nothing asked of the issuer', async () => {
    const inner = 'http://keycloak:8080/certs'
    const { verifier, sign, answers, asked } = await scripted({ jwksUrl: inner })
    answers.set(inner, answers.get(KEYS_AT)!)
    await verifier.verify(await sign(issuedClaims()))
    await expectRefused(verifier.verify(await sign(issuedClaims({ iss: 'http://keycloak:8080' }))), 'notForUs')
    expect(asked).toEqual([inner])
    expect(await inspectProvider({ issuer: 'https://id.example.com', jwksUrl: inner })).toBe(inner)
  })

  it.each(['client_id', 'azp'] as const)('have %s say whom a token is for', async (audienceClaim) => {
    const { verifier, sign } = await scripted({ audienceClaim })
    for (const aud of [undefined, 'account', ['account']])
      expect(await verifier.verify(await sign(issuedClaims({ aud, [audienceClaim]: 'rollcall' })))).toBeTruthy()
    for (const client of [undefined, null, 'rollcal', ['rollcall'], ''])
      await expect(
        verifier.verify(await sign(issuedClaims({ [audienceClaim]: client, aud: 'rollcall' }))),
      ).rejects.toMatchObject({ failedCheck: 'aud' })
  })

  it.each([
    ['/rollcall/admin=admin,0a1b=auditor', ['/rollcall/admin', '0a1b', 'x'], ['admin', 'auditor']],
    [' ops = admin , ops=auditor ', ['ops', 'ops'], ['admin', 'auditor']],
    ['CN=Ops%2COU=Staff=admin', ['CN=Ops,OU=Staff'], ['admin']],
    ['Rollcall Admins=admin', ['Rollcall Admins'], ['admin']],
    ['Rollcall Admins=admin,ops=auditor', 'Rollcall Admins', ['admin']],
    ['Rollcall Admins=admin,ops=auditor', 'other ops', ['auditor']],
    ['ops=admin', [null, { name: 'ops' }, ['ops'], 'x'], []],
    // What the provider calls admin is nothing here once there is a map.
    ['ops=auditor', ['admin', 'OPS', 'constructor'], []],
    ['ops=admin', { ops: { 1: 'a' } }, ['admin']],
  ])('turn names by the map %j: %j are %j', async (text, groups, roles) => {
    const { verifier, sign } = await scripted({ rolesClaim: 'groups', roleMap: parseNamesMap(text) })
    expect((await verifier.verify(await sign(issuedClaims({ groups })))).roles).toEqual(roles)
  })

  it.each(['', 'admin', '=admin', 'ops=', 'ops=admin,', 'ops=two words', ' =admin'])('refuse the map %j', (text) => {
    expect(roleMapProblem(text)).toMatch(/^use pairs/)
  })

  it.each(['', '/~2', '/realm~'])('refuse %j as the place of the roles', (rolesClaim) => {
    expect(() => createProviderTokenVerifier({ ...good, rolesClaim })).toThrow(ProviderSettingsNotUsable)
  })
})

describe('the place of the roles', () => {
  const place = { realm_access: { roles: ['admin'] }, 'a/b': { 'c~d': 'admin auditor' }, list: [['admin']] }

  it.each([
    ['https://example.com/roles', { 'https://example.com/roles': ['admin'] }, ['admin']],
    ['realm_access.roles', { ...place }, []],
    ['/realm_access/roles', place, ['admin']],
    ['/a~1b/c~0d', place, ['admin', 'auditor']],
    ['/list/0', place, ['admin']],
    ['/list/00', place, []],
    ['/list/length', place, []],
    ['/realm_access', place, []],
    ['/realm_access/roles/0', place, ['admin']],
    ['/realm_access/roles/1', place, []],
    ['/nowhere/at/all', place, []],
    ['/__proto__/constructor/name', place, []],
    ['constructor', place, []],
    ['roles', { roles: [null, 'admin', ['auditor'], { name: 'auditor' }] }, ['admin']],
    ['roles', { roles: true }, []],
    ['roles', { roles: '' }, []],
    ['roles', { roles: ' admin  auditor ' }, ['admin', 'auditor']],
    ['roles', { roles: 'admin\tauditor' }, ['admin\tauditor']],
    ['roles', { roles: { admin: { 123: 'acme.example' }, auditor: false, sender: null, other: 0 } }, ['admin']],
  ])('%s of %j gives %j', async (rolesClaim, claims, roles) => {
    const { verifier, sign } = await scripted({ rolesClaim })
    expect((await verifier.verify(await sign(issuedClaims({ roles: undefined, ...claims })))).roles).toEqual(roles)
  })
})

describe('the subject', () => {
  it('is the claim that the settings name, and nothing else', async () => {
    const { verifier, sign } = await scripted({ subjectClaim: 'oid' })
    const token = await sign(issuedClaims({ oid: '6f9a', email: 'alice@example.com' }))
    expect((await verifier.verify(token)).subject).toBe('6f9a')
    expect((await verifier.examine(token)).subject).toBe('6f9a')
    const withoutSub = await sign(issuedClaims({ oid: '6f9a', sub: undefined }))
    expect((await verifier.verify(withoutSub)).subject).toBe('6f9a')
    for (const oid of [undefined, '', 7, ['6f9a'], null]) {
      const other = await sign(issuedClaims({ oid }))
      await expectRefused(verifier.verify(other), 'notForUs')
      expect(await verifier.examine(other)).toMatchObject({ failed: ['sub'], subject: undefined })
    }
    const inherited = await scripted({ subjectClaim: 'toString' })
    await expectRefused(inherited.verifier.verify(await inherited.sign(issuedClaims())), 'notForUs')
  })

  it.each(['email', 'upn', 'preferred_username', 'Email', 'unique_name', 'name', '', '/sub'])(
    'is never at %j',
    (subjectClaim) => {
      const settings = { issuer: 'https://id.example.com', audience: ['rollcall'], subjectClaim }
      expect(() => createProviderTokenVerifier(settings)).toThrow(ProviderSettingsNotUsable)
    },
  )
})

describe('the feeds of a token of a provider', () => {
  const feedsOf = async (feedsClaim: string | undefined, claims: Record<string, unknown>) => {
    const { verifier, sign } = await scripted(feedsClaim === undefined ? {} : { feedsClaim })
    return (await verifier.verify(await sign(issuedClaims(claims)))).feeds
  }

  it('are read where the setting says, and are none where the token lacks them', async () => {
    expect(await feedsOf('feeds', { feeds: ['weekly', 'daily'] })).toEqual(['weekly', 'daily'])
    expect(await feedsOf('feeds', { feeds: 'weekly  daily' })).toEqual(['weekly', 'daily'])
    expect(await feedsOf('/ext/feeds', { ext: { feeds: ['weekly'] } })).toEqual(['weekly'])
    for (const claims of [{}, { feeds: null }, { feeds: '' }, { feeds: [] }])
      expect(await feedsOf('feeds', claims)).toEqual([])
  })

  it.each([[7], [true], [{ weekly: 1 }], [['weekly', 7]], [[null]]])(
    'refuse it where they are %j: what it is bound to cannot be told, so it must not pass for free',
    async (feeds) => {
      await expect(feedsOf('feeds', { feeds, roles: ['auditor'] })).rejects.toMatchObject({ failedCheck: 'feeds' })
    },
  )

  it('do not bind it where no setting says so', async () => {
    expect(await feedsOf(undefined, { feeds: ['weekly'] })).toBeUndefined()
  })

  it.each(['', '/~2', '/feeds~'])('refuse %j as their place', async (feedsClaim) => {
    await expect(feedsOf(feedsClaim, {})).rejects.toThrow(ProviderSettingsNotUsable)
  })
})

describe('what providers put into tokens beside what they must', () => {
  type Extra = [header: Record<string, unknown>, claims: Record<string, unknown>]

  it.each<Extra>([
    ...['at+jwt', 'AT+JWT', 'application/at+jwt', 'JWT', 'jwt', 'application/jwt'].map((typ): Extra => [{ typ }, {}]),
    [{ x5t: 'abc' }, {}],
    [{ typ: undefined }, { ver: 1, scp: ['openid'], cid: '0oa' }],
    [{}, { aud: ['account', 'rollcall'] }],
    [{}, { aud: [null, 'rollcall'] }],
    [{}, { exp: NOON / 1000 + 60.5, iat: NOON / 1000 - 0.5 }],
    [{}, { nonce: 'n', auth_time: 1, acr: '1', amr: ['pwd'], sid: 's' }],
    [{}, { scope: ['openid'], permissions: [], roles: 'admin' }],
    [{}, { realm_access: null, resource_access: [], groups: null }],
    [{}, { jti: undefined, iat: undefined, nbf: undefined }],
  ])('is taken: %j %j', async (header, claims) => {
    const { verifier, sign } = await scripted()
    expect((await verifier.verify(await sign(issuedClaims(claims), header))).roles).toEqual(['admin'])
  })
})
