import type { Clock } from '@rollcall/core'
import { systemClock } from '@rollcall/platform-node'
import { CachingVerifier } from '../caching-verifier.ts'
import type { ExaminingVerifier } from '../examine-token.ts'
import { isUnclearAt, namesAt, namesBy } from '../names-claim.ts'
import { ProviderKeys } from './provider-keys.ts'
import { type ProviderSettings, requireUsable } from './provider-settings.ts'

export interface ProviderOptions extends Omit<ProviderSettings, 'rolesClaim'> {
  /** Where a token has its roles: the name of a claim, or a JSON pointer; `roles` if it is left out. */
  readonly rolesClaim?: string | undefined
  readonly clock?: Clock | undefined
  /** Called each time that the provider does not give its keys. Must not throw. */
  readonly onProviderTrouble?: ((error: unknown) => void) | undefined
}

const ALGORITHMS = ['EdDSA', 'Ed25519', 'ES256', 'PS256', 'RS256']
const TYPES = ['at+jwt', 'jwt', undefined]

/**
 * Verifies the access tokens of an identity provider, whose keys are discovered when the first token comes. What is checked
 * of a token is in `check-token.ts`.
 * @throws {ProviderSettingsNotUsable} under these settings, tokens would be accepted that cannot be trusted
 * @see OpenID Connect Discovery 1.0, RFC 8414, RFC 8725, RFC 9068
 */
export const createProviderTokenVerifier = ({
  issuer,
  audience,
  audienceClaim = 'aud',
  jwksUrl,
  rolesClaim = 'roles',
  roleMap,
  subjectClaim = 'sub',
  feedsClaim,
  acceptIdTokens,
  clock = systemClock,
  onProviderTrouble = () => undefined,
}: ProviderOptions): ExaminingVerifier => {
  requireUsable({ issuer, audience, jwksUrl, rolesClaim, feedsClaim, subjectClaim })
  const keys = new ProviderKeys({ issuer, jwksUrl, clock, onTrouble: onProviderTrouble })
  const rules = {
    issuer,
    audience,
    types: TYPES,
    algorithms: ALGORITHMS,
    required: [],
    subjectClaim,
    acceptIdTokens,
    audienceClaim: audienceClaim === 'aud' ? undefined : audienceClaim,
    roles: roleMap === undefined ? namesAt(rolesClaim) : namesBy(rolesClaim, roleMap),
    feeds: feedsClaim === undefined ? undefined : namesAt(feedsClaim),
    areFeedsUnclear: feedsClaim === undefined ? undefined : isUnclearAt(feedsClaim),
  }
  return new CachingVerifier(keys, rules, clock)
}
