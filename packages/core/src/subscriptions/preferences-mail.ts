import { DAY, type Instant } from '../instant.ts'
import type { KeptRule } from '../numbers/counted.ts'
import { newMail, waitingPreferencesMail } from '../outbox/pending-mail.ts'
import type { Means } from '../sign-up/means.ts'
import type { Stores } from '../unit-of-work.ts'
import { countTurnedAway, type TurnedAwayBy } from './funnel-metrics.ts'
import { findSuppression, mailboxHashes } from './mailbox-hashes.ts'
import { type FeedSubscription, feedSubscriptionsOf } from './preferences.ts'
import type { SubscriptionStatus } from './subscription.ts'

/** What is stored about an address that asks for the link to its preferences. */
export interface PreferencesFacts {
  readonly isSuppressed: boolean
  readonly subscriptions: readonly FeedSubscription[]
  /** Whether a mail with such a link has not gone out yet. */
  readonly isWaiting: boolean
}

export type PreferencesDecision =
  /** The subscription that the link is made for. */
  { readonly mail: FeedSubscription } | { readonly turnedAwayBy: KeptRule }

const RANK = { confirmed: 0, pending: 1, ended: 2 } as const satisfies Record<SubscriptionStatus, number>

/** The link dies with its subscription: best one that will last, and that its owner knows of. */
const rankOf = ({ subscription, feed }: FeedSubscription): number =>
  RANK[subscription.status] + (feed.deletingSince === undefined ? 0 : 3)

export const decidePreferencesMail = ({
  isSuppressed,
  subscriptions,
  isWaiting,
}: PreferencesFacts): PreferencesDecision => {
  if (isSuppressed) return { turnedAwayBy: 'suppressed' }
  const [best] = subscriptions.toSorted((a, b) => rankOf(a) - rankOf(b))
  if (best === undefined) return { turnedAwayBy: 'unknown-address' }
  // One at a time, whichever of the address's subscriptions it hangs on.
  return isWaiting ? { turnedAwayBy: 'mail-cap' } : { mail: best }
}

/** No cap holds a mail back for longer. */
const OWED_FOR = 7 * DAY

/** Queues the mail with the link to its preferences for an address, if there is anything to show. */
export const mailPreferences = async (
  stores: Stores,
  ports: Means,
  addressKey: string,
  now: Instant,
  traceContext: string | undefined,
): Promise<TurnedAwayBy | undefined> => {
  const hashes = mailboxHashes(ports.digests, addressKey)
  const subscriptions = await feedSubscriptionsOf(stores, hashes.address, now)
  const waiting = await Promise.all(
    subscriptions.map(({ subscription }) => waitingPreferencesMail(stores.outbox, subscription)),
  )
  const isSuppressed = (await findSuppression(stores.suppressions, hashes)) !== undefined
  const isWaiting = waiting.some((mail) => mail !== undefined)
  const decision = decidePreferencesMail({ isSuppressed, subscriptions, isWaiting })
  if (!('mail' in decision)) {
    const { turnedAwayBy: by } = decision
    // The form names no feed.
    await countTurnedAway(stores, by, undefined, now)
    return by === 'unknown-address' ? undefined : by
  }
  const { subscription } = decision.mail
  const occasion = {
    ...({ kind: 'preferences', subscriptionId: subscription.id } as const),
    ...{ address: hashes.address, expiresAt: now + OWED_FOR },
  }
  const preferencesMail = await stores.outbox.add({ ...newMail(ports, occasion, now), traceContext })
  await stores.subscriptions.put({ ...subscription, preferencesMail })
  return undefined
}
