import type { Dependencies } from '../dependencies.ts'
import { DAY } from '../instant.ts'
import { queueMail, waitingPreferencesMail } from '../outbox/pending-mail.ts'
import type { Stores } from '../unit-of-work.ts'
import { noSubscription, writeDecoy } from './decoy.ts'
import { DEFAULT_FEED } from './feed.ts'
import type { SignUpOutcome, TurnedAwayBy } from './funnel-metrics.ts'
import { findSuppression, mailboxHashes } from './mailbox-hashes.ts'
import { type FeedSubscription, feedSubscriptionsOf } from './preferences.ts'
import type { SubscriptionStatus } from './subscription.ts'

type Means = Pick<Dependencies, 'clock' | 'digests' | 'randomness' | 'transport'>

/** No cap holds a mail back for longer. */
const OWED_FOR = 7 * DAY

/**
 * Queues the mail with the link to its preferences for an address, within a unit of work, or says what turned it away. Whatever is known of the address,
 * it asks the stores for the same and writes as many rows. It always changes something: a store may skip the disk if
 * nothing changes, and the time would reveal it.
 */
export const askForPreferences = async (
  stores: Stores,
  { clock, digests, randomness, transport }: Means,
  addressKey: string,
): Promise<TurnedAwayBy | undefined> => {
  const now = clock.now()
  const hashes = mailboxHashes(digests, addressKey)
  const counted = async (as: SignUpOutcome, turnedAwayBy?: TurnedAwayBy) => {
    await Promise.all([writeDecoy(stores, randomness), stores.signUpCounts.add(as)])
    return turnedAwayBy
  }
  const suppression = await findSuppression(stores.suppressions, hashes)
  const found = await feedSubscriptionsOf(stores, digests, addressKey, now)
  // As the feed of a subscription is looked for.
  if (found.length === 0) await stores.feeds.find(DEFAULT_FEED)
  const [best] = found.sort((a, b) => rankOf(a) - rankOf(b))
  const asked = best === undefined ? [noSubscription(randomness)] : found.map((one) => one.subscription)
  // One at a time, whichever of the address's subscriptions it hangs on.
  const waiting = await Promise.all(asked.map((one) => waitingPreferencesMail(stores.outbox, one)))
  if (suppression) return await counted('suppressed', 'suppressed')
  if (best === undefined) return await counted('unknown-address')
  if (waiting.some((mail) => mail !== undefined)) return await counted('held-back', 'mail-cap')
  const { subscription } = best
  const kind = 'preferences' as const
  const occasion = { kind, subscriptionId: subscription.id, address: hashes.address, expiresAt: now + OWED_FOR }
  const preferencesMail = await queueMail(stores.outbox, { randomness, transport }, occasion, now)
  await stores.subscriptions.put({ ...subscription, preferencesMail })
  return undefined
}

const RANK = { confirmed: 0, pending: 1, ended: 2 } as const satisfies Record<SubscriptionStatus, number>

/** The link dies with its subscription: best one that will last, and that its owner knows of. */
const rankOf = ({ subscription, feed }: FeedSubscription): number =>
  RANK[subscription.status] + (feed.deletingSince === undefined ? 0 : 3)
