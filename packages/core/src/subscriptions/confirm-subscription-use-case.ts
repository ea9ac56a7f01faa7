import { LinkNotValid } from '../errors.ts'
import { UseCase } from '../use-case.ts'
import type { ConsentSource } from './consent.ts'
import { subscriptionOf } from './link-token.ts'
import type { Subscription } from './subscription.ts'
import { confirmAndRecord } from './subscription-transitions.ts'

export interface LinkCommand {
  readonly token: string
  readonly source: ConsentSource
}

export interface ConfirmationResult {
  readonly subscription: Subscription
  /** It was confirmed by this link before. */
  readonly already: boolean
}

export class ConfirmSubscriptionUseCase extends UseCase<'signedLinks' | 'clock' | 'unitOfWork' | 'metrics'> {
  /**
   * pending -> confirmed, once; repeating it changes nothing and says so.
   * @throws {LinkNotValid} it has no valid signature, has expired or was superseded, or the feed is being deleted
   */
  async execute({ token, source }: LinkCommand): Promise<ConfirmationResult> {
    const claims = this.ports.signedLinks.require('confirm', token)
    const result = await this.ports.unitOfWork.run(async (stores) => {
      const current = await subscriptionOf(claims, stores.subscriptions)
      if (!current || current.status === 'ended') throw new LinkNotValid()
      if (current.status === 'confirmed') return { subscription: current, already: true }
      if ((await stores.feeds.find(current.feed))?.deletingSince !== undefined) throw new LinkNotValid()
      return { subscription: await confirmAndRecord(stores, current, source, this.ports.clock.now()), already: false }
    })
    if (!result.already) this.ports.metrics.reached('confirmed')
    return result
  }
}
