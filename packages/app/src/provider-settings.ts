import { audienceProblem, type ProviderSettings } from '@rollcall/access-token/provider-settings'
import type * as v from 'valibot'
import type { SETTINGS } from './settings.ts'
import { StartupError } from './startup-error.ts'

type ProviderValues = Partial<
  Pick<v.InferOutput<typeof SETTINGS>, Extract<keyof typeof SETTINGS.entries, `AUTH_${string}`>>
>

// What own tokens have anyway, so that saying it does no harm; some have none of it.
const OF_OWN_TOKENS: Readonly<Record<Exclude<keyof ProviderValues, 'AUTH_ISSUER'>, string | undefined>> = {
  AUTH_AUDIENCE: 'rollcall',
  AUTH_AUDIENCE_CLAIM: 'aud',
  AUTH_JWKS_URL: undefined,
  AUTH_ROLES_CLAIM: 'roles',
  AUTH_ROLE_MAP: undefined,
  AUTH_FEEDS_CLAIM: 'feeds',
  AUTH_SUBJECT_CLAIM: 'sub',
  AUTH_ACCEPT_ID_TOKENS: 'off',
}

/**
 * The identity provider whose tokens are taken; undefined if the service issues its own.
 * @throws {StartupError} the settings do not go together
 */
export const providerSettings = (values: ProviderValues): ProviderSettings | undefined => {
  const { AUTH_ISSUER: issuer, AUTH_AUDIENCE: audience = [], AUTH_ROLES_CLAIM: rolesClaim = 'roles' } = values
  if (issuer !== undefined) {
    const problem = audienceProblem(audience)
    if (problem !== undefined) throw new StartupError(`ROLLCALL_AUTH_AUDIENCE: ${problem}`)
    const { AUTH_SUBJECT_CLAIM: subjectClaim, AUTH_FEEDS_CLAIM: feedsClaim, AUTH_ROLE_MAP: roleMap } = values
    const { AUTH_AUDIENCE_CLAIM: audienceClaim, AUTH_JWKS_URL: jwksUrl } = values
    const acceptIdTokens = values.AUTH_ACCEPT_ID_TOKENS === 'on'
    return {
      issuer,
      jwksUrl,
      audience,
      audienceClaim,
      rolesClaim,
      roleMap,
      feedsClaim,
      subjectClaim,
      acceptIdTokens,
    }
  }
  for (const [name, own] of Object.entries(OF_OWN_TOKENS)) {
    const given = values[name as keyof ProviderValues]
    if (given !== undefined && String(given) !== own)
      throw new StartupError(
        `ROLLCALL_${name} is about the tokens of an identity provider. Say which in ROLLCALL_AUTH_ISSUER, or leave it out.`,
      )
  }
  return undefined
}
