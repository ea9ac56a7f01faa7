import type { Instant } from '../instant.ts'

/** The claims of a valid token. Nothing here has been checked against the database yet. */
export interface VerifiedToken {
  readonly subject: string
  /** As the token has them, unknown ones included. */
  readonly roles: readonly string[]
  /** The token's `jti`, where it has one. */
  readonly tokenId: string | undefined
  /** The token's `iat`, where it has one. */
  readonly issuedAt?: Instant | undefined
}

export interface AccessTokenVerifier {
  /**
   * @throws {Unauthenticated} whatever is wrong with the token, with `tokenRefused: true` and nothing of what it says
   * @throws {Unavailable} the token cannot be checked right now
   */
  verify(token: string): Promise<VerifiedToken>
}
