import { chmodSync, constants, copyFileSync } from 'node:fs'
import path from 'node:path'
import { StorageNotUsable } from '../../storage-not-usable.ts'
import { asNotUsable } from '../sqlite-error.ts'

/** @throws {StorageNotUsable} there is no room for it, or it cannot be read */
export const copyHere = (from: string, draft: string): void => {
  try {
    copyFileSync(from, draft, constants.COPYFILE_FICLONE)
    // It has the rights of what it was copied from.
    chmodSync(draft, 0o600)
  } catch (cause) {
    const message = `The backup ${from} cannot be copied to ${path.dirname(draft)} (${(cause as NodeJS.ErrnoException).code}). Make room there, or fix its permissions. Nothing was replaced.`
    throw new StorageNotUsable('not-accessible', message, { cause })
  }
}

/** Errors name the backup, not the copy that it is read from. */
export const ofBackup = (error: unknown, from: string, draft: string): unknown => {
  const known = asNotUsable(error, draft)
  if (!(known instanceof StorageNotUsable && known.message.includes(draft))) return known
  const message =
    known.problem === 'damaged'
      ? `The backup ${from} is damaged, or no backup at all. Take another: nothing was replaced.`
      : `The backup ${from} cannot be made ready in ${path.dirname(draft)}: the disk is full or broken, or may not be written to. Make room there, or fix its permissions. Nothing was replaced.`
  return new StorageNotUsable(known.problem, message, { cause: known })
}
