import path from 'node:path'
import { type Composition, openComposition, readConfig, silentLog } from '@rollcall/app'
import { lockForServing, migrateSqlite } from '@rollcall/storage-sql/sqlite'
import type { Recording } from '../recording/recording.ts'

export interface OpenedService extends Composition {
  readonly dataDir: string
  readonly databaseFile: string
}

/** Does with the service on this disk what `rollcall serve` does before it listens, and then the work given. */
export const withService = async <Result>(
  disk: string,
  { port, mail }: Pick<Recording, 'port' | 'mail'>,
  work: (service: OpenedService) => Promise<Result>,
): Promise<Result> => {
  const config = readConfig({
    ROLLCALL_DATA_DIR: path.join(disk, 'data'),
    ROLLCALL_PORT: `${port}`,
    ROLLCALL_RATE_LIMIT: 'off',
    // Nobody is there: nothing is sent while the service is looked at.
    ...(mail === 'smtp' ? { ROLLCALL_SMTP_URL: 'smtp://127.0.0.1:9' } : {}),
  })
  const { DATA_DIR: dataDir, databaseFile } = config
  const lock = await lockForServing(databaseFile)
  try {
    await migrateSqlite(databaseFile)
    const composition = await openComposition(config, silentLog)
    try {
      await composition.storage.releaseLeases?.()
      return await work({ ...composition, dataDir, databaseFile })
    } finally {
      await composition.close()
    }
  } finally {
    lock.release()
  }
}
