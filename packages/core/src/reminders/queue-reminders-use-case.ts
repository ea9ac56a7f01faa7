import { remindsNow } from '../feeds/feed.ts'
import type { Instant } from '../instant.ts'
import { subscriptionsOfLink } from '../links/link-token.ts'
import { reminderAllowedAt, slotsAt } from '../outbox/mail-cap.ts'
import { queueMail, waitingMail } from '../outbox/pending-mail.ts'
import type { Subscription } from '../subscriptions/subscription.ts'
import { findSuppression, type MailboxHashes, mailboxHashes } from '../suppressions/mailbox-hashes.ts'
import type { Stores } from '../unit-of-work.ts'
import { type BatchReport, UseCase } from '../use-case.ts'
import { LINK_LEFT } from './remind-after.ts'
import { lastMonthly, MONTH, type PlannedReminder } from './reminder-store.ts'

const BATCH = 50

/** Queues the reminders that are due, and forgets who was reminded long ago. */
export class QueueRemindersUseCase extends UseCase<'clock' | 'unitOfWork' | 'digests' | 'randomness' | 'transport'> {
  /** Counts the mails. Each reminder is taken off the list in the unit of work that queues its mail. */
  async execute(): Promise<BatchReport> {
    const now = this.ports.clock.now()
    const { due, queued, pruned } = await this.ports.unitOfWork.run(async (stores) => {
      const due = await stores.reminders.due(now, BATCH)
      let queued = 0
      for (const reminder of due) {
        await stores.reminders.cancel(reminder.id)
        if (await this.#queue(stores, reminder, now)) queued++
      }
      return { due: due.length, queued, pruned: await stores.reminders.prune(now - MONTH, BATCH) }
    })
    return { count: queued, more: due === BATCH || pruned === BATCH }
  }

  /** Whether there is a mail to be sent. */
  async #queue(stores: Stores, reminder: PlannedReminder, now: Instant): Promise<boolean> {
    const { id, episode, expiresAt, signUpGroup } = reminder
    const subscription = await stores.subscriptions.find(id)
    if (subscription?.episode !== episode || subscription.status !== 'pending' || expiresAt - LINK_LEFT < now)
      return false
    const asked = (await subscriptionsOfLink({ id, episode, group: signUpGroup }, stores)).filter(
      ({ status }) => status === 'pending',
    )
    const hashes = mailboxHashes(this.ports.digests, subscription.addressKey)
    if (asked.length === 0 || !(await mayRemind(stores, asked, hashes, now))) return false
    const slots = await slotsAt(stores.mailCaps, [hashes.mailbox], now)
    const allowedAt = reminderAllowedAt(slots.get(hashes.mailbox) ?? [], now)
    if (allowedAt > now) {
      await stores.reminders.plan({ ...reminder, remindAt: allowedAt })
      return false
    }
    const occasion = { kind: 'reminder', subscriptionId: id, address: hashes.address, expiresAt, signUpGroup } as const
    const lastMail = await queueMail(stores.outbox, this.ports, occasion, now)
    for (const one of asked) await stores.subscriptions.put({ ...one, lastMail })
    await stores.reminders.note(hashes.mailbox, 'reminder', now)
    return true
  }
}

/** But for the caps. */
const mayRemind = async (
  stores: Stores,
  asked: readonly Subscription[],
  hashes: MailboxHashes,
  now: Instant,
): Promise<boolean> => {
  const { deliverability, feeds, outbox, reminders, suppressions } = stores
  for (const one of asked) {
    if (!remindsNow(await feeds.find(one.feed))) return false
    // A mail that is owed asks the same. Once the relay has taken it, a reminder is planned again.
    if (await waitingMail(outbox, one)) return false
  }
  if (await findSuppression(suppressions, hashes)) return false
  if ((await deliverability.find(hashes.address))?.state === 'undeliverable') return false
  const last = await lastMonthly(reminders, hashes.mailbox, 'reminder', now)
  return last === undefined || last <= now - MONTH
}
