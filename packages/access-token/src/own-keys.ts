import type { CryptoKey } from 'jose'
import type { KeySource, VerificationKey } from './key-source.ts'
import { OWN_ALGORITHMS, type OwnKey, type PublicJwk } from './own-key.ts'

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
  #published: readonly PublicJwk[]
  #verifying: ReadonlyMap<string, VerificationKey>

  constructor(keys: OwnKeySet) {
    ;[this.#signing, this.#published, this.#verifying] = taken(keys)
  }

  get generation(): number {
    return this.#generation
  }

  get signing(): SigningKey {
    return this.#signing
  }

  async find(keyId: string): Promise<VerificationKey | undefined> {
    return this.#verifying.get(keyId)
  }

  /** From now on these are the keys; what was verified with the others must be verified anew. */
  use(keys: OwnKeySet): void {
    ;[this.#signing, this.#published, this.#verifying] = taken(keys)
    this.#generation++
  }

  /** What others need to verify our tokens: public halves, never more (RFC 7517). */
  jwks(): { readonly keys: readonly PublicJwk[] } {
    return { keys: this.#published }
  }
}

const taken = ([signing, keys]: OwnKeySet) =>
  [
    signing,
    Object.freeze(keys.map(({ publicJwk }) => publicJwk)),
    new Map(keys.map(({ keyId, publicKey }) => [keyId, { algorithms: OWN_ALGORITHMS, key: publicKey }])),
  ] as const
