import type { Instant } from '../instant.ts'
import type { Page, Stretch } from '../page.ts'
import type { HashPrefixes } from '../recipients/hash-filter.ts'
import type { AddressHash } from '../subscriptions/email-address.ts'

/** What the owner of an address asked for: it stops our own mails, and takes no confirmed recipient away. */
export const OWNER_CAUSES = ['refused', 'never-again'] as const
/** What stops every mail to an address: its owner complained of one, or it is on a list of the operator's or a sender's. */
export const BLOCK_CAUSES = ['blocked', 'complaint'] as const
/** In each kind, a later one takes the place of one before it, and never the other way round. */
export const SUPPRESSION_CAUSES = [...OWNER_CAUSES, ...BLOCK_CAUSES] as const

export type OwnerCause = (typeof OWNER_CAUSES)[number]
export type BlockCause = (typeof BLOCK_CAUSES)[number]

export type SuppressionCause = OwnerCause | BlockCause

export type SuppressionKind = 'owner' | 'block'

export const isBlock = (cause: SuppressionCause): cause is BlockCause => cause === 'blocked' || cause === 'complaint'

export const kindOf = (cause: SuppressionCause): SuppressionKind => (isBlock(cause) ? 'block' : 'owner')

/** One reason. */
export interface Suppression {
  readonly cause: SuppressionCause
  readonly since: Instant
}

export interface Block extends Suppression {
  readonly cause: BlockCause
}

/** What is known of an address: either kind, or one of each. */
export interface StoredSuppression extends Suppression {
  /** What stops every mail. If this is all, `cause` and `since` say the same; else they are the owner's. */
  readonly block: Block | undefined
}

export interface SuppressionRecord extends StoredSuppression {
  readonly address: AddressHash
}

/** Each kind that is known, by itself. */
export const kindsIn = ({
  cause,
  since,
  block,
}: StoredSuppression): { readonly owner: Suppression | undefined; readonly block: Block | undefined } => ({
  owner: isBlock(cause) ? undefined : { cause, since },
  block,
})

export interface SuppressionReader {
  /** What is known under each of these hashes alone. */
  findMany(addresses: readonly AddressHash[]): Promise<ReadonlyMap<AddressHash, StoredSuppression>>
  /** In the order in which they were first suppressed. */
  list(stretch: Stretch): Promise<Page<SuppressionRecord>>
  /** Of those that are blocked, in the order of their hashes, some thousands at a time; from the empty text on. */
  blockedPrefixes(after: string): Promise<HashPrefixes<string>>
}

/** Addresses that get no mail, known by keyed hash only. */
export interface SuppressionStore extends SuppressionReader {
  /**
   * Changes nothing of the other kind. Of its own kind the first one stays, unless this one is stronger: 'never-again' than
   * 'refused', and 'complaint' than 'blocked'.
   */
  add(address: AddressHash, suppression: Suppression): Promise<void>
  /** Whether it was suppressed. Both kinds go. */
  remove(address: AddressHash): Promise<boolean>
}
