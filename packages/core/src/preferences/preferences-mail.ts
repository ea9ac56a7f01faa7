import { DAY, type Instant } from '../instant.ts'
import type { CountedRule } from '../numbers/counted.ts'
import { slotsOf } from '../outbox/mail-cap.ts'
import type { OutboxEntry } from '../outbox/outbox-store.ts'
import { isOnItsWay, newMail, waitingOwnMail } from '../outbox/pending-mail.ts'
import { lastMonthly, MONTH } from '../reminders/reminder-store.ts'
import { countTurnedAway, type TurnedAwayBy } from '../sign-up/funnel-metrics.ts'
import type { Means } from '../sign-up/means.ts'
import type { SubscriptionStatus } from '../subscriptions/subscription.ts'
import { findSuppression, type MailboxHashes, mailboxHashes } from '../suppressions/mailbox-hashes.ts'
import type { StoredSuppression } from '../suppressions/suppression-store.ts'
import type { Stores } from '../unit-of-work.ts'
import { type FeedSubscription, feedSubscriptionsOf } from './preferences.ts'

/** What is stored about an address that asks for the link to its preferences. */
export interface PreferencesFacts {
  readonly suppression: StoredSuppression | undefined
  /** When its mailbox last had this mail although its owner wants none. */
  readonly lastMailed: Instant | undefined
  readonly subscriptions: readonly FeedSubscription[]
  /** Whether a mail with such a link has not gone out yet. */
  readonly isWaiting: boolean
  readonly now: Instant
}

export type PreferencesDecision =
  /** The subscription that the link is made for. */
  { readonly mail: FeedSubscription } | { readonly turnedAwayBy: CountedRule }

const RANK = { confirmed: 0, pending: 1, ended: 2 } as const satisfies Record<SubscriptionStatus, number>

/** The link dies with its subscription: best one that will last, and that its owner knows of. */
const rankOf = ({ subscription, feed }: FeedSubscription): number =>
  RANK[subscription.status] + (feed.deletingSince === undefined ? 0 : 3)

/**
 * An owner who wants no mail has it all the same, once in 30 days: it is the way back, and a stranger may ask for it too.
 * A block stops it.
 */
export const decidePreferencesMail = ({
  suppression,
  lastMailed,
  subscriptions,
  isWaiting,
  now,
}: PreferencesFacts): PreferencesDecision => {
  if (suppression?.block) return { turnedAwayBy: 'suppressed' }
  const [best] = subscriptions.toSorted((a, b) => rankOf(a) - rankOf(b))
  if (best === undefined) return { turnedAwayBy: 'unknown-address' }
  // One at a time, whichever of the address's subscriptions it hangs on.
  if (isWaiting) return { turnedAwayBy: 'mail-cap' }
  const isTooSoon = suppression !== undefined && lastMailed !== undefined && lastMailed > now - MONTH
  return isTooSoon ? { turnedAwayBy: 'suppressed' } : { mail: best }
}

/** When its mailbox had this mail last; one that is still here, and counts in no cap, did not come to its reader. */
const lastPreferencesMail = async (
  { reminders, mailCaps }: Stores,
  { mailbox }: MailboxHashes,
  queued: readonly (OutboxEntry | undefined)[],
  now: Instant,
): Promise<Instant | undefined> => {
  const last = await lastMonthly(reminders, mailbox, 'preferences', now)
  const left = queued.filter((mail) => mail !== undefined)
  if (last === undefined || left.length === 0) return last
  const slots = await slotsOf(mailCaps, mailbox)
  const isSurelyLost = ({ messageId, parkedAt = 0 }: OutboxEntry): boolean =>
    now - parkedAt < CAPS_KNOW && !slots.some((slot) => slot.messageId === messageId)
  return left.every(isSurelyLost) ? undefined : last
}

/** For so long the caps keep what may have arrived. */
const CAPS_KNOW = 6 * DAY

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
  const queued = await Promise.all(
    subscriptions.map(({ subscription }) =>
      waitingOwnMail(stores.outbox, subscription.id, subscription.preferencesMail),
    ),
  )
  const suppression = await findSuppression(stores.suppressions, hashes)
  const isWaiting = queued.some((mail) => isOnItsWay(mail, now))
  const lastMailed = suppression && (await lastPreferencesMail(stores, hashes, queued, now))
  const decision = decidePreferencesMail({ suppression, lastMailed, subscriptions, isWaiting, now })
  if (!('mail' in decision)) {
    const { turnedAwayBy: by } = decision
    // The form names no feed.
    await countTurnedAway(stores, by, undefined, now)
    return by === 'unknown-address' ? undefined : by
  }
  // It was given up: this one is in its place.
  for (const mail of queued) if (mail !== undefined) await stores.outbox.remove(mail.id)
  const { subscription } = decision.mail
  const occasion = {
    ...({ kind: 'preferences', subscriptionId: subscription.id } as const),
    address: hashes.address,
    expiresAt: now + OWED_FOR,
  }
  const preferencesMail = await stores.outbox.add({ ...newMail(ports, occasion, now), traceContext })
  await stores.subscriptions.put({ ...subscription, preferencesMail })
  if (suppression) await stores.reminders.note(hashes.mailbox, 'preferences', now)
  return undefined
}
