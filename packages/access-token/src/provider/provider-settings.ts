import { BlockList, isIP } from 'node:net'
import { isLoopback, OperatorError } from '@rollcall/platform-node'
import { type NamesMap, parseJsonPointer, parseNamesMap } from '../names-claim.ts'

export { type NamesMap, parseNamesMap }

/** Which tokens of which provider are good here. */
export interface ProviderSettings {
  /** Exactly as the provider writes it, to the last slash. */
  readonly issuer: string
  /** The names that this service has at the provider; a token must be meant for one of them. */
  readonly audience: readonly string[]
  /** The claim that has such a name; `aud` if it is left out. The others say who asked for a token, not for whom. */
  readonly audienceClaim?: AudienceClaim | undefined
  /** Where the keys are, if not where the issuer says. */
  readonly jwksUrl?: string | undefined
  /** Where a token has its roles: the name of a claim, or a JSON pointer such as `/realm_access/roles` (RFC 6901). */
  readonly rolesClaim: string
  /** What the names there are called here, such as those of groups; what is not on it is no role. */
  readonly roleMap?: NamesMap | undefined
  /** The name of the claim that says whose a token is; `sub` if it is left out. */
  readonly subjectClaim?: string | undefined
  /** Likewise the feeds that a sender is bound to, if it is; a sender's token without them is bound to no feed. */
  readonly feedsClaim?: string | undefined
  /** Whether its ID tokens are good, too: for a provider that issues no access tokens for others than itself. */
  readonly acceptIdTokens?: boolean | undefined
}

export const AUDIENCE_CLAIMS = ['aud', 'client_id', 'azp'] as const

type AudienceClaim = (typeof AUDIENCE_CLAIMS)[number]

/** Settings under which tokens would be accepted that cannot be trusted; `message` says what to do. */
export class ProviderSettingsNotUsable extends OperatorError {
  override readonly name = 'ProviderSettingsNotUsable'
  declare readonly setting: keyof ProviderSettings

  constructor(setting: keyof ProviderSettings, message: string) {
    super(message, { setting })
  }
}

/** What is wrong with an issuer, as a sentence that says what to use; undefined if nothing is. */
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

const PRIVATE = new BlockList()
for (const [network, prefix, family] of [
  ['10.0.0.0', 8, 'ipv4'],
  ['172.16.0.0', 12, 'ipv4'],
  ['192.168.0.0', 16, 'ipv4'],
  ['fc00::', 7, 'ipv6'],
] as const)
  PRIVATE.addSubnet(network, prefix, family)

/** Names that no public server has: a lone word, as of a container, and those of clusters and private networks. */
const INNER_NAME = /^[^.]+$|\.(?:svc|cluster\.local|internal|home\.arpa|local|lan)$/i

/** Whether a host, as a URL has it, is reached over the operator's own network. */
const isInner = (hostname: string): boolean => {
  const host = hostname.replace(/^\[(.*)\]$/, '$1')
  const version = isIP(host)
  if (version === 0) return isLoopback(host) || INNER_NAME.test(host)
  return isLoopback(host) || PRIVATE.check(host, version === 4 ? 'ipv4' : 'ipv6')
}

/** Likewise for the address of the keys. Plain http is for the operator's own network, which is theirs to trust. */
export const jwksUrlProblem = (address: string): string | undefined => {
  const url = URL.parse(address)
  if (url === null || !/^https?:$/.test(url.protocol) || address.trim() !== address)
    return 'use the address of a JWK set, such as http://keycloak:8080/realms/staff/protocol/openid-connect/certs.'
  if (url.protocol === 'http:' && !isInner(url.hostname))
    return 'use an https address: over plain http anyone on the way can replace the keys. Only hosts of your own network may be asked over http: private addresses, and names such as keycloak or id.default.svc.'
  if (url.username !== '' || url.password !== '' || url.hash !== '')
    return 'use an address without a user or a fragment.'
  return /\/\.well-known\/openid-configuration$/.test(url.pathname)
    ? 'use the address of the keys themselves: what that document names as jwks_uri, with the inner host.'
    : undefined
}

export const roleMapProblem = (text: string): string | undefined =>
  parseNamesMap(text) === undefined
    ? 'use pairs of a name at the identity provider and a role here, with commas between, such as /rollcall/admin=admin,0a1b=auditor; write a comma in a name as %2C.'
    : undefined

export const audienceProblem = (audience: readonly string[]): string | undefined =>
  audience.length > 0 && audience.every((name) => name !== '')
    ? undefined
    : 'say what this service is called at the identity provider: without it, tokens meant for any other service would be good here.'

export const claimProblem = (where: string): string | undefined =>
  where === '' || (where.startsWith('/') && parseJsonPointer(where) === undefined)
    ? 'use the name of a claim, such as roles, or a JSON pointer, such as /realm_access/roles.'
    : undefined

/** What a person may change, or have after another: a user who was deleted could come back by it, or get the access of another. */
const REASSIGNABLE: ReadonlySet<string> = new Set([
  ...['email', 'mail', 'upn', 'preferred_username', 'unique_name', 'username'],
  ...['name', 'given_name', 'family_name', 'nickname', 'phone_number'],
])

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
  jwksUrl,
}: ProviderSettings): void => {
  const problems = [
    ['issuer', issuerProblem(issuer)],
    ['audience', audienceProblem(audience)],
    ['jwksUrl', jwksUrl === undefined ? undefined : jwksUrlProblem(jwksUrl)],
    ['rolesClaim', claimProblem(rolesClaim)],
    ['subjectClaim', subjectClaimProblem(subjectClaim)],
    ['feedsClaim', feedsClaim === undefined ? undefined : claimProblem(feedsClaim)],
  ] as const
  for (const [setting, problem] of problems)
    if (problem !== undefined) throw new ProviderSettingsNotUsable(setting, `${setting}: ${problem}`)
}
