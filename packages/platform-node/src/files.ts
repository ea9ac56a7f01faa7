import { randomBytes } from 'node:crypto'
import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { open, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'

/** Whether this is an error of Node.js with one of these codes, such as `ENOENT`. */
export const hasErrorCode = (error: unknown, ...codes: readonly string[]): boolean =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' && codes.includes(error.code)

/** The result of work on a file; undefined if the file does not exist. */
export const unlessMissing = async <T>(work: Promise<T>): Promise<T | undefined> => {
  try {
    return await work
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return undefined
    throw error
  }
}

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

// Not to be guessed: in a shared folder, another could have made a file or a link of this name.
const draftOf = (file: string): string => `${file}.${randomBytes(8).toString('hex')}`

/**
 * Creates a file for this user alone: it has its name once all of it is on disk, and the name is durable, too. Of two
 * processes that do this at once, one wins. Returns false, and changes nothing, if the file exists.
 */
export const createPrivateFileSync = (file: string, text: string): boolean => {
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
 * Writes a file for this user alone in place of the one of this name, if there is one: a reader, also after a loss of
 * power, finds the old text or the new one as a whole. Root writes it for the owner of the folder.
 */
export const replacePrivateFile = async (file: string, text: string): Promise<void> => {
  const folder = path.dirname(file)
  const draft = draftOf(file)
  const handle = await open(draft, 'wx', 0o600)
  try {
    try {
      await handle.writeFile(text)
      const { uid, gid } = await stat(folder)
      if (process.getuid?.() === 0 && uid !== 0) await handle.chown(uid, gid)
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
