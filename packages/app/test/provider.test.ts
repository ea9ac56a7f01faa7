import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { welcomeOf } from '../src/welcome.ts'
import { eventually } from './eventually.ts'
import { IdentityProvider } from './identity-provider.ts'
import { Home } from './running-service.ts'
import type { ServiceInProcess } from './serve-in-process.ts'

const settingsFor = ({ issuer }: IdentityProvider) => ({
  AUTH_ISSUER: issuer,
  AUTH_AUDIENCE: 'rollcall https://rollcall.example/api',
  AUTH_ROLES_CLAIM: '/realm_access/roles',
})

const bearer = (token: string) => ({ Authorization: `Bearer ${token}` })

describe('a service with an identity provider', () => {
  let provider: IdentityProvider
  let home: Home
  let server: ServiceInProcess

  beforeAll(async () => {
    provider = await IdentityProvider.start()
    home = await Home.make(settingsFor(provider))
    server = await home.serveInProcess()
  })
  afterAll(async () => {
    await home[Symbol.asyncDispose]()
    await provider[Symbol.asyncDispose]()
  })

  const ask = async (method: string, path: string, token?: string, body?: object) =>
    await fetch(`${home.url}${path}`, {
      method,
      headers: { ...(token && bearer(token)), ...(body && { 'Content-Type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    })
  const statusOf = async (path: string, token: string) => (await ask('GET', path, token)).status

  it('deletes for an admin of the provider, and refuses a token without roles in the claim, or a bad one', async () => {
    const root = await provider.token('root')
    const remove = async (token?: string) => (await ask('DELETE', '/users/gone', token)).status
    expect((await ask('PUT', '/users/gone', root, { email: 'gone@example.com', name: '', roles: [] })).status).toBe(201)
    for (const token of [undefined, 'x', await provider.token('root', 'another'), `${root.slice(0, -4)}AAAA`])
      expect(await remove(token)).toBe(401)
    expect([await remove(await provider.token('robot')), await remove(root), await remove(root)]).toEqual([
      403, 204, 410,
    ])
  })

  it('says in the log, and nowhere else, which check a refused token failed', async () => {
    const before = server.said.length
    const answer = await ask('GET', '/users', await provider.token('root', 'another'))
    expect(answer.status).toBe(401)
    expect(`${await answer.text()}${[...answer.headers]}`).not.toMatch(/aud/i)
    expect(server.said.slice(before)).toEqual([
      { level: 'info', message: 'a request was refused', fields: expect.objectContaining({ failed_check: 'aud' }) },
    ])
  })

  it('signs nothing itself: it publishes no keys, issues no tokens and rotates none', async () => {
    expect(await (await ask('GET', '/.well-known/jwks.json')).json()).toEqual({ keys: [] })
    for (const [command, reason] of [
      ['token issue --subject me --role admin', /^error: Own tokens are off/],
      ['key rotate', /^error: There is no signing key here: the identity provider signs .*rotated there/],
    ] as const)
      expect(await home.run(...command.split(' '))).toMatchObject({
        ...{ code: 4, stdout: '', stderr: expect.stringMatching(reason) },
      })
    const mixed = ['token', 'issue', '--subject', 'me', '--role', 'provisioner', '--role', 'admin']
    expect(await home.run(...mixed)).toMatchObject({ code: 4, stdout: '' })
    const welcome = JSON.stringify(welcomeOf(server.config))
    expect(welcome).toContain(provider.issuer)
    expect(welcome).not.toContain('token issue')
  })

  it('signs tokens for directories, which open SCIM and nothing else, whoever their subject is', async () => {
    await home.run('user', 'put', 'boss', '--email', 'boss@example.com', '--name', '', '--role', 'admin')
    const tokens = [await home.token('directory', 'provisioner'), await home.token('boss', 'provisioner')]
    const scim = await Promise.all(tokens.map((token) => statusOf('/scim/v2/Users', token)))
    // The database wins: an administrator is no directory.
    expect(scim).toEqual([200, 403])
    for (const token of tokens)
      for (const path of ['/users', '/users/boss', '/users/directory']) expect(await statusOf(path, token)).toBe(401)
    const ofProvider = await provider.token('root')
    expect([await statusOf('/users', ofProvider), await statusOf('/scim/v2/Users', ofProvider)]).toEqual([200, 403])
    const [, body = '', signature = ''] = (tokens[0] ?? '').split('.')
    for (const token of [`${ofProvider.split('.')[0]}.${body}.${signature}`, `x.${body}.x`, '.', `.${body}.`])
      expect(await statusOf('/scim/v2/Users', token)).toBe(401)
  })

  it('changes the key of tokens for directories without a restart, and refuses those of before if asked', async () => {
    const scim = (token: string) => statusOf('/scim/v2/Users', token)
    const before = await home.token('directory', 'provisioner')
    expect(await scim(before)).toBe(200)
    expect(await home.run('key', 'rotate')).toMatchObject({ code: 0, stderr: '' })
    const after = await home.token('directory', 'provisioner')
    await eventually(async () => (await scim(after)) === 200, 'that the new key is taken')
    expect(await scim(before)).toBe(200)
    expect(await home.run('key', 'rotate', '--revoke')).toMatchObject({ code: 0, stderr: '' })
    await eventually(async () => (await scim(before)) === 401, 'that the keys before are refused')
    expect(await scim(after)).toBe(401)
  })
})

it('starts without its identity provider, cannot judge tokens then, and goes on with known keys when it stops', async () => {
  await using provider = await IdentityProvider.start()
  await using home = await Home.make(settingsFor(provider))
  await home.serveInProcess()
  const token = await provider.token('root')
  const read = (token: string) => fetch(`${home.url}/users`, { headers: bearer(token) })
  expect((await read(token)).status).toBe(200)
  const another = await provider.token('root')
  await provider.stop()
  for (const known of [token, another]) expect((await read(known)).status).toBe(200)

  await using orphan = await Home.make(settingsFor(provider))
  const server = await orphan.serveInProcess()
  const answer = await fetch(`${orphan.url}/users`, { headers: bearer(token) })
  expect(answer.status).toBe(503)
  expect(answer.headers.get('Retry-After')).toMatch(/^\d+$/)
  expect(await answer.json()).toMatchObject({ error: 'Unavailable' })
  expect(server.log).toContain('the identity provider does not give its keys')
  expect(server.log).not.toContain(token)
})

it('gives on when its identity provider may be asked again, and only for a token that may be good then', async () => {
  await using provider = await IdentityProvider.start()
  await using home = await Home.make(settingsFor(provider))
  await home.serveInProcess()
  provider.answerForKeys((_request, response) => response.writeHead(503, { 'Retry-After': '300' }).end())
  const read = (token: string) => fetch(`${home.url}/users`, { headers: bearer(token) })
  const answer = await read(await provider.token('root'))
  expect(answer.status).toBe(503)
  expect(Number(answer.headers.get('Retry-After'))).toBeGreaterThan(60)
  expect(Number(answer.headers.get('Retry-After'))).toBeLessThanOrEqual(300)
  expect((await read(await provider.token('root', 'another'))).status).toBe(401)
})

it('says once, with a count, that it cannot serve requests while its identity provider is away', async () => {
  await using provider = await IdentityProvider.start()
  await using home = await Home.make(settingsFor(provider))
  const token = await provider.token('root')
  await provider.stop()
  const server = await home.serve()
  for (let n = 0; n < 50; n++) {
    const answer = await fetch(`${home.url}/users`, { headers: bearer(token) })
    expect([answer.status, await answer.text()]).toEqual([503, expect.stringContaining('Unavailable')])
  }
  const { stdout } = await server.kill('SIGTERM')
  const lines = stdout.split('\n').filter((line) => line.includes('a request could not be served'))
  expect(lines.length).toBeLessThan(25)
  expect(lines.map((line) => JSON.parse(line).repeated ?? 1).reduce((sum, count) => sum + count)).toBe(50)
})
