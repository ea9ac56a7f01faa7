import { type Kysely, sql } from 'kysely'

/** Tables that the version before does not look at. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  for (const statement of SCHEMA) await sql.raw(statement).execute(db)
}

const SCHEMA = [
  `CREATE TABLE deliverability (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    address TEXT NOT NULL UNIQUE,
    state TEXT NOT NULL,
    since INTEGER NOT NULL,
    status TEXT,
    days TEXT NOT NULL,
    subscription INTEGER,
    expires_at INTEGER NOT NULL
  ) STRICT`,
  'CREATE INDEX deliverability_state ON deliverability (state, seq)',
  'CREATE INDEX deliverability_age ON deliverability (expires_at)',
  `CREATE TABLE feedback_seen (
    id TEXT PRIMARY KEY,
    expires_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID`,
  'CREATE INDEX feedback_seen_age ON feedback_seen (expires_at)',
  `CREATE TABLE feedback_count (
    day INTEGER NOT NULL,
    caller TEXT NOT NULL,
    addresses INTEGER NOT NULL,
    PRIMARY KEY (day, caller)
  ) STRICT, WITHOUT ROWID`,
  `CREATE TABLE waiting_feedback (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    caller TEXT NOT NULL,
    channel TEXT NOT NULL,
    feeds TEXT,
    kind TEXT NOT NULL,
    address TEXT NOT NULL,
    mailbox TEXT NOT NULL,
    subscription INTEGER,
    permanent INTEGER NOT NULL,
    status TEXT,
    at INTEGER NOT NULL,
    since INTEGER NOT NULL
  ) STRICT`,
  'CREATE UNIQUE INDEX waiting_feedback_address ON waiting_feedback (address, caller, kind)',
  'CREATE INDEX waiting_feedback_age ON waiting_feedback (since)',
]
