import { rename } from 'node:fs/promises'
import { dirname } from 'node:path'
import { syncFolder } from '@rollcall/platform-node'

/** Lets a file that is whole take its name, on durable storage. */
export const giveName = async (temporary: string, path: string): Promise<void> => {
  await rename(temporary, path)
  await syncFolder(dirname(path))
}
