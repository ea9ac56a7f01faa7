import { type Kysely, sql } from 'kysely'

/** Users of before are not suspended. An instance of the version before keeps what is there, but does not look at it. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`ALTER TABLE user_account ADD COLUMN suspended_at bigint`.execute(db)
  await sql`CREATE INDEX user_account_suspended ON user_account (seq) WHERE suspended_at IS NOT NULL`.execute(db)
}
