import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { DatabaseServer } from '../database-server.ts'
import type { Turn } from '../setting.ts'

export { freePort } from '../../../packages/storage-sql/test/postgres-server/start-postgres.ts'

/** A command of a peer, which must succeed. */
export const runPeer = promisify(execFile)

/** Turns that each have a copy of the database. */
export const turnsOnCopies = (
  server: DatabaseServer,
  origin: string,
  turn: (database: string) => ReturnType<Turn>,
): Turn => {
  let turns = 0
  return async () => {
    const database = `${origin}_${++turns}`
    await server.create(database, origin)
    return await turn(database).finally(() => server.drop(database))
  }
}
