import type { AccessTokenStore, ListedToken, Revocation } from '../src/index.ts'
import { type Journal, Table } from './journal.ts'

export const memoryAccessTokenStore = (journal: Journal) => {
  const listed = new Table<string, ListedToken>(journal)
  const revoked = new Table<string, Revocation>(journal)
  const isRevoked = (tokenId: string | undefined): boolean =>
    tokenId !== undefined && revoked.get(tokenId) !== undefined

  const accessTokens: AccessTokenStore = {
    find: async (tokenId) => listed.get(tokenId),
    list: async ({ subject, ...stretch }) => listed.page(stretch, (one) => (subject ?? one.subject) === one.subject),
    isRevoked: async (tokenId) => isRevoked(tokenId),
    add: async (token) => {
      if (listed.get(token.tokenId)) throw new RangeError('there is a token of this id already')
      listed.set(token.tokenId, token)
    },
    revoke: async ({ tokenId, at, until }) => {
      const before = revoked.get(tokenId)
      revoked.set(tokenId, { tokenId, at: before?.at ?? at, until: Math.max(before?.until ?? until, until) })
      const token = listed.get(tokenId)
      if (token && token.revokedAt === undefined) listed.set(tokenId, { ...token, revokedAt: at })
    },
    noteKeysRevoked: async (at) => {
      for (const token of listed.rows())
        if (token.revokedAt === undefined && token.issuedAt < at) listed.set(token.tokenId, { ...token, revokedAt: at })
    },
    noteUse: async (tokenId, at) => {
      const token = listed.get(tokenId)
      if (token && !((token.lastUsedAt ?? 0) >= at)) listed.set(tokenId, { ...token, lastUsedAt: at })
    },
    eraseOf: async (subject) => listed.prune((token) => token.subject === subject),
    prune: async (before, limit) => listed.prune(({ expiresAt }) => expiresAt < before, limit),
    pruneRevocations: async (before, limit) => revoked.prune(({ until }) => until < before, limit),
  }
  return { accessTokens, isRevoked }
}
