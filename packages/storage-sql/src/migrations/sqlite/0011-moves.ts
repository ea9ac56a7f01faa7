import { type Kysely, sql } from 'kysely'

/** Tables that the version before does not look at: addresses are changed once no instance of it runs. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  for (const statement of SCHEMA) await sql.raw(statement).execute(db)
}

const SCHEMA = [
  `CREATE TABLE address_move (
    id INTEGER PRIMARY KEY,
    address TEXT NOT NULL UNIQUE,
    new_address TEXT NOT NULL,
    email TEXT,
    address_key TEXT,
    episode TEXT NOT NULL,
    requested_at INTEGER NOT NULL,
    moved_at INTEGER,
    undone_at INTEGER,
    expires_at INTEGER NOT NULL,
    mail INTEGER
  ) STRICT`,
  'CREATE INDEX address_move_new ON address_move (new_address)',
  'CREATE INDEX address_move_age ON address_move (expires_at)',
  `CREATE TABLE moved_subscription (
    old_id INTEGER PRIMARY KEY,
    new_id INTEGER NOT NULL,
    episode TEXT NOT NULL,
    new_episode TEXT,
    move INTEGER
  ) STRICT`,
  'CREATE INDEX moved_subscription_new ON moved_subscription (new_id)',
  'CREATE INDEX moved_subscription_move ON moved_subscription (move) WHERE move IS NOT NULL',
]
