import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventually } from './eventually.ts'
import { Home } from './running-service.ts'

describe('rollcall key rotate beside a running server', () => {
  let home: Home
  beforeAll(async () => {
    home = await Home.make()
    await home.serveInProcess()
  })
  afterAll(async () => await home[Symbol.asyncDispose]())

  const statusFor = async (token: string) => {
    const answer = await fetch(`${home.url}/users`, { headers: { Authorization: `Bearer ${token}` } })
    await answer.arrayBuffer()
    return answer.status
  }
  const published = async () => {
    const answer = await fetch(`${home.url}/.well-known/jwks.json`)
    return ((await answer.json()) as { keys: { kid: string }[] }).keys.map(({ kid }) => kid)
  }

  it('makes it take tokens of the new key, and keep those of the old one, without a restart', async () => {
    const before = await home.token('root', 'admin')
    expect(await statusFor(before)).toBe(200)
    const [old] = await published()
    const { code, stdout } = await home.run('key', 'rotate', '--json')
    expect(code).toBe(0)
    const { key_id } = JSON.parse(stdout)
    const after = await home.token('root', 'admin')
    await eventually(async () => (await statusFor(after)) === 200, 'that the new key is taken')
    expect(await statusFor(before)).toBe(200)
    expect(await published()).toEqual([key_id, old])
  })

  it('with --revoke makes it refuse every token of before, and leaves a record of both', async () => {
    const before = await home.token('root', 'admin')
    expect(await statusFor(before)).toBe(200)
    expect(await home.run('key', 'rotate', '--revoke')).toMatchObject({ code: 0, stderr: '' })
    await eventually(async () => (await statusFor(before)) === 401, 'that the old key is refused')
    const after = await home.token('root', 'admin')
    expect(await statusFor(after)).toBe(200)
    expect(await published()).toHaveLength(1)
    const { stdout } = await home.run('audit', 'list', '--json')
    expect(stdout.match(/"key\.rotate"/g)).toHaveLength(2)
    expect(stdout).toContain('earlier keys revoked')
  })

  it('refuses where the keys are set by the environment, says what to do instead, and prints none', async () => {
    const keys = await readFile(path.join(home.folder, 'data/signing-keys.json'), 'utf8')
    const { code, stdout, stderr } = await home.runWith({ SIGNING_KEYS: keys }, 'key', 'rotate', '--revoke')
    expect([code, stdout]).toEqual([4, ''])
    expect(stderr).toMatch(/^error: .*ROLLCALL_SIGNING_KEYS.*put a new private key behind.*restart/)
    for (const { d, x } of JSON.parse(keys).keys) for (const part of [d, x]) expect(stderr).not.toContain(part)
    expect(await readFile(path.join(home.folder, 'data/signing-keys.json'), 'utf8')).toBe(keys)
  })
})
