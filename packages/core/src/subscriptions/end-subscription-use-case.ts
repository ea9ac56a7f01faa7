import { withdrawMail } from '../outbox/waiting-mail.ts'
import type { Clock } from '../ports/clock.ts'
import type { Randomness } from '../ports/randomness.ts'
import type { Stores, UnitOfWork } from '../ports/unit-of-work.ts'
import type { LinkCommand } from './confirm-subscription-use-case.ts'
import { type ConsentDeed, type ConsentSource, consentRecord } from './consent.ts'
import { liveClaims } from './follow-link.ts'
import type { LinkTokens } from './link-token.ts'
import { ended, type Subscription } from './subscription.ts'

/** Ends a subscription within a unit of work: no link of before is good, no mail that waits goes out. */
export class SubscriptionEnding {
  readonly #clock: Clock
  readonly #randomness: Randomness

  constructor(clock: Clock, randomness: Randomness) {
    this.#clock = clock
    this.#randomness = randomness
  }

  async end(stores: Stores, current: Subscription, deed: ConsentDeed, source: ConsentSource): Promise<void> {
    const now = this.#clock.now()
    await stores.subscriptions.put(ended(current, now, this.#randomness.hex(8)))
    await stores.consents.append(current.id, consentRecord(deed, now, source, current.locale))
    await withdrawMail(stores.outbox, current)
  }
}

/** Unsubscribing by link, from a page or in one click (RFC 8058). */
export class EndSubscriptionUseCase {
  readonly #tokens: LinkTokens
  readonly #clock: Clock
  readonly #unitOfWork: UnitOfWork
  readonly #ending: SubscriptionEnding

  constructor(ports: { tokens: LinkTokens; clock: Clock; unitOfWork: UnitOfWork; ending: SubscriptionEnding }) {
    this.#tokens = ports.tokens
    this.#clock = ports.clock
    this.#unitOfWork = ports.unitOfWork
    this.#ending = ports.ending
  }

  /**
   * Whatever became of the subscription, afterwards it is not there or has ended.
   * @throws {LinkNotValid} nobody signed it
   */
  async execute({ token, source }: LinkCommand): Promise<void> {
    const { id } = liveClaims(this.#tokens, 'unsubscribe', token, this.#clock)
    await this.#unitOfWork.run(async (stores) => {
      const current = await stores.subscriptions.find(id)
      if (current && current.status !== 'ended') await this.#ending.end(stores, current, 'ended', source)
    })
  }
}
