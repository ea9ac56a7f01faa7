import { StorageNotUsable } from '../storage-not-usable.ts'
import type { Connection, Value } from './driver.ts'
import { writeLeftLog } from './left-log.ts'
import { openFile } from './open-file.ts'
import { isServed } from './serving-lock.ts'
import { asNotUsable, retryWhileBusy } from './sqlite-error.ts'

export { Connection, type Statement, type Value } from './driver.ts'

const [NORMAL, FULL] = [1, 2]
// A commit that moved a page of an index looks through all of it; what is not in it is in the cache of the system.
const CACHE_KIB = 4 * 1024

/**
 * Opens a connection that keeps the promises: durable, erasing, never blocking the event loop on another's lock.
 * @throws {StorageNotUsable} the file or this SQLite cannot keep them
 */
export const openConnection = async (
  file: string,
  { readonly = false, syncedApart = false } = {},
): Promise<Connection> => {
  try {
    if (!readonly && !isServed(file)) await writeLeftLog(file)
    return await retryWhileBusy(() => open(file, { readonly, syncedApart }))
  } catch (error) {
    throw asNotUsable(error, file)
  }
}

/** What the work makes of a connection, which is closed then. */
export const withConnection = async <Result>(
  file: string,
  work: (connection: Connection) => Result | Promise<Result>,
  kind: Partial<Kind> = {},
): Promise<Result> => {
  const connection = await openConnection(file, kind)
  try {
    return await work(connection)
  } finally {
    connection.close()
  }
}

interface Kind {
  readonly readonly: boolean
  /** A commit does not wait for the disk, and so holds no lock meanwhile: `LogFile` syncs it. */
  readonly syncedApart: boolean
}

const open = (file: string, kind: Kind): Connection =>
  openFile(file, kind.readonly, (connection) => {
    const settings = settingsOf(kind)
    for (const [name, value] of settings) connection.exec(`PRAGMA ${name} = ${value}`)
    requireSettings(connection, settings)
  })

// Checkpoints are run apart, off the event loop's thread. Nothing is memory-mapped: several processes share the file.
const settingsOf = ({ readonly, syncedApart }: Kind): [name: string, value: number | string][] => [
  ...(readonly ? [] : [['journal_mode', 'wal'] as [string, string]]),
  ['synchronous', syncedApart ? NORMAL : FULL],
  ['secure_delete', 1],
  ['foreign_keys', 1],
  ['trusted_schema', 0],
  ['temp_store', 2],
  ['mmap_size', 0],
  ['wal_autocheckpoint', 0],
  ['cache_size', -CACHE_KIB],
]

/** @throws {StorageNotUsable} a setting that durability or erasure rests on did not take */
export const requireSettings = (
  connection: Connection,
  settings: readonly (readonly [string, number | string])[],
): void => {
  for (const [name, wanted] of settings) {
    const found = connection.pragma(name)
    if (found !== wanted) {
      const message = `SQLite does not keep '${name} = ${wanted}' here (it says ${found}). Use a local disk and the SQLite that is shipped.`
      throw new StorageNotUsable('settings', message)
    }
  }
}

/** The first column of every row. */
export const pluck = <Found>(connection: Connection, sql: string, ...values: Value[]): Found[] =>
  connection
    .prepare<Value[], Found>(sql)
    .pluck()
    .all(...values)

/** Runs several reads on one snapshot, so that no commit of another process comes between them. */
export const inSnapshot = (connection: Connection): (<Result>(read: () => Result) => Result) => {
  const begin = connection.prepare('BEGIN')
  const end = connection.prepare('COMMIT')
  return (read) => {
    if (connection.inTransaction) return read()
    begin.run()
    try {
      return read()
    } finally {
      // An error may have ended it already.
      if (connection.inTransaction) end.run()
    }
  }
}
