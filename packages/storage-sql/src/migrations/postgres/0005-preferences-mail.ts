import { type Kysely, sql } from 'kysely'

/** Subscriptions of before have none, and an instance of the version before has this mail in `last_mail`. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`ALTER TABLE subscription ADD COLUMN preferences_mail bigint`.execute(db)
}
