import { withdrawMail } from '../outbox/waiting-mail.ts'
import type { Clock } from '../platform/clock.ts'
import type { Stores } from '../storage/unit-of-work.ts'
import { type ConsentSource, consentRecord, wordingOf } from './consent.ts'
import { confirmed, type Subscription } from './subscription.ts'

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
