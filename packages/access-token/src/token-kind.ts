import type { JWTPayload } from 'jose'

/** What a token is that is no access token. An ID token says who signed in, not what they may do here. */
type OtherKind = 'id' | 'other'

/** The claims that show another kind, by their presence, their value or their absence. */
export const MARKS = ['token_use', 'typ', 'azp', 'at_hash', 'c_hash', 'events', 'cnf'] as const

export type TokenMark = readonly [claim: (typeof MARKS)[number], kind: OtherKind]

/**
 * Everything by which a token shows that it is no access token; empty if nothing does. A `nonce` says nothing: some
 * providers copy it into the access token of the same sign-in. Neither do `auth_time`, `acr` and `amr` (RFC 9068).
 */
export const tokenMarks = (claims: JWTPayload): readonly TokenMark[] =>
  MARKS.flatMap((claim) => {
    const kind = SHOWN_BY[claim](claims)
    return kind === undefined ? [] : [[claim, kind] as const]
  })

type Judge = (claims: JWTPayload) => OtherKind | undefined

const ifPresent =
  (claim: string, kind: OtherKind): Judge =>
  (claims) =>
    claims[claim] === undefined ? undefined : kind

const SHOWN_BY: Readonly<Record<(typeof MARKS)[number], Judge>> = {
  // Amazon Cognito
  token_use: ({ token_use: use }) =>
    use === undefined || use === 'access' ? undefined : use === 'id' ? 'id' : 'other',
  // Keycloak, whose access tokens have `Bearer`. A text that is not known is some other provider's own.
  typ: ({ typ }) => {
    if (typ === undefined) return undefined
    if (typeof typ !== 'string') return 'other'
    if (/^id$/i.test(typ)) return 'id'
    return /^(?:refresh|offline|logout)$/i.test(typ) ? 'other' : undefined
  },
  // Microsoft Entra ID: one audience for both kinds; access tokens always name the client (`appid` in version 1.0).
  azp: ({ tid, ver, azp, appid }) =>
    tid !== undefined && (ver === '1.0' || ver === '2.0') && azp === undefined && appid === undefined
      ? 'id'
      : undefined,
  at_hash: ifPresent('at_hash', 'id'),
  c_hash: ifPresent('c_hash', 'id'),
  // A notice, such as that of a logout (RFC 8417): it may well be of the same issuer, and for us.
  events: ifPresent('events', 'other'),
  // Bound to a key of its holder's (RFC 7800), which is not proven here: as a bearer token it is a stolen one.
  cnf: ifPresent('cnf', 'other'),
}
