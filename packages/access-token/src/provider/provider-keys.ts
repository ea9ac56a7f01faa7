import { type Clock, type Instant, Unavailable } from '@rollcall/core'
import type { KeySource, VerificationKey } from '../key-source.ts'
import { discover } from './discover.ts'
import type { FetchJson } from './fetch-json.ts'
import { PublishedKeys } from './published-keys.ts'

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

/** How much a provider is asked, and how long it is believed. Milliseconds, but for the size. */
export interface ProviderLimits {
  /** For one request, its whole answer included. */
  readonly timeout: number
  /** Bytes of one answer. */
  readonly largestAnswer: number
  /** Between two times that the keys are asked for, whatever came of the first and whatever tokens come. */
  readonly coolDown: number
  /** Keys of this age are fetched anew while they still serve. */
  readonly refreshAfter: number
  /** Keys of this age are used no more without having asked, */
  readonly maxAge: number
  /** and if the provider does not answer, up to this age. */
  readonly staleFor: number
  /** Where the keys are is asked anew after so long. */
  readonly rediscoverAfter: number
}

export const STANDARD_LIMITS: ProviderLimits = {
  timeout: 5 * SECOND,
  largestAnswer: 512 * 1024,
  coolDown: 30 * SECOND,
  refreshAfter: 5 * MINUTE,
  maxAge: 10 * MINUTE,
  staleFor: 24 * HOUR,
  rediscoverAfter: 24 * HOUR,
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
  readonly #issuer: string
  readonly #fetchJson: FetchJson
  readonly #limits: ProviderLimits
  readonly #clock: Clock
  readonly #onTrouble: (error: unknown) => void
  #generation = 0
  #address: Dated<URL> | undefined
  #keys: Dated<PublishedKeys> | undefined
  /** When the last try ended; undefined before the first. */
  #triedAt: Instant | undefined
  /** What the last try failed of. */
  #trouble: unknown
  #underway: Promise<void> | undefined

  constructor(options: {
    readonly issuer: string
    readonly fetchJson: FetchJson
    readonly limits: ProviderLimits
    readonly clock: Clock
    readonly onTrouble: (error: unknown) => void
  }) {
    this.#issuer = options.issuer
    this.#fetchJson = options.fetchJson
    this.#limits = options.limits
    this.#clock = options.clock
    this.#onTrouble = options.onTrouble
  }

  get generation(): number {
    return this.#generation
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
    const age = this.#ageOf(this.#keys)
    if (age < this.#limits.refreshAfter) return
    const isServable = age < this.#limits.maxAge || (age < this.#limits.staleFor && this.#trouble !== undefined)
    const refreshed = this.#refresh()
    if (!isServable) await refreshed
  }

  async #lookUp(keyId: string | undefined, algorithm: string): Promise<VerificationKey | undefined> {
    const keys = this.#keys
    if (keys === undefined || this.#ageOf(keys) >= this.#limits.staleFor) return undefined
    const key = await keys.value.find(keyId, algorithm)
    return key && { key, until: this.#askAgainAt(keys.since) }
  }

  /** From when a token that these keys verified must come by again, so that what is fetched meanwhile counts. */
  #askAgainAt(since: Instant): Instant {
    const { refreshAfter, maxAge, staleFor, coolDown } = this.#limits
    const now = this.#clock.now()
    const next = [refreshAfter, maxAge].map((age) => since + age).find((instant) => instant > now)
    return next ?? Math.min(now + coolDown, since + staleFor)
  }

  /** Asks the provider, unless it was asked just now; together with a request that is under way. Never rejects. */
  #refresh(): Promise<void> {
    if (this.#underway !== undefined) return this.#underway
    if (this.#triedAt !== undefined && this.#since(this.#triedAt) < this.#limits.coolDown) return Promise.resolve()
    this.#underway = this.#fetch().finally(() => {
      this.#underway = undefined
    })
    return this.#underway
  }

  async #fetch(): Promise<void> {
    try {
      this.#take(new PublishedKeys(await this.#fetchJson(await this.#locate())))
      this.#trouble = undefined
    } catch (error) {
      // The keys may have moved.
      this.#address = undefined
      this.#trouble = error
      this.#onTrouble(error)
    } finally {
      this.#triedAt = this.#clock.now()
    }
  }

  async #locate(): Promise<URL> {
    const known = this.#address
    if (known !== undefined && this.#since(known.since) < this.#limits.rediscoverAfter) return known.value
    const found = await discover(this.#issuer, this.#fetchJson)
    this.#address = this.#dated(found)
    return found
  }

  #take(keys: PublishedKeys): void {
    if (this.#keys === undefined || !keys.equals(this.#keys.value)) this.#generation++
    this.#keys = this.#dated(keys)
  }

  #dated<T>(value: T): Dated<T> {
    return { value, since: this.#clock.now() }
  }

  #ageOf(dated: Dated<unknown> | undefined): number {
    return dated === undefined ? Number.POSITIVE_INFINITY : this.#since(dated.since)
  }

  // A clock that was put back by much makes everything old: nothing is young for years because it was once wrong.
  #since(instant: Instant): number {
    return Math.abs(this.#clock.now() - instant)
  }
}
