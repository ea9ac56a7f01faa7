import { readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { LinkTokens, type SubscriptionId } from '@rollcall/core'
import { describe, expect, it } from 'vitest'
import { linkKeyFile } from '../src/link-keys.ts'
import { LinkKeyFile } from '../src/platform/link-keys.ts'
import { createNodeDigests } from '../src/platform/node-digests.ts'
import { eventually } from './eventually.ts'
import { Home } from './running-service.ts'

const digests = createNodeDigests('')
const fileOf = (home: Home): string => linkKeyFile({ DATA_DIR: path.join(home.folder, 'data') })
const keysOf = async (home: Home) => new LinkTokens({ linkKeys: await LinkKeyFile.open(fileOf(home)), digests })

const signUp = async (home: Home, email: string): Promise<SubscriptionId> => {
  const answer = await home.signUp(email)
  return ((await answer.json()) as { subscription: { id: number } }).subscription.id as SubscriptionId
}
const statusOf = async (home: Home, link: string): Promise<number> => {
  const answer = await fetch(`${home.url}/${link}`, { headers: { Accept: 'text/html' } })
  await answer.arrayBuffer()
  return answer.status
}

describe('rollcall secret rotate beside a running server', () => {
  it('keeps what was mailed, takes links of the new key, and with --revoke nothing of before', async () => {
    await using home = await Home.make()
    await home.serveInProcess()
    const id = await signUp(home, 'ada@example.com')
    const expiresAt = Date.now() + 3_600_000
    const linksOf = (tokens: LinkTokens): readonly string[] => [
      `unsubscribe/${tokens.signId('unsubscribe', id)}`,
      `manage/${tokens.signId('manage', id)}`,
      `preferences/${tokens.signPreferences(id, expiresAt)}`,
    ]
    const all = async (links: readonly string[]) => await Promise.all(links.map((link) => statusOf(home, link)))
    const come = async (links: readonly string[], to: number, what: string) =>
      await eventually(async () => (await all(links)).every((status) => status === to), what)
    const before = linksOf(await keysOf(home))
    await come(before, 200, 'that the sign-up is stored')

    expect(await home.run('secret', 'rotate')).toMatchObject({ code: 0, stderr: '' })
    const after = linksOf(await keysOf(home))
    await come(after, 200, 'that the new key is taken')
    expect(await all(before)).toEqual([200, 200, 200])

    expect(await home.run('secret', 'rotate', '--revoke')).toMatchObject({ code: 2 })
    expect(await home.run('secret', 'rotate', '--revoke', '--yes')).toMatchObject({ code: 0, stderr: '' })
    const last = linksOf(await keysOf(home))
    await come(before, 404, 'that the old keys are refused')
    expect(await all(after)).toEqual([404, 404, 404])
    expect(await all(last)).toEqual([200, 200, 200])
    const { stdout } = await home.run('audit', 'list', '--json')
    expect(stdout.match(/"secret\.rotate"/g)).toHaveLength(2)
    expect(stdout).toContain('earlier keys revoked')
  })

  it('refuses if the keys are set by the environment, says what to do instead, and prints none', async () => {
    await using home = await Home.make()
    await home.run('migrate')
    await home.token('ada')
    const text = await readFile(fileOf(home), 'utf8')
    const { code, stdout, stderr } = await home.runWith({ LINK_KEYS: text }, 'secret', 'rotate')
    expect([code, stdout]).toEqual([4, ''])
    expect(stderr).toMatch(/^error: .*ROLLCALL_LINK_KEYS.*put a new key.*restart/)
    for (const { k } of JSON.parse(text).keys) expect(stderr).not.toContain(k)
  })
})

describe('the link keys of a database', () => {
  it('are refused where they are missing or others, and nothing is made in their place', async () => {
    await using home = await Home.make()
    await home.run('migrate')
    await home.token('ada')
    const file = fileOf(home)
    const text = await readFile(file, 'utf8')
    await rm(file)
    expect(await home.run('serve')).toMatchObject({ code: 4, stderr: expect.stringContaining('are missing') })
    await expect(readFile(file)).rejects.toThrow('ENOENT')
    expect(await home.run('doctor', '--json')).toMatchObject({
      code: 3,
      stdout: expect.stringContaining('The link keys of this database are missing.'),
    })
    await LinkKeyFile.open(file)
    const other = await home.run('serve')
    expect(other).toMatchObject({ code: 4, stderr: expect.stringContaining('are not those that this database') })
    await writeFile(file, text)
    await home.serveInProcess()
  })

  it('that were revoked do not come back with the file of before', async () => {
    await using home = await Home.make()
    await home.run('migrate')
    await home.token('ada')
    const text = await readFile(fileOf(home), 'utf8')
    expect((await home.run('secret', 'rotate', '--revoke', '--yes')).code).toBe(0)
    await writeFile(fileOf(home), text)
    expect(await home.run('serve')).toMatchObject({ code: 4, stderr: expect.stringContaining('link keys') })
  })

  it('are those that every link is signed with: the secret alone opens none', async () => {
    await using home = await Home.make()
    await home.serveInProcess()
    const id = await signUp(home, 'ada@example.com')
    const secret = (await readFile(path.join(home.folder, 'data/secret'), 'utf8')).trim()
    const { hmac } = createNodeDigests(secret)
    const forgeries = (['address', 'form', 'challenge', 'link-unsubscribe', 'unsubscribe'] as const).map((purpose) => ({
      current: { id: '1', timedUntil: undefined, hmac: (_: string, text: string) => hmac(purpose as 'form', text) },
      find: () => undefined,
      makeKey: () => Promise.reject(new Error('none')),
    }))
    const derived = await LinkKeyFile.open(path.join(home.folder, 'forged.json'))
    for (const linkKeys of [...forgeries, derived]) {
      const token = new LinkTokens({ linkKeys, digests }).signId('unsubscribe', id)
      expect(await statusOf(home, `unsubscribe/${token}`)).toBe(404)
    }
    const genuine = (await keysOf(home)).signId('unsubscribe', id)
    expect(await statusOf(home, `unsubscribe/${genuine}`)).toBe(200)
  })
})
