import type { Instant } from '@rollcall/core'
import type { CryptoKey } from 'jose'

export interface VerificationKey {
  readonly key: CryptoKey
  /** When it expires or must be fetched again; undefined where it never does. */
  readonly until?: Instant | undefined
}

/** Where public keys come from. The key is always chosen by its id, never taken from the token. */
export interface KeySource {
  /** Another number whenever a key came or went: whatever was verified before must be verified again. */
  readonly generation: number
  /**
   * The one key of this id that is meant for this algorithm. Of a token without a key id, the id is undefined.
   * @throws {Unavailable} whether there is such a key is not known right now
   */
  find(keyId: string | undefined, algorithm: string): Promise<VerificationKey | undefined>
}
