import type { Instant } from '../instant.ts'
import type { Stores } from '../storage/unit-of-work.ts'
import type { AddressHash } from '../subscriptions/address-hash.ts'
import type { Subscription } from '../subscriptions/subscription.ts'
import { mailCapAllows } from './mail-cap.ts'
import type { MessageIds } from './message-ids.ts'
import type { PendingMail } from './outbox-entry.ts'
import { waitingMail } from './waiting-mail.ts'

type Occasion = Pick<PendingMail, 'kind' | 'subscriptionId' | 'address' | 'expiresAt'>

/** A mail to be sent from now on, with an id of its own. */
export const pendingMail = (messageIds: MessageIds, occasion: Occasion, now: Instant): PendingMail => ({
  ...occasion,
  messageId: messageIds.next(occasion.subscriptionId),
  createdAt: now,
  notBefore: now,
})

/** Whether another mail about the subscription may be queued: none waits, and the caps of its address allow one now. */
export const mayQueueAnother = async (
  { outbox, mailCaps }: Pick<Stores, 'outbox' | 'mailCaps'>,
  subscription: Subscription,
  address: AddressHash,
  now: Instant,
): Promise<boolean> => !(await waitingMail(outbox, subscription)) && mailCapAllows(await mailCaps.slots(address), now)
