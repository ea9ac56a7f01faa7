import type { Instant } from '../instant.ts'
import type { Stores } from '../storage/unit-of-work.ts'
import type { AddressHash } from '../subscriptions/address-hash.ts'
import type { Subscription } from '../subscriptions/subscription.ts'
import { mailCapAllows } from './mail-cap.ts'
import type { MessageIds } from './message-ids.ts'
import type { PendingMail } from './outbox-entry.ts'
import { waitingMail } from './waiting-mail.ts'

type Occasion = Pick<PendingMail, 'kind' | 'subscriptionId' | 'address' | 'expiresAt'>

/** A mail that is owed from now on, under a name of its own. */
export const pendingMail = (messageIds: MessageIds, occasion: Occasion, now: Instant): PendingMail => ({
  ...occasion,
  messageId: messageIds.next(occasion.subscriptionId),
  createdAt: now,
  notBefore: now,
})

/** Whether another mail about the subscription may be owed: none waits, and the caps of its address allow one now. */
export const mayOweAnother = async (
  { outbox, mailCaps }: Pick<Stores, 'outbox' | 'mailCaps'>,
  subscription: Subscription,
  address: AddressHash,
  now: Instant,
): Promise<boolean> => !(await waitingMail(outbox, subscription)) && mailCapAllows(await mailCaps.slots(address), now)
