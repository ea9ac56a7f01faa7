import { existsSync } from 'node:fs'
import type { UseCases } from '@rollcall/core'
import { migrateSqlite, pendingMigrations } from '@rollcall/storage-sql/sqlite'
import { openComposition } from './composition.ts'
import type { Config } from './config.ts'
import { commandLog } from './log.ts'
import { makeDataDir } from './secret.ts'
import { StartupError } from './startup-error.ts'
import { REWRITTEN_WHILE_SERVING } from './workers/complete-erasure.ts'

// Milliseconds: a server beside it has requests that wait.
const COURTESY = 4

/** The use cases over the storage itself, beside a running server or without one. */
export const openForCommands = async (config: Config): Promise<{ useCases: UseCases; close(): Promise<void> }> => {
  makeDataDir(config.DATA_DIR)
  if (!existsSync(config.databaseFile)) await migrateSqlite(config.databaseFile)
  else if ((await pendingMigrations(config.databaseFile)).length > 0)
    throw new StartupError('The database is of an older version. Run `rollcall migrate`, or start the server once.')
  const { useCases, storage, close } = await openComposition(config, commandLog, COURTESY)
  return {
    useCases,
    close: async () => {
      try {
        await useCases.refusals.flush()
        await storage.completeErasure(REWRITTEN_WHILE_SERVING)
      } finally {
        await close()
      }
    },
  }
}
