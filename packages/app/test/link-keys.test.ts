import { chmod, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { linkKeysContract } from '@rollcall/core/contract'
import { KeysNotUsable } from '@rollcall/platform-node'
import { describe, expect, it } from 'vitest'
import { LinkKeyFile, LinkKeySetting } from '../src/platform/link-keys.ts'
import { temporaryFolder } from './temporary-folder.ts'

linkKeysContract(async () => {
  const file = path.join(await temporaryFolder(), 'link-keys.json')
  const open = () => LinkKeyFile.open(file)
  return { keys: await open(), again: open, dispose: async () => undefined }
})

const K = 'nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A'
const key = (changes: object = {}) => ({ kty: 'oct', kid: '1', k: K, ...changes })
const setOf = (...keys: object[]): string => JSON.stringify({ keys })

describe('the file of link keys', () => {
  it('is made for its owner alone, is kept, and holds 256 random bits', async () => {
    const folder = await temporaryFolder()
    const file = path.join(folder, 'link-keys.json')
    const { current } = await LinkKeyFile.open(file)
    const { keys } = JSON.parse(await readFile(file, 'utf8'))
    expect(keys).toEqual([{ kty: 'oct', kid: '1', k: expect.stringMatching(/^[\w-]{43}$/) }])
    if (process.platform !== 'win32') expect((await stat(file)).mode & 0o777).toBe(0o600)
    expect((await LinkKeyFile.open(file)).current.hmac('confirm', 'x')).toBe(current.hmac('confirm', 'x'))
    expect(await readdir(folder)).toEqual(['link-keys.json'])
  })

  it.skipIf(process.platform === 'win32')('is refused if others can read it', async () => {
    const folder = await temporaryFolder()
    const file = path.join(folder, 'link-keys.json')
    await writeFile(file, setOf(key()))
    await chmod(file, 0o644)
    await expect(LinkKeyFile.open(file)).rejects.toThrow(`chmod 600 ${file}`)
  })
})

describe('link keys of a setting', () => {
  it('sign with the first that has no end, and know the others', () => {
    const keys = new LinkKeySetting(setOf(key({ kid: 'a', exp: 9 }), key({ kid: 'zz9' }), key()))
    expect(keys.current.id).toBe('zz9')
    expect(keys.find('a')?.timedUntil).toBe(9_000)
    expect(keys.find('1')?.timedUntil).toBeUndefined()
  })

  it('are not rotated here', async () => {
    await expect(new LinkKeySetting(setOf(key())).makeKey()).rejects.toMatchObject({
      name: 'KeysNotRotatable',
      message: expect.stringContaining('ROLLCALL_LINK_KEYS'),
    })
  })

  it.each([
    ['empty', ''],
    ['no set', '[]'],
    ['a set without a key', setOf()],
    ['a key pair', setOf({ kty: 'OKP', crv: 'Ed25519', d: K, x: K, kid: '1' })],
    ['a short key', setOf(key({ k: K.slice(1) }))],
    ['no text', setOf(key({ k: 7 }))],
    ['not base64url', setOf(key({ k: `${K.slice(1)}=` }))],
    ['without an id', setOf(key({ kid: undefined }))],
    ['with a long id', setOf(key({ kid: '12345' }))],
    ['with an id in upper case', setOf(key({ kid: 'A' }))],
    ['with an id that begins with 0', setOf(key({ kid: '0' }))],
    ['with one id twice', setOf(key(), key())],
    ['with nothing that signs', setOf(key({ exp: 9 }))],
    ['with an end that is no time', setOf(key({ exp: 'soon' }))],
  ])('that are %s are refused with what to do, and nothing of them is shown', (_what, json) => {
    const open = () => new LinkKeySetting(json)
    expect(open).toThrow(KeysNotUsable)
    expect(open).toThrow(/ROLLCALL_LINK_KEYS .*\. (?:Correct|Add|Take).*\.$/)
    expect(open).toThrow(expect.objectContaining({ stack: expect.not.stringContaining(K.slice(1, 12)) }))
  })
})
