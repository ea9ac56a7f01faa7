import type { Caller } from '../access/caller.ts'
import type { DeliverabilityState } from '../feedback/deliverability-store.ts'
import { mailboxSlots } from '../outbox/mailbox-slots.ts'
import { waitingMail, waitingPreferencesMail } from '../outbox/pending-mail.ts'
import { parseEmailAddress } from '../subscriptions/email-address.ts'
import { findSuppression, mailboxHashes } from '../subscriptions/mailbox-hashes.ts'
import type { Subscription } from '../subscriptions/subscription.ts'
import { subscriptionsOf } from '../subscriptions/subscriptions-of.ts'
import type { StoredSuppression } from '../subscriptions/suppression-store.ts'
import type { Stores } from '../unit-of-work.ts'
import { UseCase } from '../use-case.ts'
import { conclusionOf } from './conclusion.ts'
import { type ExplainedSubscription, type TimelineEntry, timelineOf } from './timeline.ts'

/** Why an address gets a mail, or none. */
export interface Explanation {
  /** As it was asked for. */
  readonly email: string
  readonly suppression: StoredSuppression | undefined
  readonly deliverability: 'ok' | DeliverabilityState
  readonly subscriptions: readonly Subscription[]
  /** As far back as it is kept. */
  readonly timeline: readonly TimelineEntry[]
  /** What would make a mail go out now. */
  readonly conclusion: string
}

/** Says for one address why no mail came. */
export class ExplainSubscriptionsUseCase extends UseCase<
  'access' | 'unitOfWork' | 'trail' | 'clock' | 'digests' | 'domainNames'
> {
  static readonly permission = 'subscriptions:read'
  static readonly action = 'subscription.explain'

  /**
   * Each question is on record, by the hash of the address.
   * @throws {InsufficientPermissions} the caller may not
   * @throws {InvalidInput} the address is not valid
   */
  async execute({ email }: { readonly email: string }, caller: Caller): Promise<Explanation> {
    const { action } = this.ports.access.require(caller, ExplainSubscriptionsUseCase)
    const address = parseEmailAddress(email, this.ports.domainNames)
    const hashes = mailboxHashes(this.ports.digests, address.key)
    // One unit, so that all of it was true at the same time.
    return await this.ports.unitOfWork.run(async (stores) => {
      const now = this.ports.clock.now()
      const known = {
        suppression: await findSuppression(stores.suppressions, hashes),
        deliverability: await stores.deliverability.find(hashes.address),
        subscriptions: await this.#subscriptions(stores, address.key),
        slots: (await mailboxSlots(stores.mailCaps, hashes)).all,
      }
      await this.ports.trail.done(stores.audit, caller, { action, target: hashes.address })
      return {
        email: address.value,
        suppression: known.suppression,
        deliverability: known.deliverability?.state ?? 'ok',
        subscriptions: known.subscriptions.map(({ subscription }) => subscription),
        timeline: timelineOf(known, now),
        conclusion: conclusionOf(known, now),
      }
    })
  }

  async #subscriptions(stores: Stores, addressKey: string): Promise<readonly ExplainedSubscription[]> {
    const found: ExplainedSubscription[] = []
    for (const subscription of await subscriptionsOf(stores, this.ports.digests, addressKey)) {
      const consents = await stores.consents.list(subscription.id)
      const mails = [
        await waitingMail(stores.outbox, subscription),
        await waitingPreferencesMail(stores.outbox, subscription),
      ].filter((mail) => mail !== undefined)
      const reminder = await stores.reminders.find(subscription.id)
      const each = [...new Map(mails.map((mail) => [mail.id, mail])).values()]
      found.push({ subscription, consents, mails: each, reminder })
    }
    return found
  }
}
