import { UseCase } from '../use-case.ts'
import type { LinkCommand } from './confirm-subscription-use-case.ts'
import { liveClaims } from './link-token.ts'

/** Unsubscribing by link, from a page or in one click (RFC 8058). */
export class EndSubscriptionUseCase extends UseCase<'tokens' | 'clock' | 'unitOfWork' | 'ending' | 'metrics'> {
  /**
   * Afterwards the subscription is erased or has ended, whatever its state was.
   * @throws {LinkNotValid} it has no valid signature
   */
  async execute({ token, source }: LinkCommand): Promise<void> {
    const { id } = liveClaims(this.ports.tokens, 'unsubscribe', token, this.ports.clock)
    const ended = await this.ports.unitOfWork.run(async (stores) => {
      const current = await stores.subscriptions.find(id)
      if (!current || current.status === 'ended') return false
      await this.ports.ending.end(stores, current, 'ended', source)
      return true
    })
    if (ended) this.ports.metrics.reached('ended')
  }
}
