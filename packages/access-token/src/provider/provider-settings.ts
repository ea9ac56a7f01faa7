import { isLoopback, OperatorError } from '@rollcall/platform-node'
import { parseJsonPointer } from '../names-claim.ts'

/** Which tokens of which provider are good here. */
export interface ProviderSettings {
  /** Exactly as the provider writes it, to the last slash. */
  readonly issuer: string
  /** The names that this service has at the provider; a token must be meant for one of them. */
  readonly audience: readonly string[]
  /** Where a token has its roles: the name of a claim, or a JSON pointer such as `/realm_access/roles` (RFC 6901). */
  readonly rolesClaim: string
  /** The name of the claim that says whose a token is; `sub` where it is left out. */
  readonly subjectClaim?: string | undefined
  /** Likewise the feeds that a sender is bound to, where it is; a sender's token without them is bound to no feed. */
  readonly feedsClaim?: string | undefined
  /** Whether its ID tokens are good, too: for a provider that issues no access tokens for others than itself. */
  readonly acceptIdTokens?: boolean | undefined
}

/** Settings under which tokens would be accepted that cannot be trusted; `message` says what to do. */
export class ProviderSettingsNotUsable extends OperatorError {
  override readonly name = 'ProviderSettingsNotUsable'
  declare readonly setting: keyof ProviderSettings

  constructor(setting: keyof ProviderSettings, message: string) {
    super(message, { setting })
  }
}

/** What is wrong with an issuer, as a sentence that says what to use; undefined where nothing is. */
export const issuerProblem = (issuer: string): string | undefined => {
  const url = URL.parse(issuer)
  if (url === null || !/^https?:$/.test(url.protocol) || issuer.trim() !== issuer)
    return 'use the address of the identity provider, such as https://id.example.com/realms/staff.'
  if (url.protocol === 'http:' && !isLoopback(url.hostname))
    return 'use an https address: over plain http anyone on the way can replace the keys, and so tokens.'
  if (url.username !== '' || url.password !== '' || /[?#]/.test(issuer))
    return 'use an address without a user, a query or a fragment.'
  return undefined
}

/** Likewise for the audience. */
export const audienceProblem = (audience: readonly string[]): string | undefined =>
  audience.length > 0 && audience.every((name) => name !== '')
    ? undefined
    : 'say what this service is called at the identity provider: without it, tokens meant for any other service would be good here.'

/** Likewise for the place of the roles or the feeds. */
export const claimProblem = (where: string): string | undefined =>
  where === '' || (where.startsWith('/') && parseJsonPointer(where) === undefined)
    ? 'use the name of a claim, such as roles, or a JSON pointer, such as /realm_access/roles.'
    : undefined

/** What a person may change, or have after another: a user who was deleted could come back by it, or get the access of another. */
const REASSIGNABLE: ReadonlySet<string> = new Set([
  ...['email', 'mail', 'upn', 'preferred_username', 'unique_name', 'username'],
  ...['name', 'given_name', 'family_name', 'nickname', 'phone_number'],
])

/** Likewise for the name of the claim that says whose a token is. */
export const subjectClaimProblem = (claim: string): string | undefined => {
  if (REASSIGNABLE.has(claim.toLowerCase()))
    return `${claim} can change, or go to another person: a deleted user would come back by it. Use a claim that never does, such as sub or oid.`
  return claim === '' || claim.startsWith('/') ? 'use the name of a claim, such as sub or oid.' : undefined
}

/** @throws {ProviderSettingsNotUsable} */
export const requireUsable = ({
  issuer,
  audience,
  rolesClaim,
  feedsClaim,
  subjectClaim = 'sub',
}: ProviderSettings): void => {
  const problems = [
    ['issuer', issuerProblem(issuer)],
    ['audience', audienceProblem(audience)],
    ['rolesClaim', claimProblem(rolesClaim)],
    ['subjectClaim', subjectClaimProblem(subjectClaim)],
    ['feedsClaim', feedsClaim === undefined ? undefined : claimProblem(feedsClaim)],
  ] as const
  for (const [setting, problem] of problems)
    if (problem !== undefined) throw new ProviderSettingsNotUsable(setting, `${setting}: ${problem}`)
}
