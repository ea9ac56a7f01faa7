import { namesAt } from '@rollcall/access-token'
import { issuerProblem, type ProviderSettings } from '@rollcall/access-token/provider-settings'

/** What a token says of itself. Anyone can write it: it is for sentences, and nothing may be decided by it. */
export type Claims = Readonly<Record<string, unknown>>

/** What is wrong, and what to set. */
type Advice = readonly [message: string, remedy: string]

/** Services of the provider itself that tokens of every client may be for: of Keycloak, and Microsoft Graph. */
const OF_PROVIDERS = [
  'account',
  'realm-management',
  '00000003-0000-0000-c000-000000000000',
  'https://graph.microsoft.com',
]

/** A token is for another service, or does not say for which. */
export const audienceAdvice = (
  claims: Claims,
  { issuer, audience, audienceClaim = 'aud' }: ProviderSettings,
): Advice => {
  const ours = `ROLLCALL_AUTH_AUDIENCE (${audience.join(', ')})`
  const isOurs = (claim: string): boolean => [claims[claim]].flat().some((name) => audience.includes(String(name)))
  if (audienceClaim !== 'aud')
    return [
      `Its ${audienceClaim} is none of ${ours}.`,
      isOurs('aud')
        ? 'Leave out ROLLCALL_AUTH_AUDIENCE_CLAIM: its aud is one of them.'
        : 'Set ROLLCALL_AUTH_AUDIENCE to the id of the client that your users sign in at.',
    ]
  if (claims.aud !== undefined) {
    const others = [claims.aud]
      .flat()
      .filter((name) => !OF_PROVIDERS.includes(String(name)) && !String(name).startsWith(issuer))
    return [
      `Its aud has none of ${ours}.`,
      `Have the provider put it there, in Keycloak by an audience mapper, elsewhere by asking for a token of an API that you register; ${
        others.length > 0
          ? `or set what it puts there: ${shown(others)}.`
          : 'what is there is the provider itself, and tokens of any client may have it.'
      }`,
    ]
  }
  const other = ['client_id', 'azp'].find((claim) => typeof claims[claim] === 'string')
  const putIn = 'Have the provider put one in, in Keycloak by an audience mapper'
  if (other === undefined) return [`It has no aud, and so none of ${ours}.`, `${putIn}.`]
  return isOurs(other)
    ? [`It has no aud; its ${other} is one of ${ours}.`, `Set ROLLCALL_AUTH_AUDIENCE_CLAIM=${other}.`]
    : [
        `It has no aud, and so none of ${ours}.`,
        `${putIn}; or set ROLLCALL_AUTH_AUDIENCE_CLAIM=${other}, and ROLLCALL_AUTH_AUDIENCE to the id of the client that your users sign in at.`,
      ]
}

/** A token is of another issuer, or of the same by another address. */
export const issuerAdvice = ({ iss, ver }: Claims, { issuer }: ProviderSettings): Advice => {
  const message = `Its iss is not ${issuer}.`
  if (typeof iss !== 'string' || !URL.canParse(iss))
    return [message, 'Set ROLLCALL_AUTH_ISSUER exactly as the provider writes it.']
  if (ver === '1.0' && iss.startsWith('https://sts.windows.net/'))
    return [message, 'It is of version 1.0: set requestedAccessTokenVersion to 2 in the manifest of the application.']
  return issuerProblem(iss) === undefined
    ? [
        message,
        `Set ROLLCALL_AUTH_ISSUER exactly as the provider writes it, here ${shown(iss)}. If this machine does not reach it there, set ROLLCALL_AUTH_JWKS_URL to where it does.`,
      ]
    : [
        message,
        `Have the provider write the address that its users see, in Keycloak by its hostname; it writes ${shown(iss)}.`,
      ]
}

/** A token lists no role that is known here. */
export const rolesAdvice = (claims: Claims, provider: ProviderSettings, known: readonly string[]): Advice => {
  const { rolesClaim, roleMap } = provider
  const message = `lists no known role at ${rolesClaim}`
  const there = namesAt(rolesClaim)(claims)
  const other = placesOf(claims).find((place) => namesAt(place)(claims).some((name) => known.includes(name)))
  if (there.length > 0 && roleMap !== undefined)
    return [message, `ROLLCALL_AUTH_ROLE_MAP has none of the ${there.length} names there: add those that are roles.`]
  const orMap = 'say in ROLLCALL_AUTH_ROLE_MAP which are roles here, such as NAME=admin'
  if (other !== undefined && roleMap === undefined)
    return [
      message,
      `There is one at ${other}: set ROLLCALL_AUTH_ROLES_CLAIM=${other}${there.length > 0 ? `; or, of the names there, ${orMap}` : ''}.`,
    ]
  if (there.length > 0) return [message, `There are other names: ${orMap}.`]
  if (claims._claim_names !== undefined || claims.hasgroups !== undefined)
    return [message, 'The user is in too many groups for a token of Entra ID: use app roles, and the claim roles.']
  const [groups] = placesOf(claims)
  if (groups !== undefined)
    return [
      message,
      `There are names at ${groups}: set ROLLCALL_AUTH_ROLES_CLAIM=${groups}, and say in ROLLCALL_AUTH_ROLE_MAP which are roles here.`,
    ]
  return [message, 'Check ROLLCALL_AUTH_ROLES_CLAIM, and which roles the provider puts into access tokens.']
}

const ADDRESS = /^[^@\s]+@[^@\s]+\.[^@\s]+$/

/** A subject that changes with its person's address; undefined if it is none. */
export const subjectAdvice = (claims: Claims, { subjectClaim = 'sub' }: ProviderSettings): Advice | undefined => {
  const subject = claims[subjectClaim]
  if (typeof subject !== 'string' || !ADDRESS.test(subject)) return undefined
  const other = ['uid', 'oid', 'user_id'].find((claim) => typeof claims[claim] === 'string')
  return [
    `Its subject (${subjectClaim}) is an e-mail address: such a user cannot be stored, suspended or deleted, and the address stays in the audit trail.`,
    `Set ROLLCALL_AUTH_SUBJECT_CLAIM${other === undefined ? ' to a claim that never changes, such as uid or oid' : `=${other}`}, before the first start.`,
  ]
}

/** Where roles may be, by the names of claims: no other is worth a word. What a person is called is no role. */
const MAY_HOLD = /role|group|permission|entitlement/i
const DEEPEST = 4

/** The places that list names, as the setting has them. */
const placesOf = (claims: Claims): readonly string[] => {
  const places: string[] = []
  const look = (value: unknown, steps: readonly string[]): void => {
    const place = steps.length === 1 ? steps[0] : `/${steps.map(escaped).join('/')}`
    if (place !== undefined && MAY_HOLD.test(steps.at(-1) ?? '') && namesAt(place)(claims).length > 0)
      places.push(place)
    else if (typeof value === 'object' && value !== null && !Array.isArray(value) && steps.length < DEEPEST)
      for (const [name, inner] of Object.entries(value)) look(inner, [...steps, name])
  }
  look(claims, [])
  return places
}

const escaped = (step: string): string => step.replaceAll('~', '~0').replaceAll('/', '~1')

const LONGEST = 120

/** As it stands there, on one line. */
const shown = (value: unknown): string =>
  [value]
    .flat()
    .slice(0, 3)
    .map((name) => JSON.stringify(name).slice(0, LONGEST))
    .join(', ')
