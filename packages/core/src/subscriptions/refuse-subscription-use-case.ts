import { LinkNotValid } from '../errors.ts'
import { withdrawMails } from '../outbox/pending-mail.ts'
import { UseCase } from '../use-case.ts'
import type { LinkCommand } from './confirm-subscription-use-case.ts'
import { subscriptionOf } from './link-token.ts'
import { findSuppression, mailboxHashes, suppressMailbox } from './mailbox-hashes.ts'
import type { Subscription } from './subscription.ts'
import { endAndRecord } from './subscription-transitions.ts'

/** 'This was not me': ends the subscription, and sign-up mails to the mailbox, over all feeds. */
export class RefuseSubscriptionUseCase extends UseCase<
  'signedLinks' | 'clock' | 'digests' | 'unitOfWork' | 'randomness' | 'metrics'
> {
  /**
   * Pressing again is as good as pressing once.
   * @throws {LinkNotValid} it has no valid signature, has expired, or was superseded by a later link
   */
  async execute({ token, source }: LinkCommand): Promise<void> {
    const claims = this.ports.signedLinks.require('refuse', token)
    const refused = await this.ports.unitOfWork.run(async (stores) => {
      const { subscriptions, suppressions } = stores
      const hashesOf = ({ addressKey }: Subscription) => mailboxHashes(this.ports.digests, addressKey)
      const current = await subscriptionOf(claims, subscriptions)
      if (!current || current.status === 'ended') {
        const known = current ?? (await subscriptions.find(claims.id))
        if (known && (await findSuppression(suppressions, hashesOf(known)))) return false
        throw new LinkNotValid()
      }
      await endAndRecord(stores, current, 'refused', source, this.ports)
      await withdrawMails(stores.outbox, current)
      const suppression = { cause: 'refused', since: this.ports.clock.now() } as const
      await suppressMailbox(suppressions, hashesOf(current), suppression)
      return true
    })
    if (refused) this.ports.metrics.reached('refused')
  }
}
