import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach } from 'vitest'

/** A folder of its own for each test of the suite around it. */
export const temporaryFolder = () => {
  let folder = ''
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'rollcall-cli-'))
  })
  afterEach(async () => {
    await rm(folder, { recursive: true })
  })
  const path = (name: string): string => join(folder, name)
  return {
    path,
    write: async (name: string, text: string | Uint8Array): Promise<string> => {
      await writeFile(path(name), text, { mode: 0o600 })
      return path(name)
    },
    read: (name: string): Promise<string> => readFile(path(name), 'utf8'),
    list: (): Promise<string[]> => readdir(folder),
  }
}
