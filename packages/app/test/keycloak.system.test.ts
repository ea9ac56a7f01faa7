import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Keycloak } from './keycloak.ts'
import { Home } from './running-service.ts'

let keycloak: Keycloak
beforeAll(async () => {
  keycloak = await Keycloak.start()
})
afterAll(async () => {
  await keycloak[Symbol.asyncDispose]()
})

const settingsOf = () => ({
  AUTH_ISSUER: keycloak.issuer,
  AUTH_JWKS_URL: keycloak.jwksUrl,
  AUTH_AUDIENCE: 'rollcall',
  AUTH_ROLES_CLAIM: '/realm_access/roles',
})

const ask = async (home: Home, token: string, method = 'GET'): Promise<number> =>
  (await fetch(`${home.url}/users`, { method, headers: { Authorization: `Bearer ${token}` } })).status

describe('Keycloak, which the service reaches at an inner address only', () => {
  it('has its access tokens taken, and none of its other tokens', async () => {
    await using home = await Home.make(settingsOf())
    await home.serveInProcess()
    const { access_token, id_token, refresh_token } = await keycloak.tokens('shop')
    expect(await ask(home, access_token)).toBe(200)
    for (const token of [id_token, refresh_token, (await keycloak.tokens('plain')).access_token])
      expect(await ask(home, token)).toBe(401)
    await keycloak.rotate()
    const after = (await keycloak.tokens('shop')).access_token
    const header = (token: string) => Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()
    expect(header(after)).not.toBe(header(access_token))
    // The provider may have been asked for its keys a moment before.
    await expect.poll(() => ask(home, after)).toBe(200)
    expect(await ask(home, access_token)).toBe(200)
  })

  it('has its groups turned into roles', async () => {
    await using home = await Home.make({
      ...settingsOf(),
      ...{ AUTH_ROLES_CLAIM: 'groups', AUTH_ROLE_MAP: '/rollcall/readers=auditor' },
    })
    await home.serveInProcess()
    const { access_token } = await keycloak.tokens('shop')
    expect(await ask(home, access_token)).toBe(200)
    const headers = { Authorization: `Bearer ${access_token}` }
    expect((await fetch(`${home.url}/users/ada`, { method: 'DELETE', headers })).status).toBe(403)
  })

  it('needs no audience mapper where the client says whom a token is for', async () => {
    await using home = await Home.make({ ...settingsOf(), AUTH_AUDIENCE: 'plain', AUTH_AUDIENCE_CLAIM: 'azp' })
    await home.serveInProcess()
    expect(await ask(home, (await keycloak.tokens('plain')).access_token)).toBe(200)
    expect(await ask(home, (await keycloak.tokens('shop')).access_token)).toBe(401)
  })
})
