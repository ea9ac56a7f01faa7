import { type Kysely, sql } from 'kysely'

/** Feeds of before have none. An instance of the version before keeps what is there. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`ALTER TABLE feed ADD COLUMN home_url text COLLATE "C"`.execute(db)
}
