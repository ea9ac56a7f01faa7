import { type Kysely, sql } from 'kysely'

/** Events of before are of no trace, and an instance of the version before writes none and reads none. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`ALTER TABLE event ADD COLUMN trace_context TEXT`.execute(db)
  await sql`ALTER TABLE webhook_delivery ADD COLUMN trace_context TEXT`.execute(db)
}
