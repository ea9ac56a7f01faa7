import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  linkSync,
  lstatSync,
  openSync,
  readSync,
  rmSync,
} from 'node:fs'
import path from 'node:path'
import {
  ForeignLink,
  hasErrorCode,
  isDraftOf,
  ownPlaceSync,
  sweepFolder,
  syncFolderSync,
} from '@rollcall/platform-node'
import { StorageNotUsable } from '../../storage-not-usable.ts'
import { createPrivately, realName } from '../private-file.ts'
import { SERVING } from '../serving-lock.ts'
import { asNotUsable, isFull } from '../sqlite-error.ts'
import { bringToDisk } from './backup-file.ts'

/** Not over what another process has put there meanwhile. */
const EXCL = constants.COPYFILE_EXCL
/** A database, and what SQLite keeps beside it. */
const SIDES = ['', '-wal', '-shm', '-journal']

/** @throws {StorageNotUsable} something of this name is there, or it cannot be made */
export const createDraft = (draft: string): void => {
  if (!createPrivately(draft)) throw unfit(`There is a ${draft} already. Run the command again.`)
}

/**
 * Removes what backups left that were killed, of any name in the folder of this one. Not what a restore may be about to
 * put in place of a database there; nor drafts of reports, as a command may have said that one is all that there is.
 */
export const sweepBackups = (to: string): void => {
  const folder = path.dirname(to)
  const isLeft = (name: string, draft: string): boolean =>
    !existsSync(path.join(folder, `${name}${SERVING}`)) && isOwnDatabase(draft)
  sweepFolder(folder, (name, draft) => name === path.basename(to) || isLeft(name, draft))
}

/** Whether a file of this user is a database, be it half of one: it begins with zeros until it is whole. */
const isOwnDatabase = (file: string): boolean => {
  const stats = lstatSync(file)
  if (!stats.isFile() || stats.uid !== (process.geteuid?.() ?? stats.uid)) return false
  if (SIDES.slice(1).some((side) => file.endsWith(side))) return true
  const beginning = beginningOf(file)
  return beginning.startsWith('SQLite format 3') || /^\0*$/.test(beginning)
}

const beginningOf = (file: string): string => {
  const handle = openSync(file, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0))
  try {
    const bytes = Buffer.alloc(16)
    return bytes.toString('latin1', 0, readSync(handle, bytes))
  } finally {
    closeSync(handle)
  }
}

/**
 * The one name of a file to write, whatever links of this user lead to it.
 * @throws {StorageNotUsable} a link of another user is on the way
 */
export const placeOf = (file: string): string => {
  try {
    return ownPlaceSync(file)
  } catch (error) {
    if (error instanceof ForeignLink) throw unfit(error.message, { cause: error })
    throw error
  }
}

/** Whether a name is the database's own, or one that is made beside it. Both are real names. */
export const belongsTo = (database: string, file: string): boolean =>
  file === database || file === `${database}${SERVING}` || file.startsWith(`${database}-`) || isDraftOf(database, file)

export const removeAll = (file: string): void => {
  for (const side of SIDES) rmSync(`${file}${side}`, { force: true })
}

export const unfit = (message: string, options?: ErrorOptions) =>
  new StorageNotUsable('not-accessible', message, options)

/** @throws {StorageNotUsable} there is no room for it, or it cannot be read */
export const copyHere = (from: string, draft: string): void => {
  try {
    copyFileSync(from, draft, constants.COPYFILE_FICLONE)
    // It has the permissions of what it was copied from.
    chmodSync(draft, 0o600)
  } catch (cause) {
    const message = `The backup ${from} cannot be copied to ${path.dirname(draft)}: ${diskReason(cause)} Nothing was replaced.`
    throw unfit(message, { cause })
  }
}

/** Why a disk did not take a file, and what to do. */
export const diskReason = (cause: unknown): string => {
  if (hasErrorCode(cause, 'ENOSPC', 'EDQUOT') || isFull(cause)) return 'the disk is full. Make room.'
  if (hasErrorCode(cause, 'EACCES', 'EPERM')) return 'this user may not do that. Fix the permissions.'
  if (hasErrorCode(cause, 'ENOENT')) return 'the folder is gone. Make it again.'
  if (hasErrorCode(cause, 'EROFS')) return 'the disk can only be read. Mount it for writing.'
  return `${cause instanceof Error ? cause.message : String(cause)}.`
}

/** Errors name the backup, not the copy that it is read from. */
export const ofBackup = (error: unknown, from: string, draft: string): unknown => {
  const known = asNotUsable(error, draft)
  if (!(known instanceof StorageNotUsable && known.message.includes(draft))) return known
  const message =
    known.problem === 'damaged'
      ? `The backup ${from} is damaged, or no backup at all. Take another: nothing was replaced.`
      : `The backup ${from} cannot be made ready: ${known.message.replace(`The database ${draft}`, `its copy in ${path.dirname(draft)}`)} Nothing was replaced.`
  return new StorageNotUsable(known.problem, message, { cause: known })
}

/**
 * Keeps a database under another name, also on another disk. It stays where it is as well, for what takes its place to do
 * so in one step; only what belongs to it is gone then, because it would be taken for the log of what comes.
 * @param copyTo copies a database that is open, if no link can be made
 * @throws {StorageNotUsable} it cannot be put there; nothing is changed
 */
export const keepAside = (from: string, to: string, copyTo?: (to: string) => void): void => {
  const all = SIDES.filter((side) => existsSync(`${from}${side}`))
  // Of one that is open, the rest is what its lock leaves there, with nothing in it.
  const sides = copyTo === undefined ? all : ['']
  const kept: string[] = []
  try {
    for (const side of sides) {
      linkOrCopy(`${from}${side}`, `${to}${side}`, copyTo)
      kept.push(side)
    }
    syncFolderSync(path.dirname(to))
  } catch (error) {
    for (const side of kept) rmSync(`${to}${side}`, { force: true })
    throw notThere(to, error)
  }
  for (const side of all) if (side !== '') rmSync(`${from}${side}`)
}

const linkOrCopy = (from: string, to: string, copyTo = (place: string) => copyFileSync(from, place, EXCL)): void => {
  try {
    linkSync(from, to)
  } catch (error) {
    if (hasErrorCode(error, 'EEXIST')) throw error
    // Another disk, or one without links.
    copyTo(to)
    bringToDisk(to)
  }
}

const notThere = (to: string, cause: unknown): StorageNotUsable => {
  const message = `The database that is replaced cannot be moved to ${to}: ${diskReason(cause)} Or name another place with --keep FILE. Nothing was replaced.`
  return unfit(message, { cause })
}

/** Where what is replaced goes, unless another place is named: it holds people who are erased later, as the backup does. */
export const besideBackup = (backup: string): string => `${backup}.replaced-${Date.now()}`

/**
 * Where what is replaced goes. Whether it can is found out before anyone is asked.
 * @throws {StorageNotUsable} it cannot go there
 */
export const placeToKeep = (keep: string, live: string, outside: string | undefined): string => {
  const place = placeOf(keep)
  if (belongsTo(live, place)) throw unfit(`${keep} belongs to the database itself. Give another name with --keep.`)
  if (outside !== undefined && isWithin(realName(outside), place))
    throw unfit(
      `The database that is replaced would be kept as ${place}, in the data folder, where nothing stays of people who are erased later. Name a place elsewhere with --keep FILE. Nothing was replaced.`,
    )
  if (SIDES.some((side) => lstatSync(`${place}${side}`, { throwIfNoEntry: false }) !== undefined))
    throw unfit(`There is a ${keep} already. Give another name.`)
  if (!existsSync(path.dirname(place))) throw unfit(`There is no folder for ${keep}.`)
  try {
    accessSync(path.dirname(place), constants.W_OK)
  } catch (error) {
    throw notThere(place, error)
  }
  return place
}

const isWithin = (folder: string, file: string): boolean => file.startsWith(path.join(folder, path.sep))
