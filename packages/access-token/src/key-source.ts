import type { CryptoKey } from 'jose'

/** A public key, and what it may be used for whatever a token's header says. */
export interface VerificationKey {
  readonly algorithms: readonly string[]
  readonly key: CryptoKey
}

/** Where public keys come from. The key is always chosen by its id, never taken from the token. */
export interface KeySource {
  /** Another number whenever a key came or went: whatever was verified before must be verified anew. */
  readonly generation: number
  /** @throws {Unavailable} whether there is such a key cannot be told right now */
  find(keyId: string): Promise<VerificationKey | undefined>
}
