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
  /** Likewise the feeds that a sender is bound to, where it is; a sender's token without them is bound to no feed. */
  readonly feedsClaim?: string | undefined
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

/** @throws {ProviderSettingsNotUsable} */
export const requireUsable = ({ issuer, audience, rolesClaim, feedsClaim }: ProviderSettings): void => {
  const problems = [
    ['issuer', issuerProblem(issuer)],
    ['audience', audienceProblem(audience)],
    ['rolesClaim', claimProblem(rolesClaim)],
    ['feedsClaim', feedsClaim === undefined ? undefined : claimProblem(feedsClaim)],
  ] as const
  for (const [setting, problem] of problems)
    if (problem !== undefined) throw new ProviderSettingsNotUsable(setting, `${setting}: ${problem}`)
}
