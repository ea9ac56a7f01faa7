import { type Clock, DAY, HOUR, type Instant, MINUTE, SECOND, Unavailable } from '@rollcall/core'
import type { CryptoKey, JSONWebKeySet, JWSHeaderParameters, JWTPayload } from 'jose'
import { JWKSMultipleMatchingKeys } from 'jose/errors'
import { createLocalJWKSet } from 'jose/jwks/local'
import type { KeySource, VerificationKey } from '../check-token.ts'
import { discover, fetchJson, ProviderTrouble } from './discovery.ts'

interface ProviderKeysOptions {
  readonly issuer: string
  /** Where the keys are; where the issuer says, if it is left out. */
  readonly jwksUrl?: string | undefined
  readonly clock: Clock
  readonly onTrouble: (error: unknown) => void
}

interface Dated<T> {
  readonly value: T
  readonly since: Instant
}

/** Between two times that the keys are asked for, whatever tokens come; twice as long after each failure in a row. */
const COOL_DOWN = 5 * SECOND
/** The longest that becomes after failures. */
const LONGEST_BACK_OFF = 30 * SECOND
/** The longest time that the provider may ask to be left alone for. */
const LONGEST_RETRY_AFTER = HOUR
/** Keys of this age are fetched again while they still serve. */
const REFRESH_AFTER = 5 * MINUTE
/** Keys of this age are used only after the provider was asked. */
const MAX_AGE = 10 * MINUTE
/** Keys of this age are not used even if the provider does not answer. */
const STALE_FOR = DAY
/** The address of the keys is looked up again after this time. */
const REDISCOVER_AFTER = DAY

/** By how much the clock of a provider may be behind ours before a new token of it looks old. */
const CLOCKS_APART = MINUTE

const TOO_EARLY =
  'A token names a key that is not known, and it is too early to ask the identity provider for its keys again.'

/**
 * The keys of an identity provider: fetched when first needed, again before they are old or when a token names one
 * that is not known, and used for a while longer when the provider is down. However many tokens come, and whatever
 * they name, it is asked once per cool-down. Until it may be asked again, a token that may be of a newer key is neither
 * good nor refused.
 */
export class ProviderKeys implements KeySource {
  readonly #options: ProviderKeysOptions
  generation = 0
  #address: Dated<URL> | undefined
  #keys: Dated<PublishedKeys> | undefined
  /** How long it is not asked again, in milliseconds; undefined before the first try. */
  #pause: Dated<number> | undefined
  /** What the last try failed of. */
  #trouble: unknown
  /** How many failed since one did not. */
  #failures = 0
  #underway: Promise<void> | undefined

  constructor(options: ProviderKeysOptions) {
    this.#options = options
  }

  async find(
    keyId: string | undefined,
    algorithm: string,
    unverified: () => JWTPayload | undefined,
  ): Promise<readonly VerificationKey[]> {
    const cameAt = this.#options.clock.now()
    await this.#freshen()
    const known = await this.#lookUp(keyId, algorithm)
    if (known.length > 0) return known
    // What would be refused with any key is not worth a request, nor a wait for one.
    const claims = unverified()
    if (claims === undefined) return []
    await this.#refresh()
    const found = await this.#lookUp(keyId, algorithm)
    if (found.length === 0 && this.#mayBeNewer(cameAt, claims))
      throw new Unavailable({ cause: this.#trouble ?? new ProviderTrouble(TOO_EARLY), retryAfter: this.#pauseLeft() })
    return found
  }

  /** Whether a token that came at this time may be of a key that was made after the keys were last asked for. */
  #mayBeNewer(cameAt: Instant, { iat }: JWTPayload): boolean {
    const keys = this.#keys
    if (this.#trouble !== undefined || keys === undefined) return true
    return cameAt > keys.since && (iat === undefined || iat * SECOND + CLOCKS_APART >= keys.since)
  }

  /** Fetches what is too old, and waits for it only if there is something to hope for. */
  async #freshen(): Promise<void> {
    const age = this.#ageOf(this.#keys)
    if (age < REFRESH_AFTER) return
    const isServable = age < MAX_AGE || (age < STALE_FOR && this.#trouble !== undefined)
    const refreshed = this.#refresh()
    if (!isServable) await refreshed
  }

  async #lookUp(keyId: string | undefined, algorithm: string): Promise<readonly VerificationKey[]> {
    const keys = this.#keys
    if (keys === undefined || this.#ageOf(keys) >= STALE_FOR) return []
    const found = await keys.value.find(keyId, algorithm)
    return found.map((key) => ({ key, until: this.#askAgainAt(keys.since) }))
  }

  /** From when a token that these keys verified must come by again, so that what is fetched meanwhile counts. */
  #askAgainAt(since: Instant): Instant {
    const now = this.#options.clock.now()
    const next = [REFRESH_AFTER, MAX_AGE].map((age) => since + age).find((instant) => instant > now)
    return next ?? Math.min(now + Math.max(COOL_DOWN, this.#pauseLeft()), since + STALE_FOR)
  }

  /** Asks the provider, unless it was asked just now; together with a request that is under way. Never rejects. */
  #refresh(): Promise<void> {
    if (this.#underway !== undefined) return this.#underway
    if (this.#pauseLeft() > 0) return Promise.resolve()
    this.#underway = this.#fetch().finally(() => {
      this.#underway = undefined
    })
    return this.#underway
  }

  async #fetch(): Promise<void> {
    const began = this.#options.clock.now()
    try {
      const address = await this.#locate()
      const askedAt = this.#options.clock.now()
      this.#take(new PublishedKeys(await fetchJson(address)), askedAt)
      this.#trouble = undefined
      this.#failures = 0
      // From its begin: a provider that answers slowly delays its own new key no more than a fast one.
      this.#pause = { value: COOL_DOWN, since: began }
    } catch (error) {
      // The keys may have moved.
      this.#address = undefined
      this.#trouble = error
      this.#pause = this.#dated(this.#backOff(error))
      this.#options.onTrouble(error)
    }
  }

  /** How long a provider that fails is left alone: at least as long as it asks for. */
  #backOff(error: unknown): number {
    const retryAfter = (error instanceof ProviderTrouble ? error.retryAfter : undefined) ?? 0
    const ownPause = Math.min(COOL_DOWN * 2 ** this.#failures++, LONGEST_BACK_OFF)
    return Math.max(ownPause, Math.min(retryAfter, LONGEST_RETRY_AFTER))
  }

  #pauseLeft(): number {
    return this.#pause === undefined ? 0 : Math.max(0, this.#pause.value - this.#since(this.#pause.since))
  }

  async #locate(): Promise<URL> {
    const { jwksUrl } = this.#options
    if (jwksUrl !== undefined) return new URL(jwksUrl)
    const known = this.#address
    if (known !== undefined && this.#since(known.since) < REDISCOVER_AFTER) return known.value
    this.#address = this.#dated(await discover(this.#options.issuer))
    return this.#address.value
  }

  #take(keys: PublishedKeys, since: Instant): void {
    if (this.#keys === undefined || !keys.equals(this.#keys.value)) this.generation++
    this.#keys = { value: keys, since }
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

/** Of several keys that may have signed a token. Each costs a verification, for a token that anyone can send. */
const MOST_TRIED = 8

/** The key set that a provider published at one time (RFC 7517). */
class PublishedKeys {
  readonly #choose: ReturnType<typeof createLocalJWKSet>
  readonly #text: string

  /** @throws {ProviderTrouble} it is not a key set */
  constructor(document: unknown) {
    const listed: readonly unknown[] | undefined =
      isObject(document) && Array.isArray(document.keys) ? document.keys : undefined
    // What is no object is no key, and keeps none from being used; whatever the others are shows when they are.
    const keys = listed?.filter(isObject)
    if (keys === undefined || (keys.length === 0 && listed?.length !== 0))
      throw new ProviderTrouble('What the identity provider publishes as its keys is no JWK set.')
    this.#choose = createLocalJWKSet({ keys } as unknown as JSONWebKeySet)
    this.#text = JSON.stringify(document)
  }

  equals(other: PublishedKeys): boolean {
    return this.#text === other.#text
  }

  /**
   * The public keys that have this id and may verify signatures of this algorithm, by their `kty`, `crv`, `use`,
   * `key_ops` and `alg`; those of every id for a token without one. What is damaged or weak is left out.
   */
  async find(keyId: string | undefined, algorithm: string): Promise<readonly CryptoKey[]> {
    const found: CryptoKey[] = []
    try {
      for await (const key of this.#candidates({ alg: algorithm, ...(keyId !== undefined && { kid: keyId }) })) {
        if (isStrong(key)) found.push(key)
        if (found.length === MOST_TRIED) break
      }
    } catch {
      // Missing or damaged: nothing of it can be used, and a token says nothing new of that.
    }
    return found
  }

  async *#candidates(header: JWSHeaderParameters): AsyncGenerator<CryptoKey> {
    try {
      yield await this.#choose(header)
    } catch (error) {
      if (!(error instanceof JWKSMultipleMatchingKeys)) throw error
      yield* error
    }
  }
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isStrong = ({ algorithm }: CryptoKey): boolean =>
  !('modulusLength' in algorithm) || Number(algorithm.modulusLength) >= WEAKEST_RSA

/**
 * Asks the provider for its keys as a verifier would; resolves with their address.
 * @throws {ProviderTrouble} it does not answer as it should; `message` says how
 */
export const inspectProvider = async ({
  issuer,
  jwksUrl,
}: Pick<ProviderKeysOptions, 'issuer' | 'jwksUrl'>): Promise<string> => {
  const address = jwksUrl === undefined ? await discover(issuer) : new URL(jwksUrl)
  // Whether it is a key set shows when it is read as one.
  new PublishedKeys(await fetchJson(address))
  return address.href
}
