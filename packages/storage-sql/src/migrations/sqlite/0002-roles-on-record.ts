import { type Kysely, sql } from 'kysely'

/** Records of before, and those of an instance of the version before, have none. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`ALTER TABLE audit_record ADD COLUMN roles_hash TEXT`.execute(db)
}
