import { randomBytes } from 'node:crypto'
import { type AccessTokenIssuer, type Clock, LONGEST_TOKEN_LIFETIME, SECOND } from '@rollcall/core'
import { systemClock } from '@rollcall/platform-node'
import { SignJWT } from 'jose/jwt/sign'
import { CachingVerifier } from './caching-verifier.ts'
import type { VerificationRules } from './check-token.ts'
import type { ExaminingVerifier } from './examine-token.ts'
import { isUnclearAt, namesAt } from './names-claim.ts'
import { OWN_ALGORITHMS, type OwnKeys, type PublicJwk, SIGNING_ALGORITHM } from './own-keys.ts'

interface OwnTokenOptions {
  readonly issuer: string
  readonly audience: string
  readonly clock?: Clock
}

export interface OwnTokenVerifier extends ExaminingVerifier {
  /** What others need to verify the same tokens (RFC 7517); public halves only. */
  jwks(): { readonly keys: readonly PublicJwk[] }
}

/** @see RFC 9068 section 2.1 */
const ACCESS_TOKEN_TYPE = 'at+jwt'

/** Verifies the tokens that an issuer over the same keys, under the same name and for the same audience, has issued. */
export const createOwnTokenVerifier = (
  keys: OwnKeys,
  { issuer, audience, clock = systemClock }: OwnTokenOptions,
): OwnTokenVerifier => {
  const rules: VerificationRules = {
    issuer,
    audience: [audience],
    types: [ACCESS_TOKEN_TYPE],
    algorithms: OWN_ALGORITHMS,
    required: ['iat', 'jti'],
    longestLife: LONGEST_TOKEN_LIFETIME,
    roles: namesAt('roles'),
    areFeedsUnclear: isUnclearAt('feeds'),
    feeds: (claims) => ('feeds' in claims ? feedsIn(claims) : undefined),
    own: true,
  }
  const verifier = new CachingVerifier(keys, rules, clock)
  return {
    verify: (token) => verifier.verify(token),
    examine: (token) => verifier.examine(token),
    jwks: () => keys.jwks(clock.now()),
  }
}

const feedsIn = namesAt('feeds')

const TOKEN_ID_BYTES = 16

/** Issues access tokens signed with the one of our own keys that signs. */
export const createOwnTokenIssuer = (
  keys: OwnKeys,
  { issuer, audience, clock = systemClock }: OwnTokenOptions,
): AccessTokenIssuer => ({
  issue: async ({ subject, roles, feeds, lifetime, after = 0 }) => {
    // In whole seconds: one of the same second would seem to be from before.
    const issuedAt = Math.max(Math.floor(clock.now() / SECOND), Math.floor(after / SECOND) + 1)
    const tokenId = randomBytes(TOKEN_ID_BYTES).toString('base64url')
    const token = await new SignJWT({ roles: [...roles], ...(feeds && { feeds: [...feeds] }) })
      .setProtectedHeader({ alg: SIGNING_ALGORITHM, typ: ACCESS_TOKEN_TYPE, kid: keys.signing.keyId })
      .setIssuer(issuer)
      .setAudience(audience)
      .setSubject(subject)
      .setJti(tokenId)
      .setIssuedAt(issuedAt)
      .setExpirationTime(issuedAt + lifetime)
      .sign(keys.signing.key)
    return { token, tokenId }
  },
})
