import { type Kysely, sql } from 'kysely'

/**
 * What is there has no fields and no group, and an instance of the release before keeps those that are. It sends a mail
 * about several feeds as one about the feed that it names.
 */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  for (const statement of SCHEMA) await sql.raw(statement).execute(db)
}

const SCHEMA = [
  'ALTER TABLE feed ADD COLUMN fields text COLLATE "C"',
  'ALTER TABLE subscription ADD COLUMN fields text COLLATE "C"',
  'ALTER TABLE outbox ADD COLUMN sign_up_group text COLLATE "C"',
  `CREATE TABLE sign_up_group (
    name text COLLATE "C" NOT NULL,
    n integer NOT NULL,
    subscription bigint NOT NULL REFERENCES subscription (seq) ON DELETE CASCADE,
    episode text COLLATE "C",
    expires_at bigint NOT NULL,
    PRIMARY KEY (name, n)
  )`,
  'CREATE INDEX sign_up_group_subscription ON sign_up_group (subscription)',
  'CREATE INDEX sign_up_group_age ON sign_up_group (expires_at)',
]
