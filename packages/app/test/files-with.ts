import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'

/** Every file of a folder that contains the text, whatever kind of file it is. */
export const filesWith = async (folder: string, text: string): Promise<string[]> => {
  const found: string[] = []
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const file = path.join(entry.parentPath, entry.name)
    if ((await readFile(file)).includes(text)) found.push(file)
  }
  return found
}
