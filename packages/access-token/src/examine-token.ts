import { type AccessTokenVerifier, type Instant, SECOND, Unauthenticated, Unavailable } from '@rollcall/core'
import type { JWTClaimVerificationOptions } from 'jose'
import {
  checkToken,
  claimOptions,
  decodeUnverified,
  failingClaims,
  type KeySource,
  refusedBy,
  type TokenCheck,
  type VerificationRules,
} from './check-token.ts'
import { subjectOf } from './names-claim.ts'

/** What is wrong with one token, for the operator who holds it. Nothing may be decided by it. */
export interface TokenExamination {
  /** Every check that it fails; empty if it is good. */
  readonly failed: readonly TokenCheck[]
  /** Why its signature could not be checked; undefined if it was. */
  readonly notChecked: Unavailable | undefined
  /** What it says of itself; nobody has verified it. */
  readonly claims: Readonly<Record<string, unknown>>
  readonly subject: string | undefined
  readonly roles: readonly string[]
  /** The feeds that it is bound to; undefined if it is not bound. */
  readonly feeds: readonly string[] | undefined
  readonly tokenId: string | undefined
  readonly expiresAt: Instant | undefined
}

export interface ExaminingVerifier extends AccessTokenVerifier {
  /** Everything that is wrong with a token, for the operator who holds it. */
  examine(token: string): Promise<TokenExamination>
}

/** Goes on where a verification ends: at the first check that fails. */
export const examineToken = async (
  token: string,
  keys: KeySource,
  rules: VerificationRules,
  now: Instant,
): Promise<TokenExamination> => {
  const claims = claimsIn(token)
  // The key is looked for whatever the claims are.
  const find: KeySource['find'] = (keyId, algorithm) => keys.find(keyId, algorithm, () => claims)
  const verdict = await checkToken(token, { generation: 0, find }, rules, now).catch((error: unknown) => error)
  const first = verdict instanceof Unauthenticated ? (verdict.failedCheck as TokenCheck) : undefined
  const others = claims === undefined ? [] : failedClaims(token, claims, rules, now)
  return {
    failed: [...new Set(first === undefined ? others : [first, ...others])],
    notChecked: verdict instanceof Unavailable ? verdict : undefined,
    claims: claims ?? {},
    subject: claims && subjectOf(claims, rules),
    roles: claims === undefined ? [] : rules.roles(claims),
    feeds: claims && rules.feeds?.(claims),
    tokenId: typeof claims?.jti === 'string' ? claims.jti : undefined,
    expiresAt: typeof claims?.exp === 'number' ? claims.exp * SECOND : undefined,
  }
}

const claimsIn = (token: string) => {
  try {
    return decodeUnverified(token, TIMELESS)
  } catch {
    return undefined
  }
}

const failedClaims = (
  token: string,
  claims: ReturnType<typeof decodeUnverified>,
  rules: VerificationRules,
  now: Instant,
): readonly TokenCheck[] => {
  const { issuer, audience, ...rest } = claimOptions(rules, now)
  const ofJose = [{ issuer }, { audience }, rest].flatMap((options) => failedOf(token, { ...TIMELESS, ...options }))
  return [...ofJose, ...[...failingClaims(headerOf(token), claims, rules, now)].map(([, check]) => check)]
}

// A moment before anything expires: `jose` looks at the times whatever else it is asked.
const TIMELESS = { currentDate: new Date(0), clockTolerance: Number.MAX_SAFE_INTEGER }

const failedOf = (token: string, options: JWTClaimVerificationOptions): readonly TokenCheck[] => {
  try {
    decodeUnverified(token, options)
    return []
  } catch (error) {
    return [refusedBy(error).failedCheck as TokenCheck]
  }
}

const headerOf = (token: string): { readonly typ?: unknown } => {
  try {
    const header: unknown = JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString())
    return typeof header === 'object' && header !== null ? header : {}
  } catch {
    return {}
  }
}
