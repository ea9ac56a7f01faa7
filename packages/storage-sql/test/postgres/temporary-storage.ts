import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { onTestFinished } from 'vitest'
import { columnTypes } from '../../src/postgres/column-types.ts'
import { openPostgresStorage, type PostgresStorage } from '../../src/postgres/index.ts'
import { cleanDatabase, type Database, emptyDatabase, newDatabase } from '../postgres-server/databases.ts'

const forTest = async (making: Promise<Database>): Promise<string> => {
  const { url, drop } = await making
  onTestFinished(drop)
  return url
}

/** The address of a database with its tables, or of an empty one; for tests that change more than rows. */
export const temporaryDatabase = ({ empty = false } = {}): Promise<string> =>
  forTest(empty ? emptyDatabase() : newDatabase())

/** The address of one for tests that change nothing but rows. */
export const sharedDatabase = (): Promise<string> => forTest(cleanDatabase())

/** A connection to one, as the storage uses it. */
export const sharedConnection = async (): Promise<pg.Client> => {
  const client = new pg.Client({ connectionString: await sharedDatabase(), pipeline: true, types: columnTypes })
  await client.connect()
  onTestFinished(() => client.end())
  return client
}

export const openStorage = async (url: string): Promise<PostgresStorage> => {
  const storage = await openPostgresStorage({ url })
  onTestFinished(() => storage.close())
  return storage
}

/** Opens it as soon as the server has noticed that those who worked with it before, or moved it, have gone. */
export const onceFree = async <Opened>(open: () => Promise<Opened>): Promise<Opened> => {
  for (;;) {
    try {
      return await open()
    } catch (error) {
      if (!/Somebody works with|is being moved/.test((error as Error).message)) throw error
    }
    await sleep(10)
  }
}
