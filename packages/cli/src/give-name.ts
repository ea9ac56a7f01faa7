import { open, rename } from 'node:fs/promises'
import { dirname } from 'node:path'

/** Lets a file that is whole take its name, on durable storage. */
export const giveName = async (temporary: string, path: string): Promise<void> => {
  await rename(temporary, path)
  await syncFolder(dirname(path))
}

/** A new name is on durable storage once its folder is. */
const syncFolder = async (path: string): Promise<void> => {
  // Windows opens no folders, and needs none of this.
  if (process.platform === 'win32') return
  const folder = await open(path)
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}
