import type pg from 'pg'
import { StorageNotUsable } from '../storage-not-usable.ts'

/** Any number that nothing else locks by. */
const LOCK = '7309453671250918'

/** Shared by the connections of all instances and commands; exclusive for a data migration. */
const JOIN = `SELECT pg_try_advisory_lock_shared(${LOCK}) AS free`
const KEEP_OUT = `SELECT pg_try_advisory_lock(${LOCK}) AS free`

const isFree = async (connection: Pick<pg.ClientBase, 'query'>, text: string): Promise<boolean> =>
  (await connection.query<{ free: boolean }>(text)).rows[0]?.free === true

/**
 * Lets others know that somebody works with the database, for as long as there is this connection.
 * @throws {StorageNotUsable} its data is being moved
 */
export const join = async (connection: Pick<pg.ClientBase, 'query'>, server: string): Promise<void> => {
  if (await isFree(connection, JOIN)) return
  const message = `The data of ${server} is being moved. Wait until that is done.`
  throw new StorageNotUsable('being-moved', message)
}

/**
 * Keeps everybody else from the database, for as long as there is this connection.
 * @throws {StorageNotUsable} somebody works with it
 */
export const keepOut = async (connection: Pick<pg.ClientBase, 'query'>, server: string): Promise<void> => {
  if (await isFree(connection, KEEP_OUT)) return
  const message = `Somebody works with the database ${server}: an instance, a command or another move. Stop every one first.`
  throw new StorageNotUsable('busy', message)
}
