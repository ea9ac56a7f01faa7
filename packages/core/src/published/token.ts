import type { ListedToken } from '../access-tokens/access-token-store.ts'
import { timestamp } from './timestamp.ts'

/** An issued token as everybody outside sees it; `feeds` is null if it is not bound to feeds. */
export const publishedToken = (token: ListedToken) => ({
  jti: token.tokenId,
  subject: token.subject,
  roles: token.roles,
  feeds: token.feeds ?? null,
  label: token.label,
  issued_by: token.issuedBy,
  issued_at: timestamp(token.issuedAt),
  expires_at: timestamp(token.expiresAt),
  last_used_at: timestamp(token.lastUsedAt),
  revoked_at: timestamp(token.revokedAt),
})
