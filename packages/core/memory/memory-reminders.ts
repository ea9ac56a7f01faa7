import type { Instant, PlannedReminder, ReminderStore, SubscriptionId } from '../src/index.ts'
import { type Journal, Table } from './journal.ts'

/** `has`: whether there is such a subscription; its reminder is cancelled if it is erased. */
export const memoryReminders = (journal: Journal, has: (id: SubscriptionId) => boolean): ReminderStore => {
  const planned = new Table<SubscriptionId, PlannedReminder>(journal)
  const had = new Table<string, Instant>(journal)

  return {
    find: async (id) => planned.get(id),
    lastOf: async (mailbox, mail) => had.get(`${mail} ${mailbox}`),
    plan: async (reminder) => {
      if (!has(reminder.id)) throw new RangeError('There is no subscription for this reminder.')
      planned.set(reminder.id, reminder)
    },
    cancel: async (id) => planned.delete(id),
    due: async (now, limit) =>
      planned
        .rows()
        .filter(({ remindAt }) => remindAt <= now)
        .sort((a, b) => a.remindAt - b.remindAt)
        .slice(0, limit),
    note: async (mailbox, mail, at) => had.set(`${mail} ${mailbox}`, at),
    prune: async (before, limit) => had.prune((at) => at < before, limit),
  }
}
