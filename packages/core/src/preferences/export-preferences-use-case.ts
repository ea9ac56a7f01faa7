import type { Deliverability } from '../feedback/deliverability-store.ts'
import type { WaitingFeedback } from '../feedback/feedback-store.ts'
import type { Feed } from '../feeds/feed.ts'
import type { Instant } from '../instant.ts'
import type { AddressMove } from '../moves/move-store.ts'
import { isMadeByMove, withMove } from '../moves/moved-subscriptions.ts'
import { type MailSlot, slotsOf } from '../outbox/mail-cap.ts'
import type { OutboxEntry } from '../outbox/outbox-store.ts'
import { waitingMail, waitingOwnMail } from '../outbox/pending-mail.ts'
import type { WaitingRequest } from '../sign-up/waiting-request.ts'
import type { ConsentRecord } from '../subscriptions/consent.ts'
import type { Subscription } from '../subscriptions/subscription.ts'
import type { SubscriptionId } from '../subscriptions/subscription-id.ts'
import type { StoredSuppression } from '../suppressions/suppression-store.ts'
import type { Stores } from '../unit-of-work.ts'
import { UseCase } from '../use-case.ts'
import { openPreferences } from './preferences.ts'
import type { PreferencesCommand } from './show-preferences-use-case.ts'

export interface StoredSubscription {
  readonly subscription: Subscription
  readonly feed: Feed | undefined
  readonly consents: readonly ConsentRecord[]
  readonly pendingMail: OutboxEntry | undefined
  /** Message-IDs of the mails that the transport still has. */
  readonly keptMails: readonly string[]
  /** What it was made of, if a change of address made it. */
  readonly movedFrom: readonly SubscriptionId[]
  /** When a reminder is to come, unless it is confirmed before. */
  readonly remindAt: Instant | undefined
}

export interface StoredAboutAddress {
  readonly at: Instant
  readonly email: string
  /** Also expired unconfirmed ones, until they are swept. */
  readonly subscriptions: readonly StoredSubscription[]
  readonly suppression: StoredSuppression | undefined
  /** What came back of mails to the address, if anything did. */
  readonly deliverability: Deliverability | undefined
  /** What senders reported of it that waits for an administrator, the oldest first. */
  readonly waitingFeedback: readonly WaitingFeedback[]
  /** What was asked about it and is not carried out yet, parked ones as well, oldest first. */
  readonly waitingRequests: readonly WaitingRequest[]
  /** The mails to its mailbox of the last week, which count towards the caps. */
  readonly mailSlots: readonly MailSlot[]
  /** A change of this address that was asked for, or can still be undone. */
  readonly move: AddressMove | undefined
  /** When its mailbox was last reminded, for 30 days. */
  readonly remindedAt: Instant | undefined
  /** When its owner, who wants no mail, last had the link to the preferences, for 30 days. */
  readonly linkMailedAt: Instant | undefined
}

/** Gives the owner of an address everything that is stored about it. Changes nothing. */
export class ExportPreferencesUseCase extends UseCase<'signedLinks' | 'unitOfWork' | 'clock' | 'digests'> {
  /** @throws {LinkNotValid} it has no valid signature, its hour is over, or the subscription that it was mailed for is gone */
  async execute({ token }: PreferencesCommand): Promise<StoredAboutAddress> {
    // One unit, though it only reads: so that all of it was true at the same time.
    return await this.ports.unitOfWork.run(async (stores) => {
      const { own, hashes, suppression } = await openPreferences(stores, token, this.ports)
      const { email, address } = own.subscription
      const found = await stores.subscriptions.ofAddress(address)
      const subscriptions: StoredSubscription[] = []
      for (const subscription of found) subscriptions.push(await storedOf(stores, subscription))
      const mailSlots = await slotsOf(stores.mailCaps, hashes.mailbox)
      const deliverability = await stores.deliverability.find(hashes.address)
      const waitingFeedback = await stores.feedback.ofAddress(hashes.address)
      const waitingRequests = await stores.requests.ofAddress(hashes.address)
      const move = await stores.moves.ofAddress(hashes.address)
      const remindedAt = await stores.reminders.lastOf(hashes.mailbox, 'reminder')
      const linkMailedAt = await stores.reminders.lastOf(hashes.mailbox, 'preferences')
      const at = this.ports.clock.now()
      const about = { subscriptions, suppression, deliverability, waitingFeedback, waitingRequests, mailSlots, move }
      return { at, email, ...about, remindedAt, linkMailedAt }
    })
  }
}

const storedOf = async (
  { feeds, consents, outbox, keptMails, moves, reminders }: Stores,
  subscription: Subscription,
): Promise<StoredSubscription> => ({
  subscription: await withMove(moves, subscription),
  feed: await feeds.find(subscription.feed),
  consents: await consents.list(subscription.id),
  pendingMail:
    (await waitingMail(outbox, subscription)) ??
    (await waitingOwnMail(outbox, subscription.id, subscription.preferencesMail)),
  keptMails: await keptMails.list(subscription.id),
  movedFrom: (await moves.movedTo(subscription.id)).filter(isMadeByMove).map(({ oldId }) => oldId),
  remindAt: (await reminders.find(subscription.id))?.remindAt,
})
