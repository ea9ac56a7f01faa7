import { LinkNotValid } from '../errors.ts'
import { UseCase } from '../use-case.ts'
import type { LinkCommand } from './confirm-subscription-use-case.ts'
import { addressHash } from './email-address.ts'
import { liveClaims, subscriptionOf } from './link-token.ts'

/** 'This was not me': ends the subscription, and sign-up mails to the address, over all feeds. */
export class RefuseSubscriptionUseCase extends UseCase<
  'tokens' | 'clock' | 'digests' | 'unitOfWork' | 'ending' | 'metrics'
> {
  /**
   * Pressing again is as good as pressing once.
   * @throws {LinkNotValid} it has no valid signature, has expired, or was superseded by a later link
   */
  async execute({ token, source }: LinkCommand): Promise<void> {
    const claims = liveClaims(this.ports.tokens, 'refuse', token, this.ports.clock)
    const refused = await this.ports.unitOfWork.run(async (stores) => {
      const { subscriptions, suppressions } = stores
      const current = await subscriptionOf(claims, subscriptions)
      if (!current || current.status === 'ended') {
        const known = current ?? (await subscriptions.find(claims.id))
        if (known && (await suppressions.find(addressHash(this.ports.digests, known.addressKey)))) return false
        throw new LinkNotValid()
      }
      await this.ports.ending.end(stores, current, 'refused', source)
      const suppression = { cause: 'refused', since: this.ports.clock.now() } as const
      await suppressions.add(addressHash(this.ports.digests, current.addressKey), suppression)
      return true
    })
    if (refused) this.ports.metrics.reached('refused')
  }
}
