import { existsSync } from 'node:fs'
import { createProviderTokenVerifier, type TokenCheck, type TokenExamination } from '@rollcall/access-token'
import { admit, asFeedName, type Caller, MINUTE, TablePolicy, Unauthenticated } from '@rollcall/core'
import { isOwnToken, keyFile, openKeys, ownTokenVerifier } from '../access-tokens.ts'
import type { Config } from '../config.ts'
import { subjectClaimIn } from '../subject-claim.ts'
import { type Check, type CheckContext, type Finding, failed, ok, warning } from './check.ts'
import { audienceAdvice, type Claims, issuerAdvice, rolesAdvice, subjectAdvice } from './token-advice.ts'

/** Why an access token is refused, or would be; nothing of the token is shown. */
export const checkGivenToken: Check = {
  name: 'given token',
  run: async (context) => {
    if (context.token === undefined) return []
    const examination = await examined(context, context.token)
    if (examination === undefined) return [NO_KEY]
    const isOfDirectory = context.config.provider !== undefined && isOwnToken(context.token)
    const findings = isOfDirectory ? ofDirectory(examination, context) : findingsOf(examination, context)
    return (await isRevoked(examination, context))
      ? [REVOKED, ...findings.filter(({ status }) => status === 'failed')]
      : findings
  },
}

/** Beside an identity provider, this service issues tokens for directories alone. */
const ofDirectory = (examination: TokenExamination, context: CheckContext): readonly Finding[] => {
  const findings = findingsOf(examination, { ...context, config: { ...context.config, provider: undefined } })
  return findings.some(({ status }) => status === 'failed') ? findings : [FOR_SCIM, ...findings]
}

const FOR_SCIM = ok('It was issued here, not by the identity provider: it opens SCIM alone.')

const NO_KEY = warning('There is no key to verify it with yet.', 'The first start, or the first token, makes one.')

/** Undefined if there is no key, and looking must not make one. */
const examined = async (context: CheckContext, token: string): Promise<TokenExamination | undefined> => {
  const { config, clock, ownClock } = context
  if (config.provider !== undefined && !isOwnToken(token))
    return await createProviderTokenVerifier({ ...config.provider, clock: ownClock }).examine(token)
  if (config.SIGNING_KEYS === undefined && !existsSync(keyFile(config))) return undefined
  return await ownTokenVerifier(await openKeys(config), clock).examine(token)
}

/** False if the storage cannot be looked into: what is wrong with that is another finding. */
const isRevoked = async ({ tokenId }: TokenExamination, { current }: CheckContext): Promise<boolean> =>
  tokenId !== undefined && (await current?.isRevoked(tokenId)) === true

const REVOKED = failed('It was revoked.', 'Get another; `rollcall audit list` says when it was, and by which caller.')

const findingsOf = (examination: TokenExamination, context: CheckContext): readonly Finding[] => {
  const { config } = context
  const clock = config.provider === undefined ? context.clock : context.ownClock
  const { failed: checks, notChecked, expiresAt = Number.NaN } = examination
  const left = expiresAt - clock.now()
  const explain = explanations(config, left, examination.claims)
  const findings = checks.map((check) => failed(...explain[check]))
  if (notChecked !== undefined) findings.unshift(NOT_CHECKED)
  if (findings.length > 0) return findings
  const caller = callerOf(examination)
  if (caller === undefined)
    return [
      failed(
        `Its subject (${subjectClaimIn(config) ?? 'sub'}) can never be a user id.`,
        'Use the token of another user.',
      ),
    ]
  const subject = config.provider && subjectAdvice(examination.claims, config.provider)
  return [
    judgedRoles(caller, config, examination.claims, `It is good for ${minutes(left)} more`),
    ...(subject === undefined ? [] : [warning(...subject)]),
    ...judgedFeeds(caller, config),
  ]
}

/** As a request would have it, if its user is not stored; undefined if its subject can be no user. */
const callerOf = ({ subject = '', roles, feeds }: TokenExamination): Caller | undefined => {
  try {
    return admit({ door: 'token', subject, roles, feeds }, undefined, { channel: 'http' })
  } catch (error) {
    if (error instanceof Unauthenticated) return undefined
    throw error
  }
}

const NOT_CHECKED = warning(
  'Its signature cannot be checked: the identity provider does not give its keys.',
  'See what is said of access tokens.',
)

const STORED = 'Of a stored user the stored roles count instead; a deleted user is refused.'

const judgedRoles = ({ roles, feeds }: Caller, { provider }: Config, claims: Claims, good: string): Finding => {
  const all = new TablePolicy().roles
  const known = all.filter((role) => roles.includes(role))
  if (known.length > 0) return ok(`${good}, with the role${known.length > 1 ? 's' : ''} ${known.join(', ')}.`, STORED)
  if (feeds !== undefined)
    return warning(`${good}, and lists feeds, but not the role sender. No other role counts beside feeds.`, STORED)
  if (provider === undefined)
    return warning(`${good}, and lists no known role.`, `Issue one with \`--role\`. ${STORED}`)
  const [message, remedy] = rolesAdvice(claims, provider, all)
  return warning(`${good}, and ${message}.`, `${remedy} ${STORED}`)
}

const BOUND = 'No other feed exists for it.'

const judgedFeeds = ({ feeds }: Caller, { provider }: Config): readonly Finding[] => {
  if (feeds === undefined) return []
  const names = feeds.filter((name) => asFeedName(name) !== undefined)
  if (names.length > 0) return [ok(`It is bound to the feed${names.length > 1 ? 's' : ''} ${names.join(', ')}.`, BOUND)]
  const where = provider?.feedsClaim === undefined ? '' : ` at ${provider.feedsClaim}`
  return [
    warning(
      `It lists no feed${where}, so that no feed exists for it.`,
      'Check ROLLCALL_AUTH_FEEDS_CLAIM, and which feeds the provider puts into access tokens.',
    ),
  ]
}

const minutes = (milliseconds: number): string => `${Math.round(milliseconds / MINUTE)} min`

type Explanations = Readonly<Record<TokenCheck, readonly [message: string, remedy: string]>>

const explanations = ({ provider }: Config, left: number, claims: Claims): Explanations => {
  const another =
    provider === undefined ? 'Issue one with `rollcall token issue`' : 'Get a new access token from the provider'
  const idToken =
    provider === undefined
      ? `${another}.`
      : 'Send the access token instead. If the provider issues ID tokens only, set ROLLCALL_AUTH_ACCEPT_ID_TOKENS=on.'
  const plain = `${another}, and give it exactly as it was issued.`
  return {
    length: ['It is longer than 8 KiB.', 'Have less put into access tokens.'],
    form: [
      'It is no JWT: three parts joined by dots.',
      `${another}; opaque and encrypted ones cannot be used. At Auth0, ask for an audience; at Zitadel, choose JWT.`,
    ],
    header: ['Its header cannot be read.', plain],
    alg: [
      'It is signed with another algorithm (alg) than those allowed.',
      'Use EdDSA, ES256, PS256 or RS256; in authentik, give the provider a signing key.',
    ],
    crit: ['Its header demands an extension (crit).', 'Have tokens issued without.'],
    kid: [
      'There is no key with its key id (kid) for its algorithm.',
      `${another}: its key may have been withdrawn.${provider === undefined ? '' : ' At Okta, use a custom authorization server: the keys of the other are not published.'}`,
    ],
    signature: ['Its signature is not valid.', plain],
    claims: ['What it claims cannot be read.', plain],
    typ: ['Its type (typ), in the header or the claims, is not that of an access token.', idToken],
    token_use: ['It is for another use than access (token_use), as an ID token is.', idToken],
    azp: ['It is an ID token of Entra ID: it names no client (azp or appid).', idToken],
    iss:
      provider === undefined
        ? ['Its iss is not rollcall.', `${another}, or take those of a provider with ROLLCALL_AUTH_ISSUER.`]
        : issuerAdvice(claims, provider),
    aud: provider === undefined ? ['Its aud is not rollcall.', `${another}.`] : audienceAdvice(claims, provider),
    sub: [
      `It has no subject (${provider?.subjectClaim ?? 'sub'}), or one that is no text.`,
      'Have the provider put it in; lightweight tokens have none.',
    ],
    exp:
      left <= 0 && Number.isFinite(left)
        ? [`It expired ${minutes(-left)} ago.`, `${another}.`]
        : ['It does not say when it expires (exp).', 'Have tokens issued that expire.'],
    nbf: ['It is not valid yet (nbf).', 'Wait, or set the clocks by NTP.'],
    iat: ['It has no time of issue (iat), or one in the future.', 'Set the clocks by NTP.'],
    jti: ['Its id (jti) is missing, or no text.', `${another}.`],
    feeds: [
      `Its feeds${provider?.feedsClaim === undefined ? '' : ` (${provider.feedsClaim})`} are no list of names.`,
      'Have the provider put an array of texts there, or one text with spaces between; or leave the claim out.',
    ],
    at_hash: ['It is an ID token: it has an at_hash.', idToken],
    c_hash: ['It is an ID token: it has a c_hash.', idToken],
    events: ['It is a notice, such as of a logout (events).', `${another}.`],
    cnf: ['It is bound to a key of its holder (cnf), which is not supported.', 'Have bearer tokens issued.'],
  }
}
