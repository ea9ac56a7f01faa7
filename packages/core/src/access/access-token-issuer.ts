export interface TokenRequest {
  readonly subject: string
  readonly roles: readonly string[]
  /** Seconds. */
  readonly lifetime: number
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
