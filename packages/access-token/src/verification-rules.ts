/** What a token must say to be good here, besides being signed. */
export interface VerificationRules {
  readonly issuer: string
  readonly audience: string
  /** The header's `typ`; in any case of letters, with or without `application/`. */
  readonly type: string
  /** The allow-list; what is not on it is refused, whatever keys there are. */
  readonly algorithms: readonly string[]
  /** Claims that must be there, besides `iss`, `aud`, `sub` and `exp`. */
  readonly required: readonly string[]
}
