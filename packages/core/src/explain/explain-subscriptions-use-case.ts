import type { Caller } from '../access/caller.ts'
import type { DeliverabilityState } from '../feedback/deliverability-store.ts'
import type { AddressMove } from '../moves/move-store.ts'
import { slotsOf } from '../outbox/mail-cap.ts'
import { waitingMail, waitingOwnMail } from '../outbox/pending-mail.ts'
import { type AddressHash, parseEmailAddress } from '../subscriptions/email-address.ts'
import type { Subscription } from '../subscriptions/subscription.ts'
import { findSuppression, type MailboxHashes, mailboxHashes } from '../suppressions/mailbox-hashes.ts'
import type { StoredSuppression } from '../suppressions/suppression-store.ts'
import type { Stores } from '../unit-of-work.ts'
import { UseCase } from '../use-case.ts'
import { closedFeeds } from './closed-feeds.ts'
import { conclusionOf } from './conclusion.ts'
import { type ExplainedMail, type ExplainedSubscription, type TimelineEntry, timelineOf } from './timeline.ts'

export interface Explanation {
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
  'access' | 'unitOfWork' | 'trail' | 'clock' | 'digests' | 'domainNames' | 'blockedDomains',
  'feeds'
> {
  static readonly permission = 'subscriptions:read'
  static readonly action = 'subscription.explain'

  /**
   * Each question is on record, by the hash of the address.
   * @throws {InsufficientPermissions} the caller may not
   * @throws {InvalidInput} the address is not valid
   */
  async execute({ email }: { readonly email: string }, caller: Caller): Promise<Explanation> {
    const { action } = await this.ports.access.require(caller, ExplainSubscriptionsUseCase)
    const address = parseEmailAddress(email, this.ports.domainNames)
    const hashes = mailboxHashes(this.ports.digests, address.key)
    // Outside the unit, which is not to wait for any number of feeds.
    const feeds = await closedFeeds(this.ports.readers.feeds)
    // One unit, so that all else was true at the same time.
    return await this.ports.unitOfWork.run(async (stores) => {
      const now = this.ports.clock.now()
      const subscriptions = await this.#subscriptions(stores, hashes.address)
      const move = await stores.moves.ofAddress(hashes.address)
      const known = {
        suppression: await findSuppression(stores.suppressions, hashes),
        deliverability: await stores.deliverability.find(hashes.address),
        waiting: await stores.feedback.ofAddress(hashes.address),
        subscriptions,
        requests: await stores.requests.ofAddress(hashes.address),
        mails: [...(await mailsAbout(stores, subscriptions)), ...(await moveMails(stores, hashes, move))],
        move,
        slots: await slotsOf(stores.mailCaps, hashes.mailbox),
        linkMailedAt: await stores.reminders.lastOf(hashes.mailbox, 'preferences'),
        isBlockedDomain: this.ports.blockedDomains.has(address),
        feeds,
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

  async #subscriptions(stores: Stores, address: AddressHash): Promise<readonly ExplainedSubscription[]> {
    const found: ExplainedSubscription[] = []
    for (const subscription of await stores.subscriptions.ofAddress(address)) {
      const consents = await stores.consents.list(subscription.id)
      found.push({ subscription, consents, reminder: await stores.reminders.find(subscription.id) })
    }
    return found
  }
}

/** The mails in the outbox that are about these. */
const mailsAbout = async (
  { outbox }: Stores,
  subscriptions: readonly ExplainedSubscription[],
): Promise<readonly ExplainedMail[]> => {
  const found: ExplainedMail[] = []
  for (const { subscription } of subscriptions) {
    const mails = [
      await waitingMail(outbox, subscription),
      await waitingOwnMail(outbox, subscription.id, subscription.preferencesMail),
    ]
    const each = new Map(mails.filter((mail) => mail !== undefined).map((mail) => [mail.id, mail]))
    for (const mail of each.values()) found.push({ mail, feed: subscription.feed })
  }
  return found
}

/** How many requests to move to one address are looked at. */
const MOST_REQUESTS = 20

/** The mails in the outbox that ask this address whether another moves to it, and the one that tells it of its own move. */
const moveMails = async (
  { moves, outbox, subscriptions }: Stores,
  { address }: MailboxHashes,
  own: AddressMove | undefined,
): Promise<readonly ExplainedMail[]> => {
  const asked = await moves.askedOf(address, MOST_REQUESTS)
  const found: ExplainedMail[] = []
  for (const move of own?.movedAt === undefined ? asked : [own, ...asked]) {
    const mail = await waitingOwnMail(outbox, move.id, move.mail)
    if (mail) found.push({ mail, feed: (await subscriptions.find(move.id))?.feed })
  }
  return found
}
