import { realpath } from 'node:fs/promises'
import { type Clock, type KeySuccession, KeysNotRotatable, SECOND, type SigningKeyRing } from '@rollcall/core'
import { systemClock } from '@rollcall/platform-node'
import { keyFileText, readKeyFile, replacePrivateFile } from './key-file.ts'
import { generateOwnJwk, type Jwk, KeysNotUsable, type OwnKey, type OwnKeys, parseOwnKeySet } from './own-keys.ts'
import { withFileLock } from './with-file-lock.ts'

interface KeyRingOptions {
  /** That `openOwnKeys` has opened, */
  readonly file: string
  /** and what it has made of it, which uses the new keys at once; other processes when they reload. */
  readonly keys: OwnKeys
  readonly clock?: Clock | undefined
}

/** Changes the signing keys that are kept in a file. */
export const createKeyRing = (options: KeyRingOptions): SigningKeyRing => ({
  makeKey: async () => {
    const jwk = await generateOwnJwk()
    return { keyId: jwk.kid, takeOver: (succession) => takeOver(options, jwk, succession) }
  },
})

const takeOver = async (
  { file, keys, clock = systemClock }: KeyRingOptions,
  jwk: Jwk,
  succession: KeySuccession,
): Promise<void> => {
  try {
    // Where the name is a link, the file behind it is replaced, not the link.
    const target = await realpath(file)
    await withFileLock(target, async () => {
      const [, before] = await readKeyFile(target)
      const text = keyFileText([jwk, ...retired(before, succession, clock.now())])
      await replacePrivateFile(target, text)
      keys.use(await parseOwnKeySet(text, `The key file ${file}`))
    })
  } catch (error) {
    throw new KeysNotRotatable(error instanceof KeysNotUsable ? error.message : cannotReplace(file, error), {
      cause: error,
    })
  }
}

/** The public halves of keys that only verify from now on; a copy of the file cannot be used to sign with them. */
const retired = (keys: readonly OwnKey[], { revoke, verifyUntil }: KeySuccession, now: number): readonly Jwk[] =>
  revoke
    ? []
    : keys
        .map(({ publicJwk, verifiesUntil = verifyUntil }) => ({
          publicJwk,
          until: Math.min(verifiesUntil, verifyUntil),
        }))
        .filter(({ until }) => until > now)
        .map(({ publicJwk, until }) => ({ ...publicJwk, exp: Math.ceil(until / SECOND) }))

const cannotReplace = (file: string, error: unknown): string =>
  `The key file ${file} cannot be replaced (${(error as NodeJS.ErrnoException).code}). Fix the permissions of its folder, or make room on the disk.`
