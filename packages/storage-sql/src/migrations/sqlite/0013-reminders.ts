import { type Kysely, sql } from 'kysely'

/**
 * No feed has reminders on before they are there, and the release before does not look at them: it plans none, and drops a
 * reminder that it finds in the outbox.
 */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  for (const statement of SCHEMA) await sql.raw(statement).execute(db)
}

const SCHEMA = [
  'ALTER TABLE feed ADD COLUMN remind_after INTEGER',
  `CREATE TABLE reminder (
    subscription INTEGER PRIMARY KEY REFERENCES subscription (seq) ON DELETE CASCADE,
    episode TEXT NOT NULL,
    remind_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    sign_up_group TEXT
  ) STRICT`,
  'CREATE INDEX reminder_due ON reminder (remind_at)',
  `CREATE TABLE reminded_mailbox (
    mailbox TEXT NOT NULL PRIMARY KEY,
    at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID`,
  'CREATE INDEX reminded_mailbox_age ON reminded_mailbox (at)',
]
