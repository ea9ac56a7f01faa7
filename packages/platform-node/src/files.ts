import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  rmSync,
  type Stats,
  writeFileSync,
} from 'node:fs'
import { type FileHandle, open, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { draftOf, sweepDrafts } from './drafts.ts'
import { hasErrorCode, unlessMissing } from './error-code.ts'

// Windows cannot open a folder, and keeps its names without being asked.
const keepsNames = process.platform === 'win32'

/** Makes the names in a folder durable: those that were added, and those that were removed. */
export const syncFolder = async (folder: string): Promise<void> => {
  if (keepsNames) return
  const handle = await open(folder)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Does the same before it returns. */
export const syncFolderSync = (folder: string): void => {
  if (keepsNames) return
  const handle = openSync(folder, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}

/** Creates a folder for this user alone, and those above it that are missing; durably. Leaves one that exists as it is. */
export const makePrivateFolderSync = (folder: string): void => {
  if (existsSync(folder)) return
  // Step by step: mkdir's own `recursive` never ends if a folder accepts no other, as in /proc.
  if (path.dirname(folder) !== folder) makePrivateFolderSync(path.dirname(folder))
  try {
    mkdirSync(folder, { mode: 0o700 })
    chmodSync(folder, 0o700)
  } catch (error) {
    // Another process that starts at the same time was quicker.
    if (!existsSync(folder)) throw error
  }
  syncFolderSync(path.dirname(folder))
}

/**
 * Creates a file for this user alone: it has its name once all of it is on disk, and the name is durable, too. Of two
 * processes that do this at once, one wins. Returns false, and changes nothing, if the file exists.
 */
export const createPrivateFileSync = (file: string, text: string): boolean => {
  sweepDrafts(file)
  const draft = draftOf(file)
  let created = true
  writeFileSync(draft, text, { flag: 'wx', mode: 0o600, flush: true })
  try {
    linkSync(draft, file)
  } catch (error) {
    if (!hasErrorCode(error, 'EEXIST')) throw error
    created = false
  } finally {
    rmSync(draft, { force: true })
  }
  syncFolderSync(path.dirname(file))
  return created
}

/**
 * Writes a file in place of the one of this name: a reader, also after a loss of power, finds the old text or the new one
 * as a whole. It is for the same user and group as before; a new one is for this user alone, or, if root writes it, for the
 * owner of the folder.
 */
export const replacePrivateFile = async (file: string, text: string): Promise<void> => {
  const folder = path.dirname(file)
  sweepDrafts(file)
  const draft = draftOf(file)
  const handle = await open(draft, 'wx', 0o600)
  try {
    try {
      await keepAccess(handle, await stat(folder), await unlessMissing(stat(file)))
      await handle.writeFile(text)
      await handle.sync()
    } finally {
      await handle.close()
    }
    await rename(draft, file)
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
  await syncFolder(folder)
}

// Root may write for a service that reads as another user, or as the group.
const keepAccess = async (handle: FileHandle, folder: Stats, before: Stats | undefined): Promise<void> => {
  const { uid, gid } = before ?? folder
  if (process.geteuid?.() === 0) await handle.chown(uid, gid)
  if (before && (await handle.stat()).gid === gid) await handle.chmod(0o600 | (before.mode & 0o060))
}
