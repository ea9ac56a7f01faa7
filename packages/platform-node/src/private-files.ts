import { chmodSync, existsSync, linkSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { hasErrorCode } from './error-code.ts'
import { syncFolderSync } from './sync-folder.ts'

/** Creates a folder for this user alone, and those above it that are missing; durably. Leaves one that exists as it is. */
export const makePrivateFolderSync = (folder: string): void => {
  if (existsSync(folder)) return
  // Step by step: mkdir's own `recursive` never ends where a folder accepts no other, as in /proc.
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
 * processes that do this at once, one wins. Returns false, and changes nothing, where the file exists.
 */
export const createPrivateFileSync = (file: string, text: string): boolean => {
  const draft = `${file}.${process.pid}`
  let created = true
  try {
    writeFileSync(draft, text, { mode: 0o600, flush: true })
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
