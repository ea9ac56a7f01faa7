import { afterEach } from 'vitest'
import { openPostgresStorage, type PostgresStorage } from '../../src/postgres/index.ts'
import { emptyDatabase, newDatabase } from '../postgres-server/databases.ts'

const undo: (() => void | Promise<void>)[] = []

/** To be done after the test, last first. */
export const afterTest = (task: () => void | Promise<void>): void => {
  undo.push(task)
}

export const cleanUpAfterEachTest = (): void => {
  afterEach(async () => {
    for (const task of undo.splice(0).reverse()) await task()
  })
}

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
