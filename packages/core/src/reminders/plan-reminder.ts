import type { Instant } from '../instant.ts'
import type { Mail } from '../outbox/mail-transport.ts'
import type { OutboxEntry } from '../outbox/outbox-store.ts'
import type { Stores } from '../unit-of-work.ts'
import { LINK_LEFT, SOONER, TIME_TO_SEND } from './remind-after.ts'

/**
 * Plans a reminder of a mail that the relay has just taken, if its feed has them on; of a mail about several feeds, if all
 * of them have.
 */
export const planReminder = async (
  { subscriptions, reminders }: Stores,
  { id: mail, kind, subscriptionId: id, signUpGroup, expiresAt = 0 }: OutboxEntry,
  { feed, feeds = [feed] }: Pick<Mail, 'feed' | 'feeds'>,
  now: Instant,
): Promise<void> => {
  const wanted = now + Math.max(...feeds.map(({ remindAfter = Number.POSITIVE_INFINITY }) => remindAfter))
  const remindAt = Math.min(wanted, expiresAt - LINK_LEFT - TIME_TO_SEND)
  if (kind !== 'confirmation' || wanted - remindAt > SOONER) return
  const subscription = await subscriptions.find(id)
  // Confirmed or erased while the mail was on its way, or begun again.
  if (subscription?.status !== 'pending' || subscription.lastMail !== mail) return
  await reminders.plan({ id, episode: subscription.episode, remindAt, expiresAt, signUpGroup })
}
