import { Unauthenticated } from '@rollcall/core'

const CREDENTIALS = /^bearer +([\w.~+/-]+=*)$/i
const SCHEME = /^bearer(?: |$)/i

/**
 * The access token in an Authorization header field (RFC 6750 section 2.1); undefined if there is none.
 * @throws {Unauthenticated} it is of that scheme, but not one token
 */
export const accessTokenIn = (authorization: string | undefined): string | undefined => {
  if (authorization === undefined) return undefined
  const token = CREDENTIALS.exec(authorization)?.[1]
  if (token === undefined && SCHEME.test(authorization) && authorization.length > 'bearer '.length)
    throw new Unauthenticated("Send one access token, as in 'Authorization: Bearer <ACCESS_TOKEN>'.", {
      tokenRefused: true,
      failedCheck: 'form',
    })
  return token
}
