import { closeSync, fsyncSync, openSync } from 'node:fs'

/** Makes the names in a folder durable: those that were made, and those that were removed. */
export const syncFolder = (folder: string): void => {
  // Windows cannot open a folder, and keeps its names without being asked.
  if (process.platform === 'win32') return
  const handle = openSync(folder, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}
