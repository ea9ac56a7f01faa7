import { type Instant, SECOND, Unauthenticated, Unavailable, type VerifiedToken } from '@rollcall/core'
import type { CompactJWSHeaderParameters, CryptoKey, JWTClaimVerificationOptions, JWTPayload } from 'jose'
import {
  JOSEAlgNotAllowed,
  JOSEError,
  JOSENotSupported,
  JWSInvalid,
  JWSSignatureVerificationFailed,
  JWTClaimValidationFailed,
  JWTExpired,
  JWTInvalid,
} from 'jose/errors'
import { UnsecuredJWT } from 'jose/jwt/unsecured'
import { jwtVerify } from 'jose/jwt/verify'
import { type NamesClaim, subjectOf } from './names-claim.ts'
import { MARKS, tokenMarks } from './token-kind.ts'

export interface VerificationKey {
  readonly key: CryptoKey
  /** When it expires or must be fetched again; undefined if it never does. */
  readonly until?: Instant | undefined
}

/** Where public keys come from. The key is always chosen by its id, never taken from the token. */
export interface KeySource {
  /** Another number whenever a key came or went: whatever was verified before must be verified again. */
  readonly generation: number
  /**
   * The keys of this id that are meant for this algorithm, in the order in which they are tried; those of every id for a
   * token without one.
   * @param unverified what the token claims, and anyone can write; undefined if it would be refused with any key
   * @throws {Unavailable} whether there is such a key is not known right now
   */
  find(
    keyId: string | undefined,
    algorithm: string,
    unverified: () => JWTPayload | undefined,
  ): Promise<readonly VerificationKey[]>
}

/** What a token must say to be good here, besides being signed. */
export interface VerificationRules {
  readonly issuer: string
  /** One of them is enough. */
  readonly audience: readonly string[]
  /** The claim that says whom a token is for, if not `aud`. */
  readonly audienceClaim?: string | undefined
  /** What the header's `typ` may be, in lower case and without `application/`; undefined if it may be missing. */
  readonly types: readonly (string | undefined)[]
  /** The allow-list; what is not on it is refused, whatever keys there are. */
  readonly algorithms: readonly string[]
  /** Claims that must be there, besides `iss`, `aud`, `exp` and the subject. */
  readonly required: readonly string[]
  /** Seconds from `iat` to `exp`; undefined if that is the issuer's own affair. */
  readonly longestLife?: number | undefined
  readonly roles: NamesClaim
  /** The claim that says whose a token is, if not `sub`. */
  readonly subjectClaim?: string | undefined
  /** The feeds that a token is bound to; left out if none is ever bound. Undefined of a token that is not. */
  readonly feeds?: ((claims: object) => readonly string[] | undefined) | undefined
  /** Whether they cannot be read: what a token is bound to must be known. */
  readonly areFeedsUnclear?: ((claims: object) => boolean) | undefined
  /** Whether ID tokens are good, too: for a provider that issues no others. */
  readonly acceptIdTokens?: boolean | undefined
  /** Whether this service issues these tokens itself. */
  readonly own?: boolean | undefined
}

interface CheckedToken {
  readonly verified: VerifiedToken
  /** From then on it must be checked from nothing again. */
  readonly goodUntil: Instant
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
  if (signature === undefined || !isCanonical(signature)) throw refused('broken', 'form')
  let known: readonly VerificationKey[] | undefined
  const keysFor = async (header: CompactJWSHeaderParameters): Promise<readonly VerificationKey[]> => {
    known ??= await keysOf(header, keys, () => unverifiedClaims(token, header, rules, now))
    return known
  }
  const options = { algorithms: [...rules.algorithms], ...claimOptions(rules, now) }
  for (let tried = 0; ; tried++) {
    let keyUntil = Number.POSITIVE_INFINITY
    const chooseKey = async (header: CompactJWSHeaderParameters): Promise<CryptoKey> => {
      const found = (await keysFor(header))[tried]
      if (found === undefined || (found.until ?? keyUntil) <= now) throw refused('notGenuine', 'kid')
      keyUntil = found.until ?? keyUntil
      return found.key
    }
    try {
      const { payload, protectedHeader } = await jwtVerify(token, chooseKey, options)
      const { verified, expiresAt } = checkedClaims(protectedHeader, payload, rules, now)
      return { verified, goodUntil: Math.min(expiresAt, keyUntil) }
    } catch (error) {
      if (error instanceof JWSSignatureVerificationFailed && tried + 1 < (known?.length ?? 0)) continue
      throw error instanceof Unauthenticated || error instanceof Unavailable ? error : refusedBy(error)
    }
  }
}

export const claimOptions = (rules: VerificationRules, now: Instant): JWTClaimVerificationOptions => ({
  issuer: rules.issuer,
  ...(rules.audienceClaim === undefined && { audience: [...rules.audience] }),
  requiredClaims: ['exp', ...rules.required],
  clockTolerance: SKEW,
  currentDate: new Date(now),
})

const UNSECURED = Buffer.from('{"alg":"none"}').toString('base64url')

/**
 * The claims of a token whose signature was not verified, if they would do: whether a key is worth looking for can
 * be told by them, and nothing else.
 */
const unverifiedClaims = (
  token: string,
  header: CompactJWSHeaderParameters,
  rules: VerificationRules,
  now: Instant,
): JWTPayload | undefined => {
  try {
    const payload = decodeUnverified(token, claimOptions(rules, now))
    checkedClaims(header, payload, rules, now)
    return payload
  } catch {
    return undefined
  }
}

/**
 * The claims of a token, checked like verified ones, although anyone can write them.
 * @throws they cannot be read, or fail a check
 */
export const decodeUnverified = (token: string, options: JWTClaimVerificationOptions = {}): JWTPayload =>
  UnsecuredJWT.decode(`${UNSECURED}.${token.split('.')[1]}.`, options).payload

// The last character of a signature has bits that decoding drops. One spelling each, or a changed token would pass.
const isCanonical = (base64url: string): boolean =>
  Buffer.from(base64url, 'base64url').toString('base64url') === base64url

// Neither `jku`, `x5u`, `x5c` nor an embedded `jwk` is ever used: only the service's own keys verify.
const keysOf = async (
  { alg, crit, kid }: { readonly alg: string; readonly crit?: unknown; readonly kid?: unknown },
  keys: KeySource,
  unverified: () => JWTPayload | undefined,
): Promise<readonly VerificationKey[]> => {
  if (crit !== undefined) throw refused('notGenuine', 'crit')
  return kid === undefined || typeof kid === 'string' ? await keys.find(kid, alg, unverified) : []
}

const isOfType = (types: VerificationRules['types'], typ: unknown): boolean =>
  typ === undefined || typeof typ === 'string'
    ? types.includes(typ?.toLowerCase().replace(/^application\/(?=[^/]+$)/, ''))
    : false

// Seconds; a clock shows no time beyond (ECMA-262, 21.4.1.1). What never expires says so with a later one.
const LAST_TIME = 8.64e12

const isTime = (seconds: number): boolean => Math.abs(seconds) <= LAST_TIME

const checkedClaims = (header: Header, claims: JWTPayload, rules: VerificationRules, now: Instant) => {
  for (const [refusal, check] of failingClaims(header, claims, rules, now)) throw refused(refusal, check)
  const { exp = 0, iat, jti } = claims
  const subject = subjectOf(claims, rules) ?? ''
  // Both may have fractions of a second: an instant has none.
  const issuedAt = iat === undefined ? undefined : Math.floor(iat * SECOND)
  const { own } = rules
  const [roles, feeds] = [rules.roles(claims), rules.feeds?.(claims)]
  const expiresAt = Math.floor(exp * SECOND)
  const verified: VerifiedToken = Object.freeze({ subject, roles, feeds, tokenId: jti, issuedAt, expiresAt, own })
  return { verified, expiresAt }
}

interface Header {
  readonly typ?: unknown
}

const livesTooLong = (exp: number, iat: number | undefined, longestLife: number | undefined): boolean =>
  longestLife !== undefined && !(exp - (iat ?? Number.NaN) <= longestLife)

const isFor = (client: unknown, audience: readonly string[]): boolean =>
  typeof client === 'string' && audience.includes(client)

/** What is wrong with claims beyond what `jose` looks at. */
export function* failingClaims(
  { typ }: Header,
  claims: JWTPayload,
  rules: VerificationRules,
  now: Instant,
): Generator<readonly [Refusal, TokenCheck]> {
  const { types, audienceClaim, longestLife, acceptIdTokens = false, areFeedsUnclear = () => false } = rules
  const { exp, iat, jti } = claims
  if (!isOfType(types, typ)) yield ['notForUs', 'typ']
  if (audienceClaim !== undefined && !isFor(claims[audienceClaim], rules.audience)) yield ['notForUs', 'aud']
  if (subjectOf(claims, rules) === undefined) yield ['notForUs', 'sub']
  for (const [claim, kind] of tokenMarks(claims)) if (kind !== 'id' || !acceptIdTokens) yield ['notForUs', claim]
  if (jti !== undefined && typeof jti !== 'string') yield ['notForUs', 'jti']
  if (areFeedsUnclear(claims)) yield ['notForUs', 'feeds']
  if (exp === undefined || !isTime(exp) || livesTooLong(exp, iat, longestLife)) yield ['notForUs', 'exp']
  else if (exp * SECOND <= now) yield ['expired', 'exp']
  if (iat !== undefined && iat > Math.floor(now / SECOND) + SKEW) yield ['tooEarly', 'iat']
}

/** Every sentence that a refused token is answered with: what to do, and nothing about what the token holds. */
export const REFUSAL = {
  tooLong: 'The access token is longer than 8 KiB. Send it exactly as it was issued.',
  broken: 'This is not a whole access token. Send it exactly as it was issued: three parts joined by dots.',
  notGenuine: 'The access token was not issued for this service, or was changed on the way. Get a new one.',
  notForUs: 'The access token is not an access token for this service. Get one that is issued for it.',
  expired: 'The access token has expired. Get a new one.',
  tooEarly: 'The access token is not valid yet. Wait a moment, or set the clock of the machine that issued it.',
} as const

export type Refusal = keyof typeof REFUSAL

/** What a token is checked for: parts of the token, claims and header fields. */
const TOKEN_CHECKS = [
  ...(['length', 'form', 'header', 'alg', 'crit', 'kid', 'signature', 'claims'] as const),
  ...(['iss', 'aud', 'sub', 'exp', 'nbf', 'iat', 'jti', 'feeds'] as const),
  ...MARKS,
] as const

export type TokenCheck = (typeof TOKEN_CHECKS)[number]

export const refused = (refusal: Refusal, failedCheck: TokenCheck, cause?: unknown): Unauthenticated =>
  new Unauthenticated(REFUSAL[refusal], { tokenRefused: true, failedCheck, cause })

// jose's errors hold the claims: they must not become the cause of one that may be logged.
export const refusedBy = (error: unknown): Unauthenticated => {
  if (error instanceof JWTExpired) return refused('expired', 'exp')
  if (error instanceof JWTClaimValidationFailed) {
    const isEarly = error.claim === 'nbf' && error.reason === 'check_failed'
    return refused(isEarly ? 'tooEarly' : 'notForUs', checkOfClaim(error.claim))
  }
  if (error instanceof JWTInvalid) return refused('notForUs', 'claims')
  if (error instanceof JOSEAlgNotAllowed) return refused('notGenuine', 'alg')
  if (error instanceof JOSENotSupported) return refused('notGenuine', 'crit')
  if (error instanceof JWSInvalid) return refused('notGenuine', 'header')
  if (error instanceof JOSEError) return refused('notGenuine', 'signature')
  return refused('notGenuine', 'signature', error)
}

const checkOfClaim = (claim: string): TokenCheck => TOKEN_CHECKS.find((check) => check === claim) ?? 'claims'
