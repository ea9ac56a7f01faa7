import { type Kysely, sql } from 'kysely'

/**
 * A session plans what a trigger asks once, and keeps the plan. One that was made while the table was nearly empty went
 * through all of it for each new record, however long it became.
 */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`ALTER FUNCTION rollcall_audit_record_in_turn() SET enable_seqscan = off`.execute(db)
  await sql`ALTER FUNCTION rollcall_audit_checkpoint_in_turn() SET enable_seqscan = off`.execute(db)
}
