import { open, realpath, rm, stat } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Clock, type KeySuccession, KeysNotRotatable, SECOND, type SigningKeyRing } from '@rollcall/core'
import { hasErrorCode, systemClock, unlessMissing } from '@rollcall/platform-node'
import { keyFileText, readKeyFile, replacePrivateFile } from './key-file.ts'
import { generateOwnJwk, type Jwk, KeysNotUsable, type OwnKey, type OwnKeys, parseOwnKeySet } from './own-keys.ts'

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
  } catch (cause) {
    throw new KeysNotRotatable(cause instanceof KeysNotUsable ? cause.message : cannotReplace(file, cause), { cause })
  }
}

/** The public halves of keys that only verify from now on; a copy of the file cannot be used to sign with them. */
const retired = (keys: readonly OwnKey[], { revoke, verifyUntil }: KeySuccession, now: number): readonly Jwk[] =>
  keys.flatMap(({ publicJwk, verifiesUntil = verifyUntil }) => {
    const until = Math.min(verifiesUntil, verifyUntil)
    return !revoke && until > now ? [{ ...publicJwk, exp: Math.ceil(until / SECOND) }] : []
  })

const cannotReplace = (file: string, error: unknown): string =>
  `The key file ${file} cannot be replaced (${(error as NodeJS.ErrnoException).code}). Fix the permissions of its folder, or make room on the disk.`

const LONGEST_HOLD = 5_000
const PAUSE = 20

/**
 * Does the work while no other process works on this file. A process that is killed leaves its lock behind, which is
 * broken once it has not changed hands for `longestHold` milliseconds.
 */
export const withFileLock = async <T>(file: string, work: () => Promise<T>, longestHold = LONGEST_HOLD): Promise<T> => {
  const lock = `${file}.lock`
  let holder: string | undefined
  let since = performance.now()
  while (!(await create(lock))) {
    const present = await identityOf(lock)
    if (present !== holder) {
      holder = present
      since = performance.now()
    } else if (performance.now() - since > longestHold) await rm(lock, { force: true })
    await sleep(PAUSE)
  }
  try {
    return await work()
  } finally {
    await rm(lock, { force: true })
  }
}

const create = async (lock: string): Promise<boolean> => {
  try {
    await (await open(lock, 'wx', 0o600)).close()
    return true
  } catch (error) {
    if (hasErrorCode(error, 'EEXIST')) return false
    throw error
  }
}

/** Undefined where it is gone already. */
const identityOf = async (lock: string): Promise<string | undefined> => {
  const found = await unlessMissing(stat(lock, { bigint: true }))
  return found && `${found.ino} ${found.ctimeNs}`
}
