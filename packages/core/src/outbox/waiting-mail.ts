import type { Subscription } from '../subscriptions/subscription.ts'
import type { OutboxEntry } from './outbox-entry.ts'
import type { OutboxStore } from './outbox-store.ts'

/** The mail about this subscription that is still in the outbox; undefined once it is settled. */
export const waitingMail = async (
  outbox: OutboxStore,
  { id, lastMail }: Subscription,
): Promise<OutboxEntry | undefined> => {
  const entry = lastMail === undefined ? undefined : await outbox.find(lastMail)
  return entry?.subscriptionId === id ? entry : undefined
}

/** Takes back the mail that still waits, if there is one, and says which it was. */
export const withdrawMail = async (
  outbox: OutboxStore,
  subscription: Subscription,
): Promise<OutboxEntry | undefined> => {
  const waiting = await waitingMail(outbox, subscription)
  if (waiting) await outbox.remove(waiting.id)
  return waiting
}
