import type { ReminderStore } from '@rollcall/core'
import { PLAN, planValues, REMINDER_STORE } from '../../tables/reminders.ts'
import type { Synchronous } from '../asynchronous.ts'
import type { Writer } from '../writer.ts'
import { type Places, requirePlace } from './places.ts'
import { sqliteStore } from './run-methods.ts'

export const sqliteReminderStore = (writer: Writer, places: Places): Synchronous<ReminderStore> => {
  const plan = writer.connection.prepare(PLAN)
  return {
    ...sqliteStore(REMINDER_STORE, writer),
    plan: (reminder) => {
      writer.write(plan, ...planValues(requirePlace(places, reminder.id, 'reminder'), reminder))
    },
  }
}
