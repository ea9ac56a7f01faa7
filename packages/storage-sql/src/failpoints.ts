import { channel } from 'node:diagnostics_channel'

/**
 * Named points of the work, for tests that kill the process there. Publishing costs nothing while there is no
 * subscriber. Statements are published with their text.
 */
export const SQLITE_FAILPOINTS = {
  afterBegin: channel('rollcall:sqlite:after-begin'),
  afterStatement: channel('rollcall:sqlite:after-statement'),
  beforeCommit: channel('rollcall:sqlite:before-commit'),
  afterCommit: channel('rollcall:sqlite:after-commit'),
  duringCheckpoint: channel('rollcall:sqlite:during-checkpoint'),
  afterMigrationStatement: channel('rollcall:sqlite:after-migration-statement'),
}

/** `afterStatement` counts `BEGIN` and `COMMIT`, too. */
export const POSTGRES_FAILPOINTS = {
  afterStatement: channel('rollcall:postgres:after-statement'),
  beforeCommit: channel('rollcall:postgres:before-commit'),
  afterMigrationStatement: channel('rollcall:postgres:after-migration-statement'),
}
