import type { Instant } from '@rollcall/core'
import type { CryptoKey } from 'jose'

export interface VerificationKey {
  readonly key: CryptoKey
  /** From then on it is no longer good, or the source wants to be asked again; never, where there is none. */
  readonly until?: Instant | undefined
}

/** Where public keys come from. The key is always chosen by its id, never taken from the token. */
export interface KeySource {
  /** Another number whenever a key came or went: whatever was verified before must be verified anew. */
  readonly generation: number
  /**
   * The one key of this id that is meant for this algorithm. Of a token without a key id, the id is undefined.
   * @throws {Unavailable} whether there is such a key is not known right now
   */
  find(keyId: string | undefined, algorithm: string): Promise<VerificationKey | undefined>
}
