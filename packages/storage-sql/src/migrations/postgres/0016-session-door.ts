import { type Kysely, sql } from 'kysely'

/**
 * What a login and a link to log in were begun with. Those of before, and of an instance of the version before, do not say
 * which door they came through: they are let in by none, so that their owners log in again.
 */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`ALTER TABLE console_session ADD COLUMN door text COLLATE "C" NOT NULL DEFAULT ''`.execute(db)
  await sql`ALTER TABLE console_session ADD COLUMN feeds text COLLATE "C"`.execute(db)
  await sql`ALTER TABLE login_link ADD COLUMN door text COLLATE "C" NOT NULL DEFAULT ''`.execute(db)
  await sql`ALTER TABLE login_link ADD COLUMN issued_at bigint NOT NULL DEFAULT 0`.execute(db)
}
