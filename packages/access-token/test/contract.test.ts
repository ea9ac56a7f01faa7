import { accessTokensContract } from '@rollcall/core/contract'
import { setUp } from './tokens.ts'

accessTokensContract(async () => {
  const { issuer, verifier, clock } = await setUp()
  return {
    issuer,
    verifier,
    advance: (milliseconds) => {
      clock.time += milliseconds
    },
    dispose: async () => {},
  }
})
