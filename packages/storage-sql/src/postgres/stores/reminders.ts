import type { ReminderStore } from '@rollcall/core'
import { PLAN, planValues, REMINDER_STORE } from '../../tables/reminders.ts'
import { keyOf } from '../lock-keys.ts'
import { statement } from '../statement.ts'
import type { Transaction } from '../transaction.ts'
import type { RowCache } from './row-cache.ts'
import { firm, inPostgres, lock, postgresStore } from './run-methods.ts'

const store = postgresStore(REMINDER_STORE, {
  find: firm(keyOf.subscription),
  lastOf: firm(keyOf.address),
  cancel: lock(keyOf.subscription),
  due: firm(),
  note: lock(keyOf.address),
})

const PLANNED = statement(inPostgres(PLAN))

export const postgresReminderStore = (unit: Transaction, cache: RowCache): ReminderStore => ({
  ...store(unit),
  plan: async (reminder) => {
    unit.lock(keyOf.subscription(reminder.id))
    const { seq } = await cache.of(reminder.id)
    if (seq === undefined) throw new RangeError('There is no subscription for this reminder.')
    unit.write(PLANNED, ...planValues(seq, reminder))
  },
})
