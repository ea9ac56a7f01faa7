import { type Kysely, sql } from 'kysely'

const STATEMENTS = [
  // What was issued since; of tokens of before nothing is known.
  `CREATE TABLE access_token (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    jti TEXT NOT NULL UNIQUE,
    subject TEXT NOT NULL,
    roles TEXT NOT NULL,
    feeds TEXT,
    label TEXT NOT NULL,
    issued_by TEXT NOT NULL,
    issued_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    last_used_at INTEGER,
    revoked_at INTEGER
  ) STRICT`,
  'CREATE INDEX access_token_subject ON access_token (subject)',
  'CREATE INDEX access_token_expiry ON access_token (expires_at)',
  `CREATE TABLE revoked_token (
    jti TEXT PRIMARY KEY,
    revoked_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID`,
  'CREATE INDEX revoked_token_expiry ON revoked_token (expires_at)',
  // An instance of the version before writes none.
  'ALTER TABLE tombstone ADD COLUMN tokens INTEGER NOT NULL DEFAULT 0',
]

export const up = async (db: Kysely<unknown>): Promise<void> => {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
}
