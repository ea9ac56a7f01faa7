import { subscriptionEvent } from '../events/event-store.ts'
import type { Instant } from '../instant.ts'
import { causeOf } from '../numbers/numbers-of-event.ts'
import { withdrawMail } from '../outbox/pending-mail.ts'
import type { Clock } from '../platform/clock.ts'
import type { Randomness } from '../platform/randomness.ts'
import type { Stores } from '../unit-of-work.ts'
import { type ConsentAction, type ConsentSource, consentRecord, wordingOf } from './consent.ts'
import type { Subscription } from './subscription.ts'

/** Confirms a subscription that is pending, within a unit of work, and records it. */
export const confirmAndRecord = async (
  stores: Stores,
  current: Subscription,
  source: ConsentSource,
  at: Instant,
): Promise<Subscription> => {
  const changes = { status: 'confirmed', confirmedAt: at, endedAt: undefined, expiresAt: undefined } as const
  const subscription = await change(stores, current, changes)
  await record(stores, subscription, 'confirmed', source, at)
  return subscription
}

/**
 * Ends a subscription in the stores: earlier links are no longer valid, and waiting mails are not sent.
 * Appends neither a consent record nor an event.
 */
export const endSubscription = (
  stores: Pick<Stores, 'subscriptions' | 'outbox' | 'signUpGroups'>,
  current: Subscription,
  at: Instant,
  episode: string,
): Promise<Subscription> => change(stores, current, { status: 'ended', episode, endedAt: at, expiresAt: undefined })

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
  changes: Partial<Subscription>,
): Promise<Subscription> => {
  const subscription = { ...current, ...changes }
  await stores.subscriptions.put(subscription)
  // A copy of the mail may still wait; it has nothing left to ask.
  await withdrawMail(stores, current)
  return subscription
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
    subscriptionEvent(`subscription.${status}`, subscription, at, causeOf({ deed: action, via: source.via })),
  )
}
