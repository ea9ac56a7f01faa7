import { LinkNotValid } from '../errors.ts'
import { withdrawMail } from '../outbox/waiting-mail.ts'
import type { Clock } from '../ports/clock.ts'
import type { UnitOfWork } from '../ports/unit-of-work.ts'
import { type ConsentSource, consentRecord } from './consent.ts'
import { liveClaims, subscriptionOf } from './follow-link.ts'
import type { LinkTokens } from './link-token.ts'
import { confirmed, type Subscription } from './subscription.ts'

export interface LinkCommand {
  readonly token: string
  readonly source: ConsentSource
}

export interface ConfirmationResult {
  readonly subscription: Subscription
  /** It was confirmed by this link before. */
  readonly already: boolean
}

export class ConfirmSubscriptionUseCase {
  readonly #tokens: LinkTokens
  readonly #clock: Clock
  readonly #unitOfWork: UnitOfWork

  constructor(ports: { tokens: LinkTokens; clock: Clock; unitOfWork: UnitOfWork }) {
    this.#tokens = ports.tokens
    this.#clock = ports.clock
    this.#unitOfWork = ports.unitOfWork
  }

  /**
   * pending -> confirmed, once; pressing again changes nothing and says so.
   * @throws {LinkNotValid} nobody signed it, it has expired, or a later link has superseded it
   */
  async execute({ token, source }: LinkCommand): Promise<ConfirmationResult> {
    const claims = liveClaims(this.#tokens, 'confirm', token, this.#clock)
    return await this.#unitOfWork.run(async ({ subscriptions, consents, outbox }) => {
      const current = await subscriptionOf(claims, subscriptions)
      if (!current || current.status === 'ended') throw new LinkNotValid()
      if (current.status === 'confirmed') return { subscription: current, already: true }
      const now = this.#clock.now()
      const subscription = confirmed(current, now)
      await subscriptions.put(subscription)
      await consents.append(current.id, consentRecord('confirmed', now, source, current.locale))
      // A copy of the mail may still wait; it has nothing left to ask.
      await withdrawMail(outbox, current)
      return { subscription, already: false }
    })
  }
}
