import { type Kysely, sql } from 'kysely'

/** Tables that the version before does not look at. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  for (const statement of SCHEMA) await sql.raw(statement).execute(db)
}

const TEXT = 'text COLLATE "C"'

const SCHEMA = [
  `CREATE TABLE deliverability (
    seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    address ${TEXT} NOT NULL UNIQUE,
    state ${TEXT} NOT NULL,
    since bigint NOT NULL,
    status ${TEXT},
    days ${TEXT} NOT NULL,
    subscription bigint,
    expires_at bigint NOT NULL
  )`,
  'CREATE INDEX deliverability_state ON deliverability (state, seq)',
  'CREATE INDEX deliverability_age ON deliverability (expires_at)',
  `CREATE TABLE feedback_seen (id ${TEXT} PRIMARY KEY, expires_at bigint NOT NULL)`,
  'CREATE INDEX feedback_seen_age ON feedback_seen (expires_at)',
  `CREATE TABLE feedback_count (
    day bigint NOT NULL,
    caller ${TEXT} NOT NULL,
    addresses bigint NOT NULL,
    PRIMARY KEY (day, caller)
  )`,
  `CREATE TABLE waiting_feedback (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    caller ${TEXT} NOT NULL,
    channel ${TEXT} NOT NULL,
    feeds ${TEXT},
    kind ${TEXT} NOT NULL,
    address ${TEXT} NOT NULL,
    mailbox ${TEXT} NOT NULL,
    subscription bigint,
    permanent bigint NOT NULL,
    status ${TEXT},
    at bigint NOT NULL,
    since bigint NOT NULL
  )`,
  'CREATE UNIQUE INDEX waiting_feedback_address ON waiting_feedback (address, caller, kind)',
  'CREATE INDEX waiting_feedback_age ON waiting_feedback (since)',
]
