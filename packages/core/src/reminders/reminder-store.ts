import { DAY, type Instant } from '../instant.ts'
import type { SignUpGroup } from '../sign-up/sign-up-group-store.ts'
import type { AddressHash } from '../subscriptions/email-address.ts'
import type { SubscriptionId } from '../subscriptions/subscription-id.ts'

/** `preferences`: the one that goes to a mailbox although its owner wants no mail. */
export type MonthlyMail = 'reminder' | 'preferences'

/** A mailbox gets one of each in this time. */
export const MONTH = 30 * DAY

/** A reminder that is to come, unless the subscription is confirmed before. */
export interface PlannedReminder {
  readonly id: SubscriptionId
  /** The life of the subscription that it is for. */
  readonly episode: string
  readonly remindAt: Instant
  /** When the link in it expires. */
  readonly expiresAt: Instant
  /** Of the mail that it reminds of. */
  readonly signUpGroup: SignUpGroup | undefined
}

/** Which reminders are to come, and which mailboxes have had a monthly mail. A planned one goes with its subscription. */
export interface ReminderStore {
  /** The one that is planned for this subscription. */
  find(id: SubscriptionId): Promise<PlannedReminder | undefined>
  /** When the mailbox last had such a mail, as far as that is kept. */
  lastOf(mailbox: AddressHash, mail: MonthlyMail): Promise<Instant | undefined>
  /** Plans a reminder for a subscription that is stored; replaces the one that was planned for it. */
  plan(reminder: PlannedReminder): Promise<void>
  /** Nothing if there is none. */
  cancel(id: SubscriptionId): Promise<void>
  /** Up to `limit` whose `remindAt` is at or before `now`, soonest first. */
  due(now: Instant, limit: number): Promise<readonly PlannedReminder[]>
  /** Remembers that the mailbox had such a mail. */
  note(mailbox: AddressHash, mail: MonthlyMail, at: Instant): Promise<void>
  /** Forgets up to `limit` such mails from before `before`; says how many. */
  prune(before: Instant, limit: number): Promise<number>
}

/**
 * When the mailbox last had such a mail. A time later than `now` is of a clock that was set back since: it becomes `now`, and
 * is stored so, or no such mail would come until the clock is there again.
 */
export const lastMonthly = async (
  reminders: Pick<ReminderStore, 'lastOf' | 'note'>,
  mailbox: AddressHash,
  mail: MonthlyMail,
  now: Instant,
): Promise<Instant | undefined> => {
  const last = await reminders.lastOf(mailbox, mail)
  if (last === undefined || last <= now) return last
  await reminders.note(mailbox, mail, now)
  return now
}
