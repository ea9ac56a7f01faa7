import { closeSync, existsSync, fdatasyncSync, openSync, readSync, writeSync } from 'node:fs'
import { NotSynced } from '../storage-not-usable.ts'
import type { Connection } from './driver.ts'
import { openFile } from './open-file.ts'
import { sizeOf } from './private-file.ts'
import { asNotUsable, isDamaged, retryWhileBusy } from './sqlite-error.ts'

/** Milliseconds; a migration of another process may take as long. */
const PATIENCE = 60_000
/** Bytes. */
const PIECE = 2 ** 20

/**
 * Writes the log that another process has left once more, byte by byte as it is, and syncs it. That process may have ended
 * because a sync failed: then the system has forgotten which bytes it failed to write, still reads them as if they were
 * on the disk, and takes the next sync for a success. SQLite would answer, and change the database file, on the strength
 * of a log that a loss of power takes away.
 *
 * For who begins to serve, and for who opens the database while no server works on it: a server did it at its start.
 * Others may have the database open. The write lock keeps them from adding to the log, and from beginning it anew; who
 * reads it finds the same bytes.
 * @throws {StorageNotUsable} the disk does not take it; or another process writes for too long
 */
export const writeLeftLog = async (database: string): Promise<void> => {
  const log = `${database}-wal`
  if (sizeOf(log) === 0 || !existsSync(database)) return
  try {
    const open = () => openFile(database, false, (opened) => opened.exec('BEGIN IMMEDIATE'))
    const writing = await retryWhileBusy(open, PATIENCE)
    // The last one to be closed would bring the log into the file, if it could write.
    let reading: Connection | undefined
    try {
      reading = openFile(database, true, () => undefined)
      writeAgain(database, log)
    } finally {
      writing.close()
      reading?.close()
    }
  } catch (error) {
    // Who opens it will say so. Nothing is brought into such a file.
    if (!isDamaged(error)) throw asNotUsable(error, database)
  }
}

const writeAgain = (database: string, log: string): void => {
  if (sizeOf(log) === 0) return
  const piece = Buffer.alloc(PIECE)
  try {
    const fd = openSync(log, 'r+')
    try {
      let at = 0
      for (let length = -1; length !== 0; at += length) {
        length = readSync(fd, piece, 0, PIECE, at)
        for (let done = 0; done < length; ) done += writeSync(fd, piece, done, length - done, at + done)
      }
      fdatasyncSync(fd)
    } finally {
      closeSync(fd)
    }
  } catch (cause) {
    throw new NotSynced(database, { cause })
  }
}
