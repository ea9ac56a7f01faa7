import { type Instant, SECOND, Unauthenticated, Unavailable, type VerifiedToken } from '@rollcall/core'
import type { CompactJWSHeaderParameters, CryptoKey, JWTPayload } from 'jose'
import { JWKSNoMatchingKey } from 'jose/errors'
import { jwtVerify } from 'jose/jwt/verify'
import type { KeySource } from './key-source.ts'
import { refused, refusedBy } from './refusal.ts'
import { rolesClaim } from './roles-claim.ts'
import type { VerificationRules } from './verification-rules.ts'

export interface CheckedToken {
  readonly verified: VerifiedToken
  readonly expiresAt: Instant
}

/** Seconds by which the clock of an issuer may be ahead of ours. Says nothing about `exp`: expired is expired. */
const SKEW = 5

const COMPACT = /^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.([A-Za-z0-9_-]+)$/

/**
 * Verifies signature and claims of a token, from nothing.
 * @throws {Unauthenticated} whatever is wrong with it
 * @throws {Unavailable} the keys cannot be had right now
 * @see RFC 8725, RFC 9068 section 4
 */
export const checkToken = async (
  token: string,
  keys: KeySource,
  rules: VerificationRules,
  now: Instant,
): Promise<CheckedToken> => {
  const signature = COMPACT.exec(token)?.[1]
  if (signature === undefined || !isCanonical(signature)) throw refused('broken')
  try {
    const { payload } = await jwtVerify(token, (header) => keyFor(header, keys), {
      algorithms: [...rules.algorithms],
      issuer: rules.issuer,
      audience: rules.audience,
      typ: rules.type,
      requiredClaims: ['exp', 'sub', ...rules.required],
      clockTolerance: SKEW,
      currentDate: new Date(now),
    })
    return checkedClaims(payload, now)
  } catch (error) {
    throw error instanceof Unauthenticated || error instanceof Unavailable ? error : refusedBy(error)
  }
}

// The last character of a signature has bits that decoding drops. One spelling each, or a changed token would pass.
const isCanonical = (base64url: string): boolean =>
  Buffer.from(base64url, 'base64url').toString('base64url') === base64url

// Neither `jku`, `x5u`, `x5c` nor an embedded `jwk` is ever looked at: the key is ours, or there is none.
const keyFor = async (header: CompactJWSHeaderParameters, keys: KeySource): Promise<CryptoKey> => {
  const { alg, crit, kid } = header
  if (crit !== undefined || typeof kid !== 'string') throw new JWKSNoMatchingKey()
  const found = await keys.find(kid)
  if (!found?.algorithms.includes(alg)) throw new JWKSNoMatchingKey()
  return found.key
}

const checkedClaims = (claims: JWTPayload, now: Instant): CheckedToken => {
  const { sub, exp, iat, jti } = claims
  if (typeof sub !== 'string' || sub === '' || exp === undefined || !Number.isFinite(exp)) throw refused('notForUs')
  // What a sign-in leaves behind is an ID token: it says who someone is, not what they may do here.
  if (claims.nonce !== undefined || claims.at_hash !== undefined) throw refused('notForUs')
  if (jti !== undefined && typeof jti !== 'string') throw refused('notForUs')
  if (exp * SECOND <= now) throw refused('expired')
  if (iat !== undefined && iat > Math.floor(now / SECOND) + SKEW) throw refused('tooEarly')
  const verified = Object.freeze({ subject: sub, roles: rolesClaim(claims.roles), tokenId: jti })
  return { verified, expiresAt: exp * SECOND }
}
