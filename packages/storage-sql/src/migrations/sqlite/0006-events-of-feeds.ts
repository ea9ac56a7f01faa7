import { type Kysely, sql } from 'kysely'

/**
 * Events of before have no feed. A suppression may hold a block besides what the owner of the address asked for; where it
 * is a block alone, `cause` says the same, so that the release before mails to none of them.
 */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  for (const statement of SCHEMA) await sql.raw(statement).execute(db)
}

const SCHEMA = [
  'ALTER TABLE event ADD COLUMN feed TEXT',
  'ALTER TABLE webhook_delivery ADD COLUMN feed TEXT',
  'ALTER TABLE suppression ADD COLUMN block TEXT',
  'ALTER TABLE suppression ADD COLUMN block_since INTEGER',
  'CREATE INDEX suppression_block ON suppression (address) WHERE block IS NOT NULL',
]
