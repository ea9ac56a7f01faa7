import { existsSync } from 'node:fs'
import path from 'node:path'
import {
  createKeyRing,
  createOwnTokenIssuer,
  createOwnTokenVerifier,
  createProviderTokenVerifier,
  type OwnKeys,
  openOwnKeys,
  parseOwnKeys,
  watchOwnKeys,
} from '@rollcall/access-token'
import {
  type AccessTokenIssuer,
  type AccessTokenVerifier,
  type Clock,
  KeysNotRotatable,
  OwnTokensOff,
  PROVISIONER,
  type SigningKeyRing,
} from '@rollcall/core'
import type { Config } from './config.ts'
import type { Storage } from './database.ts'
import { type KnownKeys, knownKey, requireKnownKeys } from './known-keys.ts'
import type { Log } from './log.ts'
import { StartupError } from './startup-error.ts'

/** Something that goes on beside the requests, as long as the service runs. */
export interface Watch {
  start(): void
  stop(): Promise<void>
}

const OWN = { issuer: 'rollcall', audience: 'rollcall' } as const

export const keyFile = ({ DATA_DIR }: Config): string => path.join(DATA_DIR, 'signing-keys.json')

export const openKeys = (config: Config): Promise<OwnKeys> =>
  config.SIGNING_KEYS === undefined
    ? openOwnKeys({ file: keyFile(config) })
    : parseOwnKeys(config.SIGNING_KEYS, 'ROLLCALL_SIGNING_KEYS')

/** The own keys, if there are any: if a provider issues the tokens, the first token for a directory makes them. */
export const presentKeys = async (config: Config): Promise<OwnKeys | undefined> =>
  config.provider === undefined || config.SIGNING_KEYS !== undefined || existsSync(keyFile(config))
    ? await openKeys(config)
    : undefined

export const ownTokenVerifier = (keys: OwnKeys, clock: Clock) => createOwnTokenVerifier(keys, { ...OWN, clock })

export const ownTokenIssuer = (keys: OwnKeys, clock: Clock): AccessTokenIssuer =>
  createOwnTokenIssuer(keys, { ...OWN, clock })

export const ownKeyRing = (config: Config, keys: OwnKeys, storage: Storage, clock: Clock): SigningKeyRing => {
  if (config.SIGNING_KEYS !== undefined) return KEYS_OF_THE_ENVIRONMENT
  const ring = createKeyRing({ file: keyFile(config), keys, clock })
  return knownKeyRing(ring, storage, async () => (await openKeys(config)).jwks(clock.now()))
}

const KEYS_OF_THE_ENVIRONMENT: SigningKeyRing = {
  makeKey: async () => {
    throw new KeysNotRotatable(
      'The signing keys are set by ROLLCALL_SIGNING_KEYS, so they are changed there: put a new private key behind the old one, and restart every instance. Then put the new one first, leave of the old one the public half until its tokens have expired, or take it out to revoke them, and restart every instance again.',
    )
  },
}

export const keyWatchOf = (config: Config, keys: OwnKeys, log: Log): Watch =>
  config.SIGNING_KEYS === undefined
    ? watchOwnKeys({
        file: keyFile(config),
        keys,
        onTrouble: (error) => log.error({ err: error }, 'the key file cannot be used; the earlier keys stay in use'),
      })
    : NOTHING_TO_WATCH

export const NOTHING_TO_WATCH: Watch = { start: () => undefined, stop: async () => undefined }

/**
 * The own keys where a provider issues the tokens, once the first token for a directory has made them; and their watch,
 * which begins by then.
 */
export class DirectoryKeys implements Watch {
  readonly #config: Config
  readonly #log: Log
  #keys: OwnKeys | undefined
  #watch = NOTHING_TO_WATCH
  #isWatched = false

  constructor(config: Config, log: Log) {
    this.#config = config
    this.#log = log
  }

  async present(): Promise<OwnKeys | undefined> {
    const keys = this.#keys ?? (await presentKeys(this.#config))
    if (this.#keys === undefined && keys !== undefined) {
      this.#keys = keys
      this.#watch = keyWatchOf(this.#config, keys, this.#log)
      if (this.#isWatched) this.#watch.start()
    }
    return this.#keys
  }

  start(): void {
    this.#isWatched = true
    this.#watch.start()
  }

  async stop(): Promise<void> {
    this.#isWatched = false
    await this.#watch.stop()
  }
}

/**
 * Verifies the tokens of the identity provider, and own ones for SCIM: a directory is given a token once, for months, and a
 * provider issues none like that.
 */
export const providerTokenVerifier = async (config: Config, keys: DirectoryKeys, log: Log, clock: Clock) => {
  const { provider } = config
  if (provider === undefined) throw new StartupError('Set ROLLCALL_AUTH_ISSUER to take the tokens of a provider.')
  const verifier = createProviderTokenVerifier({
    ...provider,
    onProviderTrouble: (error) => {
      log.warn({ err: error }, 'the identity provider does not give its keys; known ones are used for a day at most')
    },
  })
  const openOwn = async () => {
    const present = await keys.present()
    return present && ownTokenVerifier(present, clock)
  }
  let own = await openOwn()
  const verify: AccessTokenVerifier['verify'] = async (token) => {
    if (!isOwnToken(token)) return await verifier.verify(token)
    own ??= await openOwn()
    return own === undefined ? await verifier.verify(token) : { ...(await own.verify(token)), opens: 'scim' }
  }
  return { verify, jwks: () => own?.jwks() ?? { keys: [] } }
}

/** Whether a token says that it was issued here: only for the choice of who verifies it. */
export const isOwnToken = (token: string): boolean => issuerIn(token) === OWN.issuer

const issuerIn = (token: string): unknown => {
  try {
    return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()).iss
  } catch {
    return undefined
  }
}

/** If an identity provider issues the tokens, nothing is signed here but those of directories. */
export const directoryKeyRing = (
  config: Config,
  keys: DirectoryKeys,
  storage: Storage,
  clock: Clock,
): SigningKeyRing => ({
  makeKey: async () => {
    const own = await keys.present()
    if (own !== undefined) return await ownKeyRing(config, own, storage, clock).makeKey()
    throw new KeysNotRotatable(
      "There is no signing key here: the identity provider signs the access tokens, so its keys are rotated there. Rollcall makes a key of its own with the first token for a directory, by 'rollcall token issue --role provisioner'. The keys of links are rotated by 'rollcall secret rotate'.",
    )
  },
})

export const directoryTokenIssuer = (config: Config, clock: Clock): AccessTokenIssuer => ({
  issue: async (request) => {
    if (request.roles.join() !== PROVISIONER) throw new OwnTokensOff()
    return await ownTokenIssuer(await openKeys(config), clock).issue(request)
  },
})

/** A JWK set, as others see it. */
export interface PublishedKeys {
  readonly keys: readonly { readonly kid?: string | undefined }[]
}

const KNOWN: KnownKeys = {
  name: 'signing-keys',
  others:
    'The signing keys are not those that this database is used with. Give every instance the same ROLLCALL_SIGNING_KEYS, or share ROLLCALL_DATA_DIR.',
}

/**
 * Sees that all instances on one database have the same signing keys: tokens of one would be refused by the others. To be
 * asked for a database that can have several; nothing is kept if an identity provider signs.
 * @throws {StartupError} they are others
 */
export const requireSameKeys = async (
  storage: Parameters<typeof requireKnownKeys>[0],
  keys: PublishedKeys,
): Promise<void> => {
  const ids = idsOf(keys)
  if (ids.length > 0) await requireKnownKeys(storage, KNOWN, ids)
}

/** A key ring that has every rotation known to a database that can have several instances. */
const knownKeyRing = (ring: SigningKeyRing, storage: Storage, kept: () => Promise<PublishedKeys>): SigningKeyRing =>
  storage.client === undefined
    ? ring
    : {
        makeKey: async () => {
          const key = await ring.makeKey()
          return knownKey(key, storage, { name: KNOWN.name, id: key.keyId, kept: async () => idsOf(await kept()) })
        },
      }

const idsOf = ({ keys }: PublishedKeys): readonly string[] => keys.flatMap(({ kid }) => kid ?? [])
