import { type Clock, type Instant, Unavailable } from '@rollcall/core'
import type { CryptoKey, JSONWebKeySet } from 'jose'
import { createLocalJWKSet } from 'jose/jwks/local'
import type { KeySource, VerificationKey } from '../check-token.ts'
import {
  boundedFetchJson,
  discover,
  type Fetch,
  type FetchJson,
  type ProviderLimits,
  ProviderTrouble,
  STANDARD_LIMITS,
} from './discovery.ts'

interface ProviderKeysOptions {
  readonly issuer: string
  readonly fetchJson: FetchJson
  readonly limits: ProviderLimits
  readonly clock: Clock
  readonly onTrouble: (error: unknown) => void
}

interface Dated<T> {
  readonly value: T
  readonly since: Instant
}

/**
 * The keys of an identity provider: fetched when first needed, again before they are old or when a token names one
 * that is not known, and used for a while longer when the provider is down. However many tokens come, and whatever
 * they name, it is asked once per cool-down.
 */
export class ProviderKeys implements KeySource {
  readonly #options: ProviderKeysOptions
  generation = 0
  #address: Dated<URL> | undefined
  #keys: Dated<PublishedKeys> | undefined
  /** When the last try ended; undefined before the first. */
  #triedAt: Instant | undefined
  /** What the last try failed of. */
  #trouble: unknown
  #underway: Promise<void> | undefined

  constructor(options: ProviderKeysOptions) {
    this.#options = options
  }

  async find(keyId: string | undefined, algorithm: string): Promise<VerificationKey | undefined> {
    await this.#freshen()
    const known = await this.#lookUp(keyId, algorithm)
    if (known !== undefined) return known
    await this.#refresh()
    const found = await this.#lookUp(keyId, algorithm)
    // The provider may have made this key while it was out of our reach.
    if (found === undefined && this.#trouble !== undefined) throw new Unavailable({ cause: this.#trouble })
    return found
  }

  /** Fetches what is too old, and waits for it only where there is something to hope for. */
  async #freshen(): Promise<void> {
    const { refreshAfter, maxAge, staleFor } = this.#options.limits
    const age = this.#ageOf(this.#keys)
    if (age < refreshAfter) return
    const isServable = age < maxAge || (age < staleFor && this.#trouble !== undefined)
    const refreshed = this.#refresh()
    if (!isServable) await refreshed
  }

  async #lookUp(keyId: string | undefined, algorithm: string): Promise<VerificationKey | undefined> {
    const keys = this.#keys
    if (keys === undefined || this.#ageOf(keys) >= this.#options.limits.staleFor) return undefined
    const key = await keys.value.find(keyId, algorithm)
    return key && { key, until: this.#askAgainAt(keys.since) }
  }

  /** From when a token that these keys verified must come by again, so that what is fetched meanwhile counts. */
  #askAgainAt(since: Instant): Instant {
    const { refreshAfter, maxAge, staleFor, coolDown } = this.#options.limits
    const now = this.#options.clock.now()
    const next = [refreshAfter, maxAge].map((age) => since + age).find((instant) => instant > now)
    return next ?? Math.min(now + coolDown, since + staleFor)
  }

  /** Asks the provider, unless it was asked just now; together with a request that is under way. Never rejects. */
  #refresh(): Promise<void> {
    if (this.#underway !== undefined) return this.#underway
    if (this.#triedAt !== undefined && this.#since(this.#triedAt) < this.#options.limits.coolDown)
      return Promise.resolve()
    this.#underway = this.#fetch().finally(() => {
      this.#underway = undefined
    })
    return this.#underway
  }

  async #fetch(): Promise<void> {
    try {
      this.#take(new PublishedKeys(await this.#options.fetchJson(await this.#locate())))
      this.#trouble = undefined
    } catch (error) {
      // The keys may have moved.
      this.#address = undefined
      this.#trouble = error
      this.#options.onTrouble(error)
    } finally {
      this.#triedAt = this.#options.clock.now()
    }
  }

  async #locate(): Promise<URL> {
    const known = this.#address
    if (known !== undefined && this.#since(known.since) < this.#options.limits.rediscoverAfter) return known.value
    this.#address = this.#dated(await discover(this.#options.issuer, this.#options.fetchJson))
    return this.#address.value
  }

  #take(keys: PublishedKeys): void {
    if (this.#keys === undefined || !keys.equals(this.#keys.value)) this.generation++
    this.#keys = this.#dated(keys)
  }

  #dated<T>(value: T): Dated<T> {
    return { value, since: this.#options.clock.now() }
  }

  #ageOf(dated: Dated<unknown> | undefined): number {
    return dated === undefined ? Number.POSITIVE_INFINITY : this.#since(dated.since)
  }

  // A clock that was put back by much makes everything old: nothing is young for years because it was once wrong.
  #since(instant: Instant): number {
    return Math.abs(this.#options.clock.now() - instant)
  }
}

const WEAKEST_RSA = 2048

/** The key set that a provider published at one time (RFC 7517). */
class PublishedKeys {
  readonly #choose: ReturnType<typeof createLocalJWKSet>
  readonly #text: string

  /** @throws {ProviderTrouble} it is not a key set */
  constructor(document: unknown) {
    try {
      // Whatever it is, it is looked at before it is believed.
      this.#choose = createLocalJWKSet(document as JSONWebKeySet)
    } catch (error) {
      throw new ProviderTrouble('What the identity provider publishes as its keys is no JWK set.', { cause: error })
    }
    this.#text = JSON.stringify(document)
  }

  equals(other: PublishedKeys): boolean {
    return this.#text === other.#text
  }

  /**
   * The one public key that has this id and may verify signatures of this algorithm, by its `kty`, `crv`, `use`,
   * `key_ops` and `alg`; for a token without a key id the only one that may. Of several, no key is taken: to try them
   * all would be to let the token choose.
   */
  async find(keyId: string | undefined, algorithm: string): Promise<CryptoKey | undefined> {
    try {
      const key = await this.#choose({ alg: algorithm, ...(keyId === undefined ? {} : { kid: keyId }) })
      return isStrong(key) ? key : undefined
    } catch {
      // Missing, ambiguous or damaged: nothing of it can be used, and a token says nothing new of that.
      return undefined
    }
  }
}

const isStrong = ({ algorithm }: CryptoKey): boolean =>
  !('modulusLength' in algorithm) || Number(algorithm.modulusLength) >= WEAKEST_RSA

/**
 * Asks the provider for its keys as a verifier would; resolves with their address.
 * @throws {ProviderTrouble} it does not answer as it should; `message` says how
 */
export const inspectProvider = async (
  issuer: string,
  { fetch = globalThis.fetch }: { readonly fetch?: Fetch } = {},
): Promise<string> => {
  const fetchJson = boundedFetchJson(fetch, STANDARD_LIMITS)
  const address = await discover(issuer, fetchJson)
  // Whether it is a key set shows when it is read as one.
  new PublishedKeys(await fetchJson(address))
  return address.href
}
