import { randomBytes } from 'node:crypto'
import { type AccessTokenIssuer, type Clock, SECOND } from '@rollcall/core'
import { SignJWT } from 'jose/jwt/sign'
import { SIGNING_ALGORITHM } from './own-key.ts'
import type { OwnKeys } from './own-keys.ts'
import { ACCESS_TOKEN_TYPE } from './own-token-verifier.ts'
import { systemClock } from './system-clock.ts'

const TOKEN_ID_BYTES = 16

/** Issues access tokens signed with the newest of our own keys. */
export const createOwnTokenIssuer = (
  keys: OwnKeys,
  {
    issuer,
    audience,
    clock = systemClock,
  }: { readonly issuer: string; readonly audience: string; readonly clock?: Clock },
): AccessTokenIssuer => ({
  issue: async ({ subject, roles, lifetime }) => {
    const issuedAt = Math.floor(clock.now() / SECOND)
    const tokenId = randomBytes(TOKEN_ID_BYTES).toString('base64url')
    const token = await new SignJWT({ roles: [...roles] })
      .setProtectedHeader({ alg: SIGNING_ALGORITHM, typ: ACCESS_TOKEN_TYPE, kid: keys.signing.keyId })
      .setIssuer(issuer)
      .setAudience(audience)
      .setSubject(subject)
      .setJti(tokenId)
      .setIssuedAt(issuedAt)
      .setExpirationTime(issuedAt + lifetime)
      .sign(keys.signing.key)
    return { token, tokenId }
  },
})
