import { closeSync, fsyncSync, openSync } from 'node:fs'
import { open } from 'node:fs/promises'

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
