import { generateKeyPairSync } from 'node:crypto'
import path from 'node:path'
import { parseOwnKeys } from '@rollcall/access-token'
import { expect, it } from 'vitest'
import { requireSameKeys } from '../src/access-tokens.ts'
import { knownKey, requireKnownKeys } from '../src/known-keys.ts'
import { LinkKeyFile, LinkKeySetting } from '../src/platform/link-keys.ts'
import { StartupError } from '../src/startup-error.ts'
import { temporaryFolder } from './temporary-folder.ts'

/** What a database remembers. */
const memory = () => {
  const known = new Map<string, string>()
  return {
    recall: async (name: string) => known.get(name),
    settle: async (name: string, value: string) => {
      if (!known.has(name)) known.set(name, value)
      return known.get(name) ?? value
    },
    resettle: async (name: string, value: string) => void known.set(name, value),
  }
}

const setOf = (...keys: object[]): string => JSON.stringify({ keys })

const linkKey = (kid: string) => ({ kty: 'oct', kid, k: kid.repeat(43) })

const signingKey = (kid: string) => {
  const { kty, crv, x, d } = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' })
  return { whole: { kty, crv, x, d, kid }, publicHalf: { kty, crv, x, kid } }
}

/** Starts two instances with each setting, one after the other, and one of the setting before in between. */
const rollOut = async (settings: readonly string[], start: (setting: string) => Promise<unknown>): Promise<void> => {
  for (const [step, setting] of settings.entries()) {
    await start(setting)
    await start(settings[step - 1] ?? setting).catch(() => undefined)
    await start(setting)
  }
}

it('lets link keys of a setting be replaced in two steps, in which every instance knows what another signs with', async () => {
  const database = memory()
  const start = (setting: string, at = database) =>
    requireKnownKeys(at, { name: 'link-keys', others: 'They are others.' }, new LinkKeySetting(setting).fingerprints)
  const [old, next] = [linkKey('1'), linkKey('2')]
  const [before, both, after, revoked] = [setOf(old), setOf(old, next), setOf(next, old), setOf(next)]
  const ids = [before, both, after].map((setting) => new LinkKeySetting(setting).current.id)
  expect(ids).toEqual(['1', '1', '2'])
  for (const [one, other] of [
    [before, both],
    [both, after],
  ] as const) {
    expect(new LinkKeySetting(one).find(new LinkKeySetting(other).current.id)).toBeDefined()
    expect(new LinkKeySetting(other).find(new LinkKeySetting(one).current.id)).toBeDefined()
  }
  await rollOut([before, both, after, revoked], start)
  await expect(start(before)).rejects.toThrow(StartupError)
  const replaced = /^They are others\. Keys that a setting holds are replaced in two steps: /
  await expect(start(before)).rejects.toThrow(replaced)

  const another = memory()
  const startAnother = (setting: string) => start(setting, another)
  await rollOut([before, both, revoked], startAnother)
  await expect(startAnother(before)).rejects.toThrow(StartupError)
})

it('knows the keys that are kept, whichever of two rotations at once came first', async () => {
  const database = memory()
  const file = path.join(await temporaryFolder(), 'link-keys.json')
  const kept = async () => (await LinkKeyFile.open(file)).fingerprints
  const open = () => LinkKeyFile.open(file, (key, id) => knownKey(key, database, { name: 'link-keys', id, kept }))
  const start = async () => await requireKnownKeys(database, { name: 'link-keys', others: 'Others.' }, await kept())
  const [one, other] = [await open(), await open()]
  await start()
  const before = await kept()
  const [late, quick] = [await one.makeKey(), await other.makeKey()]
  await quick.takeOver({ revoke: true, verifyUntil: 0 })
  await expect(late.takeOver({ revoke: true, verifyUntil: 0 })).rejects.toThrow(
    /by another process\. Nothing was changed/,
  )
  await start()
  expect((await database.recall('link-keys'))?.split(' ')).toEqual(await kept())
  expect(await kept()).not.toEqual(before)
})

it('knows the keys that are kept also if another rotation is quicker than its last word', async () => {
  const database = memory()
  const file = path.join(await temporaryFolder(), 'link-keys.json')
  const kept = async () => (await LinkKeyFile.open(file)).fingerprints
  const open = (known = database) =>
    LinkKeyFile.open(file, (key, id) => knownKey(key, known, { name: 'link-keys', id, kept }))
  const quick = await open()
  const revoked = { revoke: true, verifyUntil: 0 }
  let isOver = false
  const resettle: typeof database.resettle = async (name, value) => {
    if (!(isOver || value.includes(' '))) {
      isOver = true
      await (await quick.makeKey()).takeOver(revoked)
    }
    return await database.resettle(name, value)
  }
  await (await (await open({ ...database, resettle })).makeKey()).takeOver(revoked)
  expect(isOver).toBe(true)
  expect((await database.recall('link-keys'))?.split(' ')).toEqual(await kept())
})

it('lets signing keys of a setting be replaced likewise', async () => {
  const database = memory()
  const start = async (setting: string) => await requireSameKeys(database, (await parseOwnKeys(setting)).jwks())
  const [old, next] = [signingKey('old'), signingKey('next')]
  const before = setOf(old.whole)
  const both = setOf(old.whole, next.whole)
  const after = setOf(next.whole, old.publicHalf)
  const signing = async (setting: string) => (await parseOwnKeys(setting)).signing.keyId
  expect([await signing(before), await signing(both), await signing(after)]).toEqual(['old', 'old', 'next'])
  const knows = async (setting: string, id: string) =>
    (await (await parseOwnKeys(setting)).find(id, 'EdDSA')).length > 0
  expect([await knows(both, 'next'), await knows(after, 'old')]).toEqual([true, true])
  await rollOut([before, both, after, setOf(next.whole)], start)
  await expect(start(before)).rejects.toThrow(/ROLLCALL_SIGNING_KEYS.* in two steps: /)
})
