import type { Instant } from '../instant.ts'

/** What happens to the previous keys when a new one is made. */
export interface KeySuccession {
  /** True if tokens that they signed must not verify any more. */
  readonly revoke: boolean
  /** Otherwise, when the last token that they signed has expired: then they are forgotten. */
  readonly verifyUntil: Instant
}

/** A signing key that has been made and is not in use. */
export interface NewSigningKey {
  readonly keyId: string
  /**
   * Once this resolves, tokens are signed with this key, also after a crash; those before only verify, or not even
   * that. Instances that share the keys use it within two seconds. If it rejects, nothing has changed.
   * @throws {KeysNotRotatable} the keys cannot be written
   */
  takeOver(succession: KeySuccession): Promise<void>
}

/** The keys that own tokens are signed with. */
export interface SigningKeyRing {
  /**
   * Makes a new key; nothing else changes before it takes over.
   * @throws {OwnTokensOff} an identity provider issues the tokens
   * @throws {KeysNotRotatable} the keys are not kept by this service
   */
  makeKey(): Promise<NewSigningKey>
}
