/** One key per use, so that a value made for one purpose proves nothing for another. */
export type KeyPurpose =
  | 'subscription-id'
  | 'address'
  | 'audit-seal'
  | 'challenge'
  | 'feedback-id'
  | 'form'
  | 'user-roles'
  | 'webhook-secret'

/** Digests of the UTF-8 bytes of a text, an unpaired surrogate counting as U+FFFD. Synchronous: a hash is not slow. */
export interface Digests {
  /** SHA-256 (FIPS 180-4), 64 lower-case hexadecimal characters. */
  sha256(text: string): string
  /**
   * HMAC-SHA-256 (RFC 2104) under the instance's key for this purpose, 64 lower-case hexadecimal characters.
   * The same on every instance that shares the secret, and after every restart.
   */
  hmac(purpose: KeyPurpose, text: string): string
  /** Whether both are the same, in a time that does not depend on where they differ. */
  equal(a: string, b: string): boolean
}
