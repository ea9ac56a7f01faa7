import { readdir, readFile, readlink, stat } from 'node:fs/promises'
import path from 'node:path'
import type { Entry } from './tar.ts'

/** All of a folder, below a path in the image; who may write it on this machine is of no meaning there. */
export const entriesOf = async (folder: string, below: string): Promise<Entry[]> => {
  const found = await readdir(folder, { recursive: true, withFileTypes: true })
  return await Promise.all(
    found.map(async (one): Promise<Entry> => {
      const file = path.join(one.parentPath, one.name)
      const name = path.posix.join(below, path.relative(folder, file))
      if (one.isSymbolicLink()) return { name, mode: 0o777, link: await readlink(file) }
      if (one.isDirectory()) return { name: `${name}/`, mode: 0o755 }
      const { mode } = await stat(file)
      return { name, mode: mode & 0o100 ? 0o755 : 0o644, content: await readFile(file) }
    }),
  )
}

/** With all folders above them: a layer that leaves them out gets them with the rights of the account that unpacks it. */
export const withFolders = (entries: readonly Entry[]): Entry[] => {
  const named = new Map(entries.map((entry) => [entry.name, entry]))
  for (const { name } of entries)
    for (let at = name.indexOf('/'); at > 0 && at < name.length - 1; at = name.indexOf('/', at + 1)) {
      const folder = name.slice(0, at + 1)
      if (!named.has(folder)) named.set(folder, { name: folder, mode: 0o755 })
    }
  return [...named.values()]
}

export const textEntry = (name: string, text: string): Entry => ({ name, mode: 0o644, content: Buffer.from(text) })
