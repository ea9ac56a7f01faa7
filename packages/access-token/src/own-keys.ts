import type { Instant } from '@rollcall/core'
import type { CryptoKey } from 'jose'
import type { KeySource, VerificationKey } from './key-source.ts'
import { OWN_ALGORITHMS, type OwnKey, type PublicJwk } from './own-key.ts'
import { systemClock } from './system-clock.ts'

export interface SigningKey {
  readonly keyId: string
  readonly key: CryptoKey
}

/** At least one key that can sign; the first such one does. */
export type OwnKeySet = readonly [SigningKey, readonly OwnKey[]]

/** The keys that this service signs its own tokens with, and verifies them. */
export class OwnKeys implements KeySource {
  #generation = 0
  #signing: SigningKey
  #keys: ReadonlyMap<string, OwnKey>

  constructor([signing, keys]: OwnKeySet) {
    this.#signing = signing
    this.#keys = byId(keys)
  }

  get generation(): number {
    return this.#generation
  }

  get signing(): SigningKey {
    return this.#signing
  }

  async find(keyId: string | undefined, algorithm: string): Promise<VerificationKey | undefined> {
    const found = keyId === undefined ? undefined : this.#keys.get(keyId)
    if (found === undefined || !OWN_ALGORITHMS.some((own) => own === algorithm)) return undefined
    return { key: found.publicKey, until: found.verifiesUntil }
  }

  /** From now on these are the keys; what was verified with the others must be verified anew. */
  use([signing, keys]: OwnKeySet): void {
    this.#signing = signing
    this.#keys = byId(keys)
    this.#generation++
  }

  /** What others need to verify our tokens: public halves, never more (RFC 7517). */
  jwks(now: Instant = systemClock.now()): { readonly keys: readonly PublicJwk[] } {
    const current = [...this.#keys.values()].filter(({ verifiesUntil = now + 1 }) => verifiesUntil > now)
    return { keys: current.map(({ publicJwk }) => publicJwk) }
  }
}

const byId = (keys: readonly OwnKey[]) => new Map(keys.map((key) => [key.keyId, key]))
