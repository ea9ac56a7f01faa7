import { openPostgresStorage, type PostgresStorage } from '../../src/postgres/index.ts'
import { afterTest, cleanUpAfterEachTest } from '../after-test.ts'
import { emptyDatabase, newDatabase } from '../postgres-server/databases.ts'

export { afterTest, cleanUpAfterEachTest }

/** The address of a database with its tables, or of an empty one. */
export const temporaryDatabase = async ({ empty = false } = {}): Promise<string> => {
  const { url, drop } = await (empty ? emptyDatabase() : newDatabase())
  afterTest(drop)
  return url
}

export const openStorage = async (url: string): Promise<PostgresStorage> => {
  const storage = await openPostgresStorage({ url })
  afterTest(() => storage.close())
  return storage
}
