import { migrateSqlite } from '@rollcall/storage-sql/sqlite'
import { type Composition, openComposition } from '../src/composition.ts'
import { readConfig } from '../src/config.ts'
import { silentLog } from '../src/log.ts'

/** Everything that is composed, on the SQLite file of this folder, closed after the work. */
export const withComposition = async <T>(
  folder: string,
  work: (composition: Composition) => Promise<T>,
): Promise<T> => {
  const config = readConfig({ ROLLCALL_DATA_DIR: folder })
  await migrateSqlite(config.databaseFile)
  const composition = await openComposition(config, silentLog)
  try {
    return await work(composition)
  } finally {
    await composition.close()
  }
}
