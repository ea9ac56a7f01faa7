import { Unauthenticated } from '@rollcall/core'
import { JOSEError, JWTClaimValidationFailed, JWTExpired, JWTInvalid } from 'jose/errors'

/** Every sentence that a refused token is answered with: what to do, and nothing about what the token holds. */
export const REFUSAL = {
  tooLong: 'The access token is longer than 8 KiB. Send it exactly as it was issued.',
  broken: 'This is not a whole access token. Send it exactly as it was issued: three parts joined by dots.',
  notGenuine: 'The access token was not issued for this service, or was changed on the way. Get a new one.',
  notForUs: 'The access token is not an access token for this service. Get one that is issued for it.',
  expired: 'The access token has expired. Get a new one.',
  tooEarly: 'The access token is not valid yet. Wait a moment, or set the clock of the machine that issued it.',
} as const

export type Refusal = keyof typeof REFUSAL

export const refused = (refusal: Refusal, cause?: unknown): Unauthenticated =>
  new Unauthenticated(REFUSAL[refusal], { tokenRefused: true, cause })

// jose's errors hold the claims: they must not become the cause of one that may be logged.
export const refusedBy = (error: unknown): Unauthenticated => {
  if (error instanceof JWTExpired) return refused('expired')
  if (error instanceof JWTClaimValidationFailed) {
    return refused(error.claim === 'nbf' && error.reason === 'check_failed' ? 'tooEarly' : 'notForUs')
  }
  if (error instanceof JWTInvalid) return refused('notForUs')
  if (error instanceof JOSEError) return refused('notGenuine')
  return refused('notGenuine', error)
}
