import { endFailing } from '../feedback/deliverability.ts'
import { currentOf } from '../moves/moved-subscriptions.ts'
import { UseCase } from '../use-case.ts'
import type { LinkCommand } from './confirm-subscription-use-case.ts'
import { endAndRecord } from './subscription-transitions.ts'

/** Unsubscribing by link, from a page or in one click (RFC 8058). */
export class EndSubscriptionUseCase extends UseCase<
  'signedLinks' | 'clock' | 'digests' | 'unitOfWork' | 'requests' | 'randomness'
> {
  /**
   * Afterwards the subscription is erased or has ended, whatever its state was.
   * @throws {LinkNotValid} it has no valid signature
   */
  async execute({ token, source }: LinkCommand): Promise<void> {
    const { id } = this.ports.signedLinks.require('unsubscribe', token)
    await this.ports.unitOfWork.run(async (stores) => {
      await this.ports.requests.firstOf(stores, id)
      const named = await stores.subscriptions.find(id)
      if (named) await endFailing(stores, named.address, this.ports.clock.now())
      // A link in an old mail ends what it has become: the reader wants no more of it, wherever it goes now.
      const current = await currentOf(stores, id)
      if (current && current.status !== 'ended') await endAndRecord(stores, current, 'ended', source, this.ports)
    })
  }
}
