import type { Dependencies } from '../dependencies.ts'
import { subscriptionEvent } from '../events/event-store.ts'
import { welcomesNow } from '../feeds/feed.ts'
import { DAY, type Instant } from '../instant.ts'
import { causeOf } from '../numbers/numbers-of-event.ts'
import { queueMail, withdrawMail } from '../outbox/pending-mail.ts'
import type { Clock } from '../platform/clock.ts'
import type { Randomness } from '../platform/randomness.ts'
import type { Stores } from '../unit-of-work.ts'
import { type ConsentAction, type ConsentSource, consentRecord, wordingOf } from './consent.ts'
import { asConfirmed, asEnded, type Subscription } from './subscription.ts'

/** What it takes to welcome those who confirm. */
type Welcoming = Pick<Dependencies, 'randomness' | 'transport'>

/** A mail that arrives later says nothing to those who have had mails of the feed by then. */
const WELCOME_LIFE = 7 * DAY

/**
 * Confirms a subscription that is pending, within a unit of work, and records it. Its owner is welcomed if the feed
 * does that, but for those who come by a move: they have been there before.
 */
export const confirmAndRecord = async (
  stores: Stores,
  current: Subscription,
  source: ConsentSource,
  at: Instant,
  welcoming?: Welcoming,
): Promise<Subscription> => {
  const confirmed = asConfirmed(current, at)
  await change(stores, current, confirmed)
  await record(stores, confirmed, 'confirmed', source, at)
  if (welcoming === undefined || !welcomesNow(await stores.feeds.find(confirmed.feed))) return confirmed
  const lastMail = await queueMail(stores.outbox, welcoming, welcome(confirmed, at), at)
  const welcomed = { ...confirmed, lastMail }
  await stores.subscriptions.put(welcomed)
  return welcomed
}

/** The mail that welcomes. It is the last of the subscription: what ends or erases that takes it back. */
export const welcome = ({ id: subscriptionId, address }: Subscription, at: Instant) =>
  ({ kind: 'welcome', subscriptionId, address, expiresAt: at + WELCOME_LIFE }) as const

/**
 * Ends a subscription in the stores: earlier links are no longer valid, and waiting mails are not sent.
 * Appends neither a consent record nor an event.
 */
export const endSubscription = async (
  stores: Pick<Stores, 'subscriptions' | 'outbox' | 'signUpGroups'>,
  current: Subscription,
  at: Instant,
  episode: string,
): Promise<Subscription> => {
  const ended = asEnded(current, at, episode)
  await change(stores, current, ended)
  return ended
}

/** Ends a subscription within a unit of work, and records it. */
export const endAndRecord = async (
  stores: Stores,
  current: Subscription,
  action: ConsentAction,
  source: ConsentSource,
  { clock, randomness }: { readonly clock: Clock; readonly randomness: Randomness },
): Promise<Subscription> => {
  const at = clock.now()
  const subscription = await endSubscription(stores, current, at, randomness.hex(8))
  await record(stores, subscription, action, source, at)
  return subscription
}

const change = async (
  stores: Pick<Stores, 'subscriptions' | 'outbox' | 'signUpGroups'>,
  current: Subscription,
  changed: Subscription,
): Promise<void> => {
  await stores.subscriptions.put(changed)
  // A copy of the mail may still wait; it has nothing left to ask.
  await withdrawMail(stores, current)
}

const record = async (
  { feeds, consents, events }: Stores,
  subscription: Subscription,
  action: ConsentAction,
  source: ConsentSource,
  at: Instant,
): Promise<void> => {
  const { id, feed, locale: language, status } = subscription
  const wording = wordingOf(await feeds.find(feed))
  await consents.append(id, consentRecord({ deed: action, at, source, language, wording }))
  await events.append(
    subscriptionEvent(
      `subscription.${status}`,
      subscription,
      at,
      causeOf({ deed: action, via: source.via }, subscription),
    ),
  )
}
