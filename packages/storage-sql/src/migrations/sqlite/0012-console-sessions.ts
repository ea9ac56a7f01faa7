import { type Kysely, sql } from 'kysely'

/** Logins to the console, links to log in, and deletions that go on piece by piece, gone within hours; and counts. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  for (const statement of SCHEMA) await sql.raw(statement).execute(db)
}

const SCHEMA = [
  `CREATE TABLE console_session (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    secret_hash TEXT NOT NULL UNIQUE,
    subject TEXT NOT NULL,
    role_source TEXT NOT NULL,
    roles TEXT NOT NULL,
    token_id TEXT,
    issued_at INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    seen_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL
  ) STRICT`,
  `CREATE TABLE login_link (
    secret_hash TEXT PRIMARY KEY,
    subject TEXT NOT NULL,
    expires_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID`,
  `CREATE TABLE deletion_run (
    id TEXT PRIMARY KEY,
    owner TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    record TEXT NOT NULL
  ) STRICT, WITHOUT ROWID`,
  `CREATE TABLE deletion_run_part (
    run TEXT NOT NULL REFERENCES deletion_run (id) ON DELETE CASCADE,
    part INTEGER NOT NULL,
    record TEXT NOT NULL,
    PRIMARY KEY (run, part)
  ) STRICT`,
  // What screens show of the events, without counting them again.
  `CREATE TABLE event_count (
    day INTEGER NOT NULL,
    type TEXT NOT NULL,
    count INTEGER NOT NULL,
    PRIMARY KEY (day, type)
  ) STRICT, WITHOUT ROWID`,
]
