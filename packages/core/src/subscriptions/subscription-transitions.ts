import type { Instant } from '../instant.ts'
import { withdrawMail } from '../outbox/pending-mail.ts'
import type { Clock } from '../platform/clock.ts'
import type { Randomness } from '../platform/randomness.ts'
import type { Stores } from '../storage/unit-of-work.ts'
import { type ConsentAction, type ConsentSource, consentRecord, wordingOf } from './consent.ts'
import { confirmed, ended, type Subscription } from './subscription.ts'

/** Confirms a subscription that is pending, within a unit of work. */
export class SubscriptionConfirmation {
  readonly #clock: Clock

  constructor(clock: Clock) {
    this.#clock = clock
  }

  async confirm(stores: Stores, current: Subscription, source: ConsentSource): Promise<Subscription> {
    const at = this.#clock.now()
    const subscription = confirmed(current, at)
    await stores.subscriptions.put(subscription)
    const wording = wordingOf(await stores.feeds.find(current.feed))
    const record = consentRecord({ deed: 'confirmed', at, source, language: current.locale, wording })
    await stores.consents.append(current.id, record)
    // A copy of the mail may still wait; it has nothing left to ask.
    await withdrawMail(stores.outbox, current)
    await stores.events.append({ type: 'subscription.confirmed', subject: String(current.id), at })
    return subscription
  }
}

/**
 * Ends a subscription in the stores: earlier links are no longer valid, and waiting mails are not sent.
 * Appends neither a consent record nor an event.
 */
export const endSubscription = async (
  { subscriptions, outbox }: Pick<Stores, 'subscriptions' | 'outbox'>,
  current: Subscription,
  at: Instant,
  episode: string,
): Promise<Subscription> => {
  const subscription = ended(current, at, episode)
  await subscriptions.put(subscription)
  await withdrawMail(outbox, current)
  return subscription
}

/** Ends a subscription within a unit of work, and records it. */
export class SubscriptionEnding {
  readonly #clock: Clock
  readonly #randomness: Randomness

  constructor(clock: Clock, randomness: Randomness) {
    this.#clock = clock
    this.#randomness = randomness
  }

  async end(
    stores: Stores,
    current: Subscription,
    action: ConsentAction,
    source: ConsentSource,
  ): Promise<Subscription> {
    const at = this.#clock.now()
    const subscription = await endSubscription(stores, current, at, this.#randomness.hex(8))
    const wording = wordingOf(await stores.feeds.find(current.feed))
    await stores.consents.append(
      current.id,
      consentRecord({ deed: action, at, source, language: current.locale, wording }),
    )
    await stores.events.append({ type: 'subscription.ended', subject: String(current.id), at })
    return subscription
  }
}
