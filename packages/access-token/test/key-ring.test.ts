import { execFile } from 'node:child_process'
import { chmod, chown, readdir, readFile, rename, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { signingKeyRingContract } from '@rollcall/core/contract'
import { withFileLock } from '@rollcall/platform-node'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createKeyRing, createOwnTokenIssuer, createOwnTokenVerifier, openOwnKeys, watchOwnKeys } from '../src/index.ts'
import { expectRefused, NOON, newJwk, OWN, SettableClock, temporaryFolder } from './tokens.ts'

const run = promisify(execFile)
const DAY = 24 * 3_600_000
const onWindows = process.platform === 'win32'

const open = async (file: string) => {
  const clock = new SettableClock()
  const keys = await openOwnKeys({ file })
  const ring = createKeyRing({ file, keys, clock })
  const issuer = createOwnTokenIssuer(keys, { ...OWN, clock })
  const verifier = createOwnTokenVerifier(keys, { ...OWN, clock })
  const rotate = async (revoke = false, verifyUntil = clock.time + 400 * DAY) => {
    const key = await ring.makeKey()
    await key.takeOver({ revoke, verifyUntil })
    return key.keyId
  }
  const issue = async () => (await issuer.issue({ subject: 'ada', roles: [], lifetime: 3_600 })).token
  return { file, clock, keys, ring, issuer, verifier, rotate, issue }
}

const newFile = async (): Promise<string> => path.join(await temporaryFolder(), 'signing-keys.json')
const keysIn = async (file: string): Promise<Record<string, unknown>[]> => JSON.parse(await readFile(file, 'utf8')).keys

signingKeyRingContract(async () => {
  const { clock, ...rest } = await open(await newFile())
  const advance = (milliseconds: number) => {
    clock.time += milliseconds
  }
  return { ...rest, advance, now: () => clock.time, dispose: async () => {} }
})

describe('the key file after a rotation', () => {
  it('has the new key to sign with, and of the one before only what verifies, with the end of its last token', async () => {
    const { file, rotate, verifier } = await open(await newFile())
    const [before] = await keysIn(file)
    const keyId = await rotate(false, NOON + DAY)
    expect(await keysIn(file)).toEqual([
      expect.objectContaining({ kid: keyId, d: expect.any(String) }),
      {
        kty: 'OKP',
        crv: 'Ed25519',
        x: before?.x,
        kid: before?.kid,
        alg: 'EdDSA',
        use: 'sig',
        exp: (NOON + DAY) / 1_000,
      },
    ])
    expect(verifier.jwks().keys.map(({ kid }) => kid)).toEqual([keyId, before?.kid])
    if (!onWindows) expect((await stat(file)).mode & 0o777).toBe(0o600)
    expect(await readdir(path.dirname(file))).toEqual(['signing-keys.json'])
  })

  it('forgets a key when the last token that it signed has expired, and publishes it no longer', async () => {
    const { file, rotate, clock, verifier } = await open(await newFile())
    await rotate(false, NOON + DAY)
    await rotate(false, NOON + 9 * DAY)
    expect(await keysIn(file)).toHaveLength(3)
    clock.time += DAY
    expect(verifier.jwks().keys).toHaveLength(2)
    await rotate()
    expect(await keysIn(file)).toHaveLength(3)
    expect((await keysIn(file)).map(({ exp }) => exp)).toEqual([
      undefined,
      expect.any(Number),
      (NOON + 9 * DAY) / 1_000,
    ])
  })

  it('has nothing but the new key when the others were revoked', async () => {
    const { file, rotate } = await open(await newFile())
    await rotate()
    const keyId = await rotate(true)
    expect((await keysIn(file)).map(({ kid }) => kid)).toEqual([keyId])
  })

  it('can be opened again, is not touched by that, and all of its tokens are still good', async () => {
    const first = await open(await newFile())
    const tokens = [await first.issue()]
    await first.rotate()
    tokens.push(await first.issue())
    const file = await readFile(first.file, 'utf8')
    const again = await open(first.file)
    expect(await readFile(first.file, 'utf8')).toBe(file)
    for (const token of tokens) expect((await again.verifier.verify(token)).subject).toBe('ada')
    expect(again.keys.signing.keyId).toBe(first.keys.signing.keyId)
  })

  it('has every key of processes that rotate it at the same time', async () => {
    const file = await newFile()
    const { issue } = await open(file)
    const token = await issue()
    const script = `import { createKeyRing, openOwnKeys } from ${JSON.stringify(new URL('../src/index.ts', import.meta.url).href)}
      const file = ${JSON.stringify(file)}
      const key = await createKeyRing({ file, keys: await openOwnKeys({ file }) }).makeKey()
      await key.takeOver({ revoke: false, verifyUntil: ${NOON + 400 * DAY} })`
    const start = () => run(process.execPath, ['--input-type=module', '--eval', script])
    await Promise.all([start(), start(), start()])
    const keys = await keysIn(file)
    expect(keys).toHaveLength(4)
    expect(keys.filter(({ d }) => d !== undefined)).toHaveLength(1)
    expect((await (await open(file)).verifier.verify(token)).subject).toBe('ada')
    expect(await readdir(path.dirname(file))).toEqual(['signing-keys.json'])
  })

  it.runIf(process.getuid?.() === 0)('is left to its owner, if that is another user than root', async () => {
    const { file, rotate } = await open(await newFile())
    const before = await readFile(file, 'utf8')
    await chown(file, 65_534, 65_534)
    await expect(rotate()).rejects.toThrow("Run this as that user: sudo -u '#65534' rollcall")
    expect(await readFile(file, 'utf8')).toBe(before)
    expect(await stat(file)).toMatchObject({ uid: 65_534, gid: 65_534 })
  })

  it.skipIf(onWindows)('keeps the access of its group', async () => {
    const { file, rotate } = await open(await newFile())
    if (process.getuid?.() === 0) await chown(file, 0, 65_534)
    const { gid } = await stat(file)
    await chmod(file, 0o640)
    await rotate()
    const after = await stat(file)
    expect([after.gid, after.mode & 0o777]).toEqual([gid, 0o640])
  })

  it('is replaced behind a symbolic link, which stays', async () => {
    const { file, rotate } = await open(await newFile())
    const link = path.join(await temporaryFolder(), 'link.json')
    await symlink(file, link)
    const linked = await open(link)
    const keyId = await linked.rotate()
    expect((await keysIn(file))[0]?.kid).toBe(keyId)
    expect((await stat(link)).ino).toBe((await stat(file)).ino)
    await rotate()
  })

  it('is as it was, and the keys too, where it cannot be replaced, and it is said what to do', async () => {
    const { file, rotate, keys } = await open(await newFile())
    const signing = keys.signing.keyId
    await writeFile(file, 'garbage')
    await expect(rotate(true)).rejects.toMatchObject({
      name: 'KeysNotRotatable',
      message: expect.stringMatching(/is not a JWK set.*copy/),
    })
    expect(await readFile(file, 'utf8')).toBe('garbage')
    await rm(file)
    await expect(rotate(true)).rejects.toMatchObject({
      name: 'KeysNotRotatable',
      message: expect.stringMatching(/cannot be replaced/),
    })
    expect(keys.signing.keyId).toBe(signing)
  })
})

describe('a lock', () => {
  it('lets one work after the other', async () => {
    const file = await newFile()
    let working = 0
    const work = async () => {
      expect(++working).toBe(1)
      await new Promise(setImmediate)
      working--
    }
    await Promise.all(Array.from({ length: 10 }, () => withFileLock(file, work)))
    expect(await readdir(path.dirname(file))).toEqual([])
  })

  it('is let go of where the work fails', async () => {
    const file = await newFile()
    await expect(withFileLock(file, () => Promise.reject(new Error('no')))).rejects.toThrow('no')
    expect(await withFileLock(file, async () => 'done')).toBe('done')
  })

  it('that a killed process left is broken after a while', async () => {
    const file = await newFile()
    await writeFile(`${file}.lock`, '')
    expect(await withFileLock(file, async () => 'done', 50)).toBe('done')
    expect(await readdir(path.dirname(file))).toEqual([])
  })
})

describe('a service that watches its key file', () => {
  const watching = async () => {
    const file = await newFile()
    const service = await open(file)
    const troubles: Error[] = []
    const watch = watchOwnKeys({ file, keys: service.keys, onTrouble: (error) => troubles.push(error as Error) })
    watch.start()
    onTestFinished(() => watch.stop())
    return { service, command: await open(file), troubles, watch }
  }
  const soon = <T>(assertion: () => T | Promise<T>) => vi.waitFor(assertion, { timeout: 600_000, interval: 20 })

  it('takes a new key without a restart, and keeps what the one before has signed', async () => {
    const { service, command } = await watching()
    const before = await command.issue()
    await service.verifier.verify(before)
    for (let round = 0; round < 3; round++) {
      const keyId = await command.rotate()
      const after = await command.issue()
      await soon(async () => expect((await service.verifier.verify(after)).subject).toBe('ada'))
      expect(service.keys.signing.keyId).toBe(keyId)
    }
    expect((await service.verifier.verify(before)).subject).toBe('ada')
  })

  it('refuses what a revoked key has signed, also what it had found good', async () => {
    const { service, command } = await watching()
    const token = await command.issue()
    await service.verifier.verify(token)
    await command.rotate(true)
    await soon(() => expectRefused(service.verifier.verify(token), 'notGenuine'))
  })

  it('keeps its keys when the file is damaged, gone, or open to others, says so once, and goes on when it is whole', async () => {
    const { service, command, troubles } = await watching()
    const token = await command.issue()
    const text = await readFile(service.file, 'utf8')
    const damages = [
      () => writeFile(service.file, text.slice(0, text.length / 2)),
      () => writeFile(service.file, ''),
      () => rename(service.file, `${service.file}.away`),
      ...(onWindows
        ? []
        : [
            async () => {
              await rename(`${service.file}.away`, service.file)
              await writeFile(service.file, text)
              await chmod(service.file, 0o644)
            },
          ]),
    ]
    for (const [index, damage] of damages.entries()) {
      await damage()
      const expected = [/not a JWK set/, /not a JWK set/, /is gone|ENOENT/, /chmod 600/][index]!
      await soon(() => expect(troubles.at(-1)?.message).toMatch(expected))
      expect((await service.verifier.verify(token)).subject).toBe('ada')
    }
    expect(troubles.length).toBeLessThanOrEqual(damages.length)
    const { kty, crv, x, d } = await newJwk('new')
    await writeFile(service.file, JSON.stringify({ keys: [{ kty, crv, x, d, kid: 'new' }] }))
    await chmod(service.file, 0o600)
    await soon(() => expect(service.keys.signing.keyId).toBe('new'))
  })

  it('goes by the file also where its time and its size are those of before', async () => {
    const { service, command } = await watching()
    const token = await command.issue()
    await soon(async () => expect((await service.verifier.verify(token)).subject).toBe('ada'))
    const then = new Date(NOON)
    await utimes(service.file, then, then)
    await command.rotate(true)
    await utimes(service.file, then, then)
    await soon(() => expectRefused(service.verifier.verify(token), 'notGenuine'))
  })

  it('looks no more once it was stopped', async () => {
    const { service, command, watch } = await watching()
    await watch.stop()
    const { generation } = service.keys
    await command.rotate()
    await new Promise((resolve) => setTimeout(resolve, 700))
    expect(service.keys.generation).toBe(generation)
  })
})
