import { execFile } from 'node:child_process'
import { chmod, chown, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { KeysNotUsable } from '@rollcall/platform-node'
import { describe, expect, it } from 'vitest'
import { createOwnTokenVerifier, openOwnKeys, parseOwnKeys } from '../src/index.ts'
import { newJwk, OWN, temporaryFolder } from './tokens.ts'

const run = promisify(execFile)
const onWindows = process.platform === 'win32'

const newFile = async (): Promise<string> => path.join(await temporaryFolder(), 'signing-keys.json')

const withContent = async (content: string, mode = 0o600): Promise<string> => {
  const file = await newFile()
  await writeFile(file, content)
  await chmod(file, mode)
  return file
}

const refusalOf = async (opening: Promise<unknown>): Promise<KeysNotUsable> => {
  const error = await opening.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  expect(error).toBeInstanceOf(KeysNotUsable)
  return error as KeysNotUsable
}

describe('the key file', () => {
  it('is made on the first start, for its owner alone, and nothing else is left beside it', async () => {
    const file = await newFile()
    await openOwnKeys({ file })
    expect(await readdir(path.dirname(file))).toEqual(['signing-keys.json'])
    const { mode } = await stat(file)
    if (!onWindows) expect(mode & 0o777).toBe(0o600)
    const { keys } = JSON.parse(await readFile(file, 'utf8'))
    expect(keys).toEqual([
      expect.objectContaining({
        kty: 'OKP',
        crv: 'Ed25519',
        alg: 'EdDSA',
        use: 'sig',
        kid: expect.stringMatching(/./),
      }),
    ])
  })

  it('is made together with its folder', async () => {
    const file = path.join(await temporaryFolder(), 'data', 'signing-keys.json')
    await openOwnKeys({ file })
    const { mode } = await stat(path.dirname(file))
    if (!onWindows) expect(mode & 0o777).toBe(0o700)
  })

  it('is one and the same for all processes that start at once, and for all that open it within one', async () => {
    const file = await newFile()
    const script = `import { openOwnKeys } from ${JSON.stringify(new URL('../src/index.ts', import.meta.url).href)}
      const keys = await openOwnKeys({ file: ${JSON.stringify(file)} })
      process.stdout.write(JSON.stringify(keys.jwks()))`
    const start = () => run(process.execPath, ['--input-type=module', '--eval', script])
    const openHere = async () => ({ stdout: JSON.stringify((await openOwnKeys({ file })).jwks()) })
    const here = Array.from({ length: 20 }, openHere)
    const outputs = (await Promise.all([...here, start(), start(), start(), start()])).map(({ stdout }) => stdout)
    expect(new Set(outputs)).toHaveLength(1)
    expect(JSON.parse(outputs[0]!).keys).toHaveLength(1)
    expect(await readdir(path.dirname(file))).toEqual(['signing-keys.json'])
  })

  it.skipIf(onWindows).each([0o604, 0o602, 0o644, 0o777])(
    'is refused when others may touch it (mode %o), saying chmod 600',
    async (mode) => {
      const file = await newFile()
      await openOwnKeys({ file })
      await chmod(file, mode)
      expect((await refusalOf(openOwnKeys({ file }))).message).toContain(`chmod 600 ${file}`)
    },
  )

  it.skipIf(onWindows).each([0o640, 0o660])(
    'is used when its group may touch it (mode %o), as Kubernetes has it',
    async (mode) => {
      const file = await newFile()
      const made = await openOwnKeys({ file })
      await chmod(file, mode)
      expect((await openOwnKeys({ file })).jwks()).toEqual(made.jwks())
    },
  )

  it.skipIf(process.getuid?.() !== 0)('is refused when another user owns it', async () => {
    const file = await newFile()
    await openOwnKeys({ file })
    await chown(file, 12_345, 12_345)
    expect((await refusalOf(openOwnKeys({ file }))).message).toContain('belongs to another user (12345)')
  })

  it('is refused when it is a folder', async () => {
    const file = await newFile()
    await mkdir(file)
    await refusalOf(openOwnKeys({ file }))
  })

  it('is refused, and named, when its folder cannot be made', async () => {
    const blocked = path.join(await withContent('a file'), 'signing-keys.json')
    expect((await refusalOf(openOwnKeys({ file: blocked }))).message).toContain(blocked)
  })
})

describe('a key set', () => {
  const secret = 'nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A'

  it.each([
    ['empty', ''],
    ['cut short', `{"keys":[{"kty":"OKP","crv":"Ed25519","d":"${secret}`],
    ['no object', '[]'],
    ['null', 'null'],
    ['without keys', '{}'],
    ['with no keys', '{"keys":[]}'],
    ['with keys that are no objects', `{"keys":["${secret}"]}`],
    ['with a key of another kind', '{"keys":[{"kty":"RSA","n":"AQAB","e":"AQAB"}]}'],
    ['with a secret instead of a key pair', `{"keys":[{"kty":"oct","k":"${secret}"}]}`],
    ['with a key for encryption', `{"keys":[{"kty":"OKP","crv":"X25519","x":"${secret}","d":"${secret}"}]}`],
    [
      'with a key used otherwise',
      `{"keys":[{"kty":"OKP","crv":"Ed25519","use":"enc","x":"${secret}","d":"${secret}"}]}`,
    ],
    [
      'with halves that do not belong together',
      `{"keys":[{"kty":"OKP","crv":"Ed25519","x":"${secret}","d":"${secret}"}]}`,
    ],
    ['with half a half', `{"keys":[{"kty":"OKP","crv":"Ed25519","x":"${secret}","d":"nWGx"}]}`],
    ['without a public half', `{"keys":[{"kty":"OKP","crv":"Ed25519","d":"${secret}"}]}`],
    ['with a key id that is a number', `{"keys":[{"kty":"OKP","crv":"Ed25519","kid":7,"x":"${secret}"}]}`],
    [
      'with nothing to sign with',
      `{"keys":[{"kty":"OKP","crv":"Ed25519","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}]}`,
    ],
  ])('that is %s is refused with what to do, and nothing of it is shown', async (_what, text) => {
    for (const error of [
      await refusalOf(parseOwnKeys(text)),
      await refusalOf(openOwnKeys({ file: await withContent(text) })),
    ]) {
      expect(error.message).toMatch(/\. (?:Put it back|Take|Correct|Add) .*\.$/)
      expect(`${error.message} ${error.stack} ${error.cause}`).not.toContain(secret.slice(0, 8))
    }
  })

  it('with two keys of one id is refused', async () => {
    const keys = [await newJwk('one'), await newJwk('one')]
    expect((await refusalOf(parseOwnKeys(JSON.stringify({ keys })))).message).toContain("'kid'")
  })

  it('is published without a private half, whatever else a key has', async () => {
    const jwk = await newJwk('one')
    const odd = { ...jwk, alg: 'Ed25519', use: 'sig', secret: 'x', oth: [], k: 'x' }
    const keys = await parseOwnKeys(JSON.stringify({ keys: [odd, await newJwk('two')] }))
    const { jwks } = createOwnTokenVerifier(keys, OWN)
    expect(jwks().keys.map((jwk) => Object.keys(jwk).sort())).toEqual(
      Array.from({ length: 2 }, () => ['alg', 'crv', 'kid', 'kty', 'use', 'x']),
    )
    expect(JSON.stringify(keys)).not.toContain(jwk.d)
  })

  it('gives a key without an id its thumbprint for one (RFC 7638, the example of RFC 8037)', async () => {
    const jwk = { kty: 'OKP', crv: 'Ed25519', d: secret, x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo' }
    const keys = await parseOwnKeys(JSON.stringify({ keys: [jwk] }))
    expect(keys.jwks().keys[0]?.kid).toBe('kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k')
  })
})
