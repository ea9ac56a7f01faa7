import type { Dependencies } from '../dependencies.ts'
import { LinkNotValid } from '../errors.ts'
import type { Feed } from '../feeds/feed.ts'
import type { Instant } from '../instant.ts'
import type { Readers } from '../readers.ts'
import type { AddressHash } from '../subscriptions/email-address.ts'
import { isExpired, type Subscription } from '../subscriptions/subscription.ts'
import { findSuppression, type MailboxHashes, mailboxHashes } from '../suppressions/mailbox-hashes.ts'
import type { StoredSuppression, SuppressionReader } from '../suppressions/suppression-store.ts'

export interface FeedSubscription {
  readonly subscription: Subscription
  readonly feed: Feed
}

/** The data that the owner of an address can see and change. */
export interface Preferences {
  /** The one that the link was mailed for. */
  readonly own: FeedSubscription
  readonly hashes: MailboxHashes
  /** All of the address, oldest first; without expired unconfirmed ones. */
  readonly subscriptions: readonly FeedSubscription[]
  /** Why and since when the address, or its mailbox, gets no mail of ours, or none at all. */
  readonly suppression: StoredSuppression | undefined
}

/** The subscriptions of an address that count, each with its feed, oldest first. */
export const feedSubscriptionsOf = async (
  stores: Pick<Readers, 'feeds' | 'subscriptions'>,
  address: AddressHash,
  now: Instant,
): Promise<FeedSubscription[]> => {
  const found: FeedSubscription[] = []
  for (const subscription of await stores.subscriptions.ofAddress(address)) {
    const feed = isExpired(subscription, now) ? undefined : await stores.feeds.find(subscription.feed)
    if (feed) found.push({ subscription, feed })
  }
  return found
}

/**
 * What a preferences link opens, read from the stores of a unit of work or from readers. The holder of the link
 * received a mail at the address within the hour.
 * @throws {LinkNotValid} it has no valid signature, its hour is over, or the subscription that it was mailed for is gone
 */
export const openPreferences = async (
  stores: Pick<Readers, 'feeds' | 'subscriptions'> & { readonly suppressions: Pick<SuppressionReader, 'findMany'> },
  token: string,
  { signedLinks, clock, digests }: Pick<Dependencies, 'signedLinks' | 'clock' | 'digests'>,
): Promise<Preferences> => {
  const { id } = signedLinks.require('preferences', token)
  const known = await stores.subscriptions.find(id)
  if (!known) throw new LinkNotValid()
  const subscriptions = await feedSubscriptionsOf(stores, known.address, clock.now())
  const own = subscriptions.find(({ subscription }) => subscription.id === id)
  if (!own) throw new LinkNotValid()
  const hashes = mailboxHashes(digests, known.addressKey)
  return { own, hashes, subscriptions, suppression: await findSuppression(stores.suppressions, hashes) }
}
