import { LinkNotValid } from '../errors.ts'
import { endFailing } from '../feedback/deliverability.ts'
import { knownByLink, subscriptionsOfLink } from '../links/link-token.ts'
import { withdrawMails } from '../outbox/pending-mail.ts'
import { findSuppression, mailboxHashes } from '../suppressions/mailbox-hashes.ts'
import { UseCase } from '../use-case.ts'
import type { LinkCommand } from './confirm-subscription-use-case.ts'
import type { Subscription } from './subscription.ts'
import { endAndRecord } from './subscription-transitions.ts'

/** 'This was not me': ends the subscription, and sign-up mails to the mailbox, over all feeds. */
export class RefuseSubscriptionUseCase extends UseCase<
  'signedLinks' | 'clock' | 'digests' | 'unitOfWork' | 'requests' | 'randomness'
> {
  /**
   * Pressing again is as good as pressing once.
   * @throws {LinkNotValid} it has no valid signature, has expired, or was superseded by a later link
   */
  async execute({ token, source }: LinkCommand): Promise<void> {
    const claims = this.ports.signedLinks.require('refuse', token)
    await this.ports.unitOfWork.run(async (stores) => {
      const { suppressions } = stores
      const hashesOf = ({ addressKey }: Subscription) => mailboxHashes(this.ports.digests, addressKey)
      await this.ports.requests.firstOf(stores, claims.id)
      const found = await subscriptionsOfLink(claims, stores)
      const [current, ...others] = found.filter(({ status }) => status !== 'ended')
      if (current === undefined) {
        const known = found[0] ?? (await knownByLink(claims, stores))
        if (known && (await findSuppression(suppressions, hashesOf(known)))) return
        throw new LinkNotValid()
      }
      await endFailing(stores, current.address, this.ports.clock.now())
      for (const refused of [current, ...others]) {
        await endAndRecord(stores, refused, 'refused', source, this.ports)
        await withdrawMails(stores, refused)
      }
      await suppressions.add(hashesOf(current).mailbox, { cause: 'refused', since: this.ports.clock.now() })
    })
  }
}
