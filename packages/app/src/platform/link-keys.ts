import { randomBytes } from 'node:crypto'
import {
  type KeySuccession,
  KeysNotRotatable,
  LINK_KEY_ID,
  type LinkKey,
  type LinkKeyPurpose,
  type LinkKeys,
  type NewSigningKey,
  SECOND,
} from '@rollcall/core'
import {
  changeKeyFile,
  type Jwk,
  jwkSetText,
  jwksIn,
  KeyFileWatch,
  KeysNotUsable,
  keyExpiry,
  openKeyFile,
  readKeyFile,
} from '@rollcall/platform-node'
import { derived, hmacsFrom } from './node-digests.ts'

/** A link key, and how it is stored: as a JWK of the type `oct` (RFC 7518 section 6.4). */
interface StoredLinkKey extends LinkKey {
  readonly secret: string
  /** Distinguishes keys, and reveals nothing about them. */
  readonly fingerprint: string
}

type StoredLinkKeys = readonly [StoredLinkKey, ...StoredLinkKey[]]

export interface OwnLinkKeys extends LinkKeys {
  readonly fingerprints: readonly string[]
}

const SECRET = /^[A-Za-z0-9_-]{43,}$/

const storedKey = (secret: string, id: string, timedUntil?: number): StoredLinkKey => {
  const material = Buffer.from(secret, 'base64url')
  return {
    id,
    timedUntil,
    secret,
    fingerprint: derived(material, 'link key fingerprint', 16).toString('hex'),
    hmac: hmacsFrom(material, (purpose: LinkKeyPurpose) => `link ${purpose}`),
  }
}

const readKey = (jwk: Jwk, where: string): StoredLinkKey => {
  const { kty, k, kid } = jwk
  if (kty !== 'oct' || typeof k !== 'string' || !SECRET.test(k))
    throw new KeysNotUsable(
      `${where} holds a key that is not of the type 'oct' with at least 32 bytes. Correct it, or put it back from a copy.`,
    )
  if (typeof kid !== 'string' || !LINK_KEY_ID.test(kid))
    throw new KeysNotUsable(
      `${where} holds a key whose 'kid' is not 1 to 4 digits and lower-case letters, without a 0 in front. Correct it.`,
    )
  return storedKey(k, kid, keyExpiry(jwk, where))
}

/** The first key that may sign comes first. */
const parseLinkKeys = (json: string, where: string): StoredLinkKeys => {
  const keys = jwksIn(json, where).map((jwk) => readKey(jwk, where))
  if (new Set(keys.map(({ id }) => id)).size < keys.length)
    throw new KeysNotUsable(`${where} holds two keys with the same 'kid'. Take one out, or give it another.`)
  const signing = keys.find(({ timedUntil }) => timedUntil === undefined)
  if (signing === undefined)
    throw new KeysNotUsable(`${where} holds no key without an 'exp', so none that signs. Add one.`)
  return [signing, ...keys.filter((key) => key !== signing)]
}

const jwkOf = ({ id, secret, timedUntil }: Pick<StoredLinkKey, 'id' | 'secret' | 'timedUntil'>): Jwk => ({
  kty: 'oct',
  kid: id,
  k: secret,
  ...(timedUntil === undefined ? {} : { exp: Math.ceil(timedUntil / SECOND) }),
})

const newSecret = (): string => randomBytes(32).toString('base64url')

/** Ids count on, so that one of a revoked key is never given again. */
const nextId = (keys: StoredLinkKeys): string =>
  (1 + Math.max(...keys.map(({ id }) => Number.parseInt(id, 36)))).toString(36)

class KeySet {
  #keys: StoredLinkKeys

  constructor(keys: StoredLinkKeys) {
    this.#keys = keys
  }

  get current(): StoredLinkKey {
    return this.#keys[0]
  }

  get fingerprints(): readonly string[] {
    return this.#keys.map(({ fingerprint }) => fingerprint)
  }

  find(id: string): LinkKey | undefined {
    return this.#keys.find((key) => key.id === id)
  }

  use(keys: StoredLinkKeys): void {
    this.#keys = keys
  }
}

type Remember = (key: NewSigningKey, fingerprint: string) => NewSigningKey

/** Link keys that are kept in a file, and changed there by `makeKey` of any process. */
export class LinkKeyFile extends KeySet implements OwnLinkKeys {
  readonly #file: string
  readonly #remember: Remember

  private constructor(file: string, keys: StoredLinkKeys, remember: Remember) {
    super(keys)
    this.#file = file
    this.#remember = remember
  }

  /**
   * Opens the file; makes it, if it is not there.
   * @param remember what else a new key needs to take over
   * @throws {KeysNotUsable}
   */
  static async open(file: string, remember: Remember = (key) => key): Promise<LinkKeyFile> {
    const first = () => jwkSetText([jwkOf({ id: '1', secret: newSecret(), timedUntil: undefined })])
    return new LinkKeyFile(file, await openKeyFile({ file, parse: parseLinkKeys }, first), remember)
  }

  /** Uses the keys that the file has from now on, whoever changes it. */
  watch(onTrouble: (error: unknown) => void): KeyFileWatch<StoredLinkKeys> {
    return new KeyFileWatch({ ...this.#kept, use: (keys) => this.use(keys), onTrouble })
  }

  async makeKey(): Promise<NewSigningKey> {
    const id = await rotatable(async () => nextId(await readKeyFile(this.#kept)))
    const key = storedKey(newSecret(), id)
    const made = { keyId: id, takeOver: (succession: KeySuccession) => this.#takeOver(key, succession) }
    return this.#remember(made, key.fingerprint)
  }

  async #takeOver(key: StoredLinkKey, { revoke, verifyUntil }: KeySuccession): Promise<void> {
    const change = (before: StoredLinkKeys): string => {
      if (nextId(before) !== key.id) throw new KeysNotUsable(`${this.#file} was rotated by another process. ${AGAIN}`)
      const retired = revoke ? [] : before
      const kept = retired.map((one) => ({ ...one, timedUntil: Math.min(one.timedUntil ?? verifyUntil, verifyUntil) }))
      return jwkSetText([key, ...kept].map(jwkOf))
    }
    this.use(await rotatable(() => changeKeyFile(this.#kept, change)))
  }

  get #kept() {
    return { file: this.#file, parse: parseLinkKeys }
  }
}

const AGAIN = 'Nothing was changed by this command; run it again if another key is still wanted.'

const rotatable = async <T>(work: () => Promise<T>): Promise<T> => {
  try {
    return await work()
  } catch (cause) {
    if (!(cause instanceof KeysNotUsable)) throw cause
    throw new KeysNotRotatable(cause.message, { cause })
  }
}

export class LinkKeySetting extends KeySet implements OwnLinkKeys {
  /** @throws {KeysNotUsable} */
  constructor(json: string) {
    super(parseLinkKeys(json, 'ROLLCALL_LINK_KEYS'))
  }

  async makeKey(): Promise<NewSigningKey> {
    throw new KeysNotRotatable(
      'The link keys are set by ROLLCALL_LINK_KEYS, so they are changed there: put a new key with another kid behind the old ones, and restart every instance. Then put the new one first, leave the old ones behind it, because links to unsubscribe never expire, or take them out to revoke all of their links, and restart every instance again.',
    )
  }
}
