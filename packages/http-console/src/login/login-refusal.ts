import type { Unauthenticated } from '@rollcall/core'

export const LOGIN_REFUSALS = ['feeds', 'link', 'provider', 'state', 'token', 'user'] as const

/**
 * Why a login was refused: its link, or its access token, is not good (`link`, `token`); its user was deleted or suspended
 * (`user`); it is bound to feeds (`feeds`); the identity provider did not log in (`provider`), or its answer is not to a
 * login of this browser (`state`).
 */
export type LoginRefusal = (typeof LOGIN_REFUSALS)[number]

/** Any check but these is one of the token. */
export const loginRefusalOf = ({ failedCheck }: Pick<Unauthenticated, 'failedCheck'>): LoginRefusal =>
  LOGIN_REFUSALS.find((reason) => reason === failedCheck) ?? 'token'
