import { type Kysely, sql } from 'kysely'

/** Mails of before are of no trace, and an instance of the version before writes none and reads none. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`ALTER TABLE outbox ADD COLUMN trace_context TEXT`.execute(db)
}
