import { type Clock, type KeySuccession, KeysNotRotatable, SECOND, type SigningKeyRing } from '@rollcall/core'
import {
  changeKeyFile,
  type Jwk,
  jwkSetText,
  KeyFileWatch,
  KeysNotUsable,
  openKeyFile,
  systemClock,
} from '@rollcall/platform-node'
import { generateOwnJwk, type OwnKey, OwnKeys, parseOwnKeySet } from './own-keys.ts'

/**
 * Opens the signing keys kept in a file; makes one, for this user alone, if there is no file yet.
 * @throws {KeysNotUsable} the file is damaged, open to others, or cannot be read or made
 */
export const openOwnKeys = async ({ file }: { readonly file: string }): Promise<OwnKeys> =>
  new OwnKeys(await openKeyFile({ file, parse: parseOwnKeySet }, async () => jwkSetText([await generateOwnJwk()])))

/** Makes a running service use the keys that the file has now; see `KeyFileWatch`. */
export const watchOwnKeys = ({
  file,
  keys,
  onTrouble,
}: {
  readonly file: string
  readonly keys: OwnKeys
  readonly onTrouble: (error: unknown) => void
}) => new KeyFileWatch({ file, parse: parseOwnKeySet, use: (set) => keys.use(set), onTrouble })

interface KeyRingOptions {
  /** That `openOwnKeys` has opened, */
  readonly file: string
  /** and what it has made of it, which uses the new keys at once; other processes when they reload. */
  readonly keys: OwnKeys
  readonly clock?: Clock | undefined
}

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
    const change = ([, before]: Awaited<ReturnType<typeof parseOwnKeySet>>): string =>
      jwkSetText([jwk, ...retired(before, succession, clock.now())])
    keys.use(await changeKeyFile({ file, parse: parseOwnKeySet }, change))
  } catch (cause) {
    if (!(cause instanceof KeysNotUsable)) throw cause
    throw new KeysNotRotatable(cause.message, { cause })
  }
}

/** The public halves of keys that only verify from now on; a copy of the file cannot be used to sign with them. */
const retired = (keys: readonly OwnKey[], { revoke, verifyUntil }: KeySuccession, now: number): readonly Jwk[] =>
  keys.flatMap(({ publicJwk, verifiesUntil = verifyUntil }) => {
    const until = Math.min(verifiesUntil, verifyUntil)
    return !revoke && until > now ? [{ ...publicJwk, exp: Math.ceil(until / SECOND) }] : []
  })
