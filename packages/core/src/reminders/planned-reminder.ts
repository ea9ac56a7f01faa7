import type { Instant } from '../instant.ts'
import type { Mail } from '../outbox/mail-transport.ts'
import type { OutboxEntry } from '../outbox/outbox-store.ts'
import type { Subscription } from '../subscriptions/subscription.ts'
import { LINK_LEFT, SOONER, TIME_TO_SEND } from './remind-after.ts'
import type { PlannedReminder } from './reminder-store.ts'

/**
 * The reminder of a mail that the relay has just taken, if its feed has them on; of a mail about several feeds, if all of
 * them have.
 */
export const plannedReminder = (
  { id: mail, kind, signUpGroup, expiresAt = 0 }: OutboxEntry,
  { feed, feeds = [feed] }: Pick<Mail, 'feed' | 'feeds'>,
  subscription: Subscription | undefined,
  now: Instant,
): PlannedReminder | undefined => {
  const wanted = now + Math.max(...feeds.map(({ remindAfter = Number.POSITIVE_INFINITY }) => remindAfter))
  const remindAt = Math.min(wanted, expiresAt - LINK_LEFT - TIME_TO_SEND)
  if (feed.remindAfter === undefined || kind !== 'confirmation' || wanted - remindAt > SOONER) return undefined
  // Confirmed or erased while the mail was on its way, or begun again.
  if (subscription?.status !== 'pending' || subscription.lastMail !== mail) return undefined
  return { id: subscription.id, episode: subscription.episode, remindAt, expiresAt, signUpGroup }
}
