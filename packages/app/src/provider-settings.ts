import { audienceProblem, type ProviderSettings } from '@rollcall/access-token/provider-settings'
import { StartupError } from './startup-error.ts'

interface ProviderValues {
  readonly AUTH_ISSUER?: string | undefined
  readonly AUTH_AUDIENCE?: readonly string[] | undefined
  readonly AUTH_ROLES_CLAIM?: string | undefined
  readonly AUTH_FEEDS_CLAIM?: string | undefined
  readonly AUTH_SUBJECT_CLAIM?: string | undefined
  readonly AUTH_ACCEPT_ID_TOKENS?: 'on' | 'off' | undefined
}

// What own tokens have anyway, so that saying it does no harm.
const OF_OWN_TOKENS = {
  ...{ AUTH_AUDIENCE: 'rollcall', AUTH_ROLES_CLAIM: 'roles', AUTH_FEEDS_CLAIM: 'feeds' },
  ...{ AUTH_SUBJECT_CLAIM: 'sub', AUTH_ACCEPT_ID_TOKENS: 'off' },
} as const

/**
 * The identity provider whose tokens are taken; undefined where the service issues its own.
 * @throws {StartupError} the settings do not go together
 */
export const providerSettings = (values: ProviderValues): ProviderSettings | undefined => {
  const { AUTH_ISSUER: issuer, AUTH_AUDIENCE: audience = [], AUTH_ROLES_CLAIM: rolesClaim = 'roles' } = values
  if (issuer !== undefined) {
    const problem = audienceProblem(audience)
    if (problem !== undefined) throw new StartupError(`ROLLCALL_AUTH_AUDIENCE: ${problem}`)
    const { AUTH_SUBJECT_CLAIM: subjectClaim, AUTH_FEEDS_CLAIM: feedsClaim } = values
    const acceptIdTokens = values.AUTH_ACCEPT_ID_TOKENS === 'on'
    return { issuer, audience, rolesClaim, feedsClaim, subjectClaim, acceptIdTokens }
  }
  for (const [name, own] of Object.entries(OF_OWN_TOKENS)) {
    const given = values[name as keyof typeof OF_OWN_TOKENS]
    if (given !== undefined && String(given) !== own)
      throw new StartupError(
        `ROLLCALL_${name} is about the tokens of an identity provider. Say which in ROLLCALL_AUTH_ISSUER, or leave it out.`,
      )
  }
  return undefined
}
