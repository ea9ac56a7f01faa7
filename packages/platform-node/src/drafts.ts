import { randomBytes } from 'node:crypto'
import { readdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import { isAlive } from './is-alive.ts'

const ENDING = /^\.(\d+)(?:-[\da-f]+)?\.part(?:-journal|-wal|-shm)?$/

/**
 * Where a file is written until it is whole. Another every time, and not to be guessed: in a shared folder, another user
 * could have made a file or a link of this name.
 */
export const draftOf = (file: string): string => `${file}.${process.pid}-${randomBytes(8).toString('hex')}.part`

/** Whether a name is that of a draft of this file, or of what SQLite keeps beside it. */
export const isDraftOf = (file: string, name: string): boolean =>
  name.startsWith(file) && ENDING.test(name.slice(file.length))

/** Removes what processes left that were killed while they wrote a file: it holds what the file would. */
export const sweepDrafts = (file: string): void => {
  const folder = path.dirname(file)
  for (const name of readdirSync(folder)) {
    if (!name.startsWith(path.basename(file))) continue
    const [, pid] = ENDING.exec(name.slice(path.basename(file).length)) ?? []
    if (pid !== undefined && !isAlive(Number(pid))) removeIfOwn(path.join(folder, name))
  }
}

const removeIfOwn = (draft: string): void => {
  try {
    rmSync(draft, { force: true })
  } catch {
    // It is another user's, or none of ours: nothing that is done now depends on it.
  }
}
