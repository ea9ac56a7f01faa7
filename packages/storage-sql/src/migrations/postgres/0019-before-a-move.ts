import { type Kysely, sql } from 'kysely'

/**
 * Of moves that can no longer be undone, links of the old address led also to what the new one had before. The ledger of a
 * subscription that a move has made says so.
 */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`DELETE FROM moved_subscription WHERE move IS NULL AND NOT EXISTS (
    SELECT 1 FROM subscription AS s JOIN consent AS c ON c.subscription = s.seq
      WHERE s.id = moved_subscription.new_id AND c.deed = 'moved')`.execute(db)
}
