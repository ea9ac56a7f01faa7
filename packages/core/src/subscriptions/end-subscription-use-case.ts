import { endFailing } from '../feedback/deliverability.ts'
import { linkedBy } from '../moves/moved-subscriptions.ts'
import { UseCase } from '../use-case.ts'
import type { LinkCommand } from './confirm-subscription-use-case.ts'
import { endAndRecord } from './subscription-transitions.ts'

/** Unsubscribing by link, from a page or in one click (RFC 8058). */
export class EndSubscriptionUseCase extends UseCase<
  'signedLinks' | 'clock' | 'digests' | 'unitOfWork' | 'requests' | 'randomness'
> {
  /**
   * Afterwards the subscription is erased or has ended, whatever its state was, and so has what it has become: the
   * reader wants no more of it, wherever it goes now.
   * @throws {LinkNotValid} it has no valid signature
   */
  async execute({ token, source }: LinkCommand): Promise<void> {
    const { id } = this.ports.signedLinks.require('unsubscribe', token)
    await this.ports.unitOfWork.run(async (stores) => {
      for (const one of await this.ports.requests.firstOfAll(stores, () => linkedBy(stores, id))) {
        if (one.id === id) await endFailing(stores, one.address, this.ports.clock.now())
        if (one.status !== 'ended') await endAndRecord(stores, one, 'ended', source, this.ports)
      }
    })
  }
}
