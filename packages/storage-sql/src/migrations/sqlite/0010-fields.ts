import { type Kysely, sql } from 'kysely'

/**
 * What is there has no fields and no group, and an instance of the release before keeps those that are. It sends a mail
 * about several feeds as one about the feed that it names.
 */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  for (const statement of SCHEMA) await sql.raw(statement).execute(db)
}

const SCHEMA = [
  'ALTER TABLE feed ADD COLUMN fields TEXT',
  'ALTER TABLE subscription ADD COLUMN fields TEXT',
  'ALTER TABLE outbox ADD COLUMN sign_up_group TEXT',
  `CREATE TABLE sign_up_group (
    name TEXT NOT NULL,
    n INTEGER NOT NULL,
    subscription INTEGER NOT NULL REFERENCES subscription (seq) ON DELETE CASCADE,
    episode TEXT,
    expires_at INTEGER NOT NULL,
    PRIMARY KEY (name, n)
  ) STRICT, WITHOUT ROWID`,
  'CREATE INDEX sign_up_group_subscription ON sign_up_group (subscription)',
  'CREATE INDEX sign_up_group_age ON sign_up_group (expires_at)',
]
