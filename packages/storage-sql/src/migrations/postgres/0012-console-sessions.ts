import { type Kysely, sql } from 'kysely'

/** Logins to the console, links to log in, and deletions that go on piece by piece, gone within hours; and counts. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  for (const statement of SCHEMA) await sql.raw(statement).execute(db)
}

const TEXT = 'text COLLATE "C"'

const SCHEMA = [
  `CREATE TABLE console_session (
    seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    id ${TEXT} NOT NULL UNIQUE,
    secret_hash ${TEXT} NOT NULL UNIQUE,
    subject ${TEXT} NOT NULL,
    role_source ${TEXT} NOT NULL,
    roles ${TEXT} NOT NULL,
    token_id ${TEXT},
    issued_at bigint NOT NULL,
    created_at bigint NOT NULL,
    seen_at bigint NOT NULL,
    expires_at bigint NOT NULL
  )`,
  `CREATE TABLE login_link (
    secret_hash ${TEXT} PRIMARY KEY,
    subject ${TEXT} NOT NULL,
    expires_at bigint NOT NULL
  )`,
  `CREATE TABLE deletion_run (
    id ${TEXT} PRIMARY KEY,
    owner ${TEXT} NOT NULL,
    created_at bigint NOT NULL,
    expires_at bigint NOT NULL,
    record ${TEXT} NOT NULL
  )`,
  `CREATE TABLE deletion_run_part (
    run ${TEXT} NOT NULL REFERENCES deletion_run (id) ON DELETE CASCADE,
    part bigint NOT NULL,
    record ${TEXT} NOT NULL,
    PRIMARY KEY (run, part)
  )`,
  // What screens show of the events, without counting them again.
  `CREATE TABLE event_count (
    day bigint NOT NULL,
    type ${TEXT} NOT NULL,
    count bigint NOT NULL,
    PRIMARY KEY (day, type)
  )`,
]
