import { closeSync, fchmodSync, fdatasync, openSync, readlinkSync, realpathSync, statSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { hasErrorCode, makePrivateFolderSync } from '@rollcall/platform-node'
import { NotSynced, StorageNotUsable } from '../storage-not-usable.ts'

const notAccessible = (file: string, cause: unknown): StorageNotUsable => {
  const message = `The file ${file} cannot be reached or created. Fix the permissions of its folder, or name another.`
  return new StorageNotUsable('not-accessible', message, { cause })
}

/**
 * The one name of a file, whatever links lead to it; it need not be there yet.
 * @throws {StorageNotUsable} it can never be there
 */
export const realName = (file: string): string => {
  const full = path.resolve(file)
  try {
    return realpathSync(full)
  } catch (error) {
    if (!hasErrorCode(error, 'ENOENT')) throw notAccessible(full, error)
  }
  const target = linkTarget(full)
  if (target !== undefined) return realName(path.resolve(path.dirname(full), target))
  const folder = path.dirname(full)
  return folder === full ? full : path.join(realName(folder), path.basename(full))
}

const linkTarget = (file: string): string | undefined => {
  try {
    return readlinkSync(file)
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT', 'EINVAL', 'ENOTDIR')) return undefined
    throw notAccessible(file, error)
  }
}

/**
 * Creates an empty file for this user alone, and its folder likewise and durably, unless they are there. SQLite makes
 * the file's own name durable with its first commit, and gives its `-wal` and `-shm` the permissions of the database.
 * Whether it was not there.
 * @throws {StorageNotUsable} it cannot be created
 */
export const createPrivately = (file: string): boolean => {
  try {
    makePrivateFolderSync(path.dirname(file))
    // Exclusively: closing a second handle on a file drops every POSIX lock that SQLite has on it in this process.
    const handle = openSync(file, 'wx', 0o600)
    fchmodSync(handle, 0o600)
    closeSync(handle)
    return true
  } catch (error) {
    if (!hasErrorCode(error, 'EEXIST')) throw notAccessible(file, error)
    return false
  }
}

const sync = promisify(fdatasync)

/**
 * Brings what was written to the open file of the database to durable storage.
 * @throws {NotSynced} the disk did not take it
 */
export const syncFile = async (fd: number, database: string): Promise<void> => {
  try {
    await sync(fd)
  } catch (cause) {
    throw new NotSynced(database, { cause })
  }
}

/** In bytes; 0 if there is no such file. */
export const sizeOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0
