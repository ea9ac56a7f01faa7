import { TokenNotFound } from '@rollcall/core'
import { inPath } from './remote-request.ts'
import type { RemoteServer, RemoteUseCases } from './remote-server.ts'
import { schemas } from './schemas.ts'

/** The use cases about issued tokens, over HTTP. */
export const remoteTokens = (server: RemoteServer) =>
  ({
    listTokens: ({ subject, cursor, limit }) =>
      server.get('listTokens', { subject, limit, cursor }, schemas.pageOf(schemas.token)),
    revokeToken: async ({ tokenId }) => {
      await server.delete('revokeToken', { jti: inPath(TokenNotFound, tokenId) }, TokenNotFound)
    },
  }) satisfies Partial<RemoteUseCases>
