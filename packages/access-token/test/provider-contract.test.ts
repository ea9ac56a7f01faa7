import { randomUUID } from 'node:crypto'
import { accessTokensContract } from '@rollcall/core/contract'
import { issuedClaims, scripted } from './scripted-provider.ts'

accessTokensContract(async () => {
  const { verifier, clock, sign } = await scripted({ feedsClaim: 'feeds' })
  return {
    verifier,
    // A provider of the world's, as far as the contract asks for one.
    issuer: {
      issue: async ({ subject, roles, feeds, lifetime }) => {
        const tokenId = randomUUID()
        const iat = clock.time / 1_000
        const claims = issuedClaims({ sub: subject, roles, feeds, jti: tokenId, iat, exp: iat + lifetime })
        return { token: await sign(claims), tokenId }
      },
    },
    advance: (milliseconds) => {
      clock.time += milliseconds
    },
    dispose: async () => {},
  }
})
