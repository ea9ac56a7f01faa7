import type { FeedName } from '../feeds/feed.ts'
import type { Instant } from '../instant.ts'
import type { Page, Stretch } from '../page.ts'

/** What is kept of a token that was issued here; never the token itself. */
export interface ListedToken {
  readonly tokenId: string
  readonly subject: string
  /** Without repetition, in alphabetical order. */
  readonly roles: readonly string[]
  /** The only feeds that exist for it; undefined if it is not bound to feeds. */
  readonly feeds: readonly FeedName[] | undefined
  /** For people, such as where it is used. */
  readonly label: string
  /** The id of the caller that issued it. */
  readonly issuedBy: string
  readonly issuedAt: Instant
  readonly expiresAt: Instant
  /** To the hour; undefined if it was not used, or not within the last minutes. */
  readonly lastUsedAt: Instant | undefined
  readonly revokedAt: Instant | undefined
}

export interface TokenFilter extends Stretch {
  readonly subject?: string | undefined
}

/** A token that is refused from now on, ours or that of an identity provider. */
export interface Revocation {
  readonly tokenId: string
  readonly at: Instant
  /** When the token has expired, so that nothing needs to be known of it any more. */
  readonly until: Instant
}

export interface AccessTokenReader {
  find(tokenId: string): Promise<ListedToken | undefined>
  /** In the order in which they were issued. */
  list(filter: TokenFilter): Promise<Page<ListedToken>>
  /** Also of a token that is not listed. */
  isRevoked(tokenId: string): Promise<boolean>
}

/** The tokens that were issued here, and those that are refused before they expire. */
export interface AccessTokenStore extends AccessTokenReader {
  /** Throws, and so undoes its unit, if there is one of this id. */
  add(token: ListedToken): Promise<void>
  /** From then on `accountStatus` knows of it. Of several revocations of a token the first and the longest count. */
  revoke(revocation: Revocation): Promise<void>
  /** Lists all that were issued before then as revoked, because their keys were; `accountStatus` does not know of it. */
  noteKeysRevoked(at: Instant): Promise<void>
  /** Nothing if it is not listed, or was used later. */
  noteUse(tokenId: string, at: Instant): Promise<void>
  /** Removes every trace of the subject that this store holds, but no revocation; how many tokens were listed. */
  eraseOf(subject: string): Promise<number>
  /** Removes up to `limit` tokens that expired before then; says how many. Revocations stay. */
  prune(before: Instant, limit: number): Promise<number>
  /** Removes up to `limit` revocations that ended before then; says how many. */
  pruneRevocations(before: Instant, limit: number): Promise<number>
}
