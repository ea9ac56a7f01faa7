import type { RolesClaim } from './roles-claim.ts'

/** What a token must say to be good here, besides being signed. */
export interface VerificationRules {
  readonly issuer: string
  /** One of them is enough. */
  readonly audience: readonly string[]
  /** What the header's `typ` may be, in lower case and without `application/`; undefined where it may be missing. */
  readonly types: readonly (string | undefined)[]
  /** The allow-list; what is not on it is refused, whatever keys there are. */
  readonly algorithms: readonly string[]
  /** Claims that must be there, besides `iss`, `aud`, `sub` and `exp`. */
  readonly required: readonly string[]
  readonly roles: RolesClaim
}
