import type { AccessTokenVerifier, Clock } from '@rollcall/core'
import { CachingVerifier } from './caching-verifier.ts'
import { OWN_ALGORITHMS, type PublicJwk } from './own-key.ts'
import type { OwnKeys } from './own-keys.ts'
import { rolesAt } from './roles-claim.ts'
import { systemClock } from './system-clock.ts'
import type { VerificationRules } from './verification-rules.ts'

export interface OwnTokenVerifier extends AccessTokenVerifier {
  /** What others need to verify the same tokens (RFC 7517); public halves only. */
  jwks(): { readonly keys: readonly PublicJwk[] }
}

/** @see RFC 9068 section 2.1 */
export const ACCESS_TOKEN_TYPE = 'at+jwt'

/** Verifies the tokens that an issuer over the same keys, under the same name and for the same audience, has issued. */
export const createOwnTokenVerifier = (
  keys: OwnKeys,
  {
    issuer,
    audience,
    clock = systemClock,
  }: { readonly issuer: string; readonly audience: string; readonly clock?: Clock },
): OwnTokenVerifier => {
  const rules: VerificationRules = {
    issuer,
    audience: [audience],
    types: [ACCESS_TOKEN_TYPE],
    algorithms: OWN_ALGORITHMS,
    required: ['iat', 'jti'],
    roles: rolesAt('roles'),
  }
  const verifier = new CachingVerifier(keys, rules, clock)
  return { verify: (token) => verifier.verify(token), jwks: () => keys.jwks(clock.now()) }
}
