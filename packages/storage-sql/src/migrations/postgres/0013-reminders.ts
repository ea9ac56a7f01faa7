import { type Kysely, sql } from 'kysely'

/**
 * No feed has reminders on before they are there, and the release before does not look at them: it plans none, and drops a
 * reminder that it finds in the outbox.
 */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  for (const statement of SCHEMA) await sql.raw(statement).execute(db)
}

const SCHEMA = [
  'ALTER TABLE feed ADD COLUMN remind_after bigint',
  `CREATE TABLE reminder (
    subscription bigint PRIMARY KEY REFERENCES subscription (seq) ON DELETE CASCADE,
    episode text COLLATE "C" NOT NULL,
    remind_at bigint NOT NULL,
    expires_at bigint NOT NULL,
    sign_up_group text COLLATE "C"
  )`,
  'CREATE INDEX reminder_due ON reminder (remind_at)',
  `CREATE TABLE reminded_mailbox (
    mailbox text COLLATE "C" PRIMARY KEY,
    at bigint NOT NULL
  )`,
  'CREATE INDEX reminded_mailbox_age ON reminded_mailbox (at)',
]
