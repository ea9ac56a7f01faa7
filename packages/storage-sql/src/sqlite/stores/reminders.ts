import type { ReminderStore } from '@rollcall/core'
import { PLAN, planValues, REMINDER_STORE } from '../../tables/reminders.ts'
import type { Synchronous } from '../asynchronous.ts'
import type { Writer } from '../writer.ts'
import type { RowCache } from './row-cache.ts'
import { sqliteStore } from './run-methods.ts'

export const sqliteReminderStore = (writer: Writer, cache: RowCache): Synchronous<ReminderStore> => {
  const plan = writer.connection.prepare(PLAN)
  return {
    ...sqliteStore(REMINDER_STORE, writer),
    plan: (reminder) => {
      const { seq } = cache.of(reminder.id)
      if (seq === undefined) throw new RangeError('There is no subscription for this reminder.')
      writer.write(plan, ...planValues(seq, reminder))
    },
  }
}
