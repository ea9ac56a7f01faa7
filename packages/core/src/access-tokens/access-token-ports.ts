import type { Channel } from '../access/caller.ts'
import type { Instant } from '../instant.ts'

/** The claims of a valid token. Nothing here has been checked against the database yet. */
export interface VerifiedToken {
  readonly subject: string
  /** As the token has them, unknown ones included. */
  readonly roles: readonly string[]
  /** The token's `jti`, if it has one. */
  readonly tokenId: string | undefined
  /** The names of the feeds that the token is bound to, as it has them; undefined if it is not bound. */
  readonly feeds?: readonly string[] | undefined
  /** The token's `iat`, if it has one. */
  readonly issuedAt?: Instant | undefined
  /** The token's `exp`, if the verifier says it. */
  readonly expiresAt?: Instant | undefined
  /** Set if this service issued it, so that it may be listed. */
  readonly own?: boolean | undefined
  /** The only channel that it opens, if it does not open all. */
  readonly opens?: Channel | undefined
}

export interface AccessTokenVerifier {
  /**
   * @throws {Unauthenticated} whatever is wrong with the token, with `tokenRefused: true` and nothing of what it says;
   *   `failedCheck` names the check that it failed
   * @throws {Unavailable} the token cannot be checked right now
   */
  verify(token: string): Promise<VerifiedToken>
}

/** Seconds. A verifier refuses a token that lives longer, also with a genuine signature. */
export const LONGEST_TOKEN_LIFETIME = 400 * 24 * 3600

export interface TokenRequest {
  readonly subject: string
  readonly roles: readonly string[]
  /** The names of the feeds that the token is bound to; undefined if it is not bound. */
  readonly feeds?: readonly string[] | undefined
  /** Seconds. */
  readonly lifetime: number
  /** Milliseconds: it says that it was issued later, if that is not over yet. */
  readonly after?: Instant | undefined
}

export interface IssuedToken {
  readonly token: string
  readonly tokenId: string
}

export interface AccessTokenIssuer {
  /**
   * A token with an id of its own, which the verifier accepts until it expires, give or take a few seconds.
   * @throws {OwnTokensOff} an identity provider issues the tokens
   */
  issue(request: TokenRequest): Promise<IssuedToken>
}

/** What happens to the previous keys when a new one is made. */
export interface KeySuccession {
  /** True if nothing that they signed must verify any more. */
  readonly revoke: boolean
  /** Otherwise, when the last that they signed has expired: then they are forgotten, but for what never expires. */
  readonly verifyUntil: Instant
}

/** A signing key that has been made and is not in use. */
export interface NewSigningKey {
  readonly keyId: string
  /**
   * Once this resolves, this key signs, also after a crash; those before only verify, or not even that. Instances that share the keys use it within two seconds. If it rejects, nothing has changed.
   * @throws {KeysNotRotatable} the keys cannot be written
   */
  takeOver(succession: KeySuccession): Promise<void>
}

export interface SigningKeyRing {
  /**
   * Makes a new key; nothing else changes before it takes over.
   * @throws {KeysNotRotatable} the keys are not kept by this service, or there are none because an identity provider signs
   */
  makeKey(): Promise<NewSigningKey>
}
