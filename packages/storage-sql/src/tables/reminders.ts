import type { AddressHash, MonthlyMail, PlannedReminder, ReminderStore } from '@rollcall/core'
import { all, find, first, type Methods, pruneBefore, write } from './methods.ts'
import { columnsOf, excluded, insertInto, mapping, type RowOf, table, text, whole } from './table.ts'

/** What waits for its time: few, however many subscriptions there are. */
export const REMINDER = table('reminder', 1, {
  subscription: whole(),
  episode: text(),
  remind_at: whole(),
  expires_at: whole(),
  sign_up_group: text<string | null>(),
})

export const MONTHLY_MAIL = table('monthly_mail', 2, {
  mailbox: text<AddressHash>(),
  mail: text<MonthlyMail>(),
  at: whole(),
})

const PLANNED = mapping(REMINDER, 'subscription')

type ReminderRow = RowOf<typeof REMINDER> & { readonly id: number }

const toReminder = (row: ReminderRow): PlannedReminder => ({ id: row.id, ...PLANNED.toRecord(row) })

const REMINDERS = `SELECT subscription.id, r.episode, r.remind_at, r.expires_at, r.sign_up_group
  FROM reminder AS r JOIN subscription ON subscription.seq = r.subscription`

/** `plan`, by the place of the subscription. */
export const PLAN = `${insertInto('reminder', columnsOf(REMINDER))}
  ON CONFLICT (subscription) DO UPDATE SET ${excluded(PLANNED.columns)}`

export const planValues = (seq: number, reminder: PlannedReminder) => [seq, ...PLANNED.toValues(reminder)] as const

export const REMINDER_STORE: Methods<Omit<ReminderStore, 'plan'>> = {
  find: find(`${REMINDERS} WHERE subscription.id = +?`, (id) => [id], toReminder),
  lastOf: first(
    'SELECT at FROM monthly_mail WHERE mailbox = ? AND mail = ?',
    (mailbox, mail) => [mailbox, mail],
    (row: { at: number } | undefined) => row?.at,
  ),
  cancel: write('DELETE FROM reminder WHERE subscription = (SELECT seq FROM subscription WHERE id = +?)', (id) => [id]),
  due: all(
    `${REMINDERS} WHERE r.remind_at <= ? ORDER BY r.remind_at, r.subscription LIMIT +?`,
    (now, limit) => [now, limit],
    toReminder,
  ),
  note: write(
    `INSERT INTO monthly_mail (mailbox, mail, at) VALUES (?, ?, ?)
      ON CONFLICT (mailbox, mail) DO UPDATE SET at = excluded.at`,
    (mailbox, mail, at) => [mailbox, mail, at],
  ),
  prune: pruneBefore('monthly_mail', 'mailbox, mail', 'at'),
}
