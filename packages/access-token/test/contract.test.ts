import { accessTokenIssuerContract, accessTokensContract } from '@rollcall/core/contract'
import { setUp } from './tokens.ts'

const open = async () => {
  const { issuer, verifier, clock } = await setUp()
  return {
    issuer,
    verifier,
    advance: (milliseconds: number) => {
      clock.time += milliseconds
    },
    dispose: async () => {},
  }
}

accessTokensContract(open)
accessTokenIssuerContract(open)
