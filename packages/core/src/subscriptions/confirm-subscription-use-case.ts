import { LinkNotValid } from '../errors.ts'
import { UseCase } from '../use-case.ts'
import type { ConsentSource } from './consent.ts'
import { liveClaims, subscriptionOf } from './link-token.ts'
import type { Subscription } from './subscription.ts'

export interface LinkCommand {
  readonly token: string
  readonly source: ConsentSource
}

export interface ConfirmationResult {
  readonly subscription: Subscription
  /** It was confirmed by this link before. */
  readonly already: boolean
}

export class ConfirmSubscriptionUseCase extends UseCase<
  'tokens' | 'clock' | 'unitOfWork' | 'confirmation' | 'metrics'
> {
  /**
   * pending -> confirmed, once; repeating it changes nothing and says so.
   * @throws {LinkNotValid} it has no valid signature, has expired or was superseded, or the feed is being deleted
   */
  async execute({ token, source }: LinkCommand): Promise<ConfirmationResult> {
    const claims = liveClaims(this.ports.tokens, 'confirm', token, this.ports.clock)
    const result = await this.ports.unitOfWork.run(async (stores) => {
      const current = await subscriptionOf(claims, stores.subscriptions)
      if (!current || current.status === 'ended') throw new LinkNotValid()
      if (current.status === 'confirmed') return { subscription: current, already: true }
      if ((await stores.feeds.find(current.feed))?.deletingSince !== undefined) throw new LinkNotValid()
      return { subscription: await this.ports.confirmation.confirm(stores, current, source), already: false }
    })
    if (!result.already) this.ports.metrics.reached('confirmed')
    return result
  }
}
