import { randomBytes } from 'node:crypto'
import { lstatSync, readdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import { isAlive } from './is-alive.ts'

const ENDING = /^\.(\d+)-[\da-f]{16}\.part(?:-journal|-wal|-shm)?$/
/** Milliseconds: whoever writes one from another container, whose processes cannot be seen here, has written meanwhile. */
const SURELY_LEFT = 3_600_000

/**
 * Where a file is written until it is whole. Another every time, and not to be guessed: in a shared folder, another user
 * could have made a file or a link of this name.
 */
export const draftOf = (file: string): string => `${file}.${process.pid}-${randomBytes(8).toString('hex')}.part`

/** The process that writes a draft of this file; undefined if the name is not of one, or of what SQLite keeps beside it. */
const writerOf = (file: string, name: string): number | undefined => {
  const [, pid] = (name.startsWith(file) && ENDING.exec(name.slice(file.length))) || []
  return pid === undefined ? undefined : Number(pid)
}

export const isDraftOf = (file: string, name: string): boolean => writerOf(file, name) !== undefined

/**
 * Removes what processes left that were killed while they wrote a file: it holds what the file would. Nothing that is done
 * now depends on it.
 * @param age milliseconds since it was last written; 0 if nobody else can be writing one
 */
export const sweepDrafts = (file: string, age = SURELY_LEFT): void => {
  const folder = path.dirname(file)
  for (const name of namesIn(folder)) {
    const writer = writerOf(path.basename(file), name)
    if (writer !== undefined && hasEnded(writer)) removeIfOlder(path.join(folder, name), age)
  }
}

const namesIn = (folder: string): readonly string[] => {
  try {
    return readdirSync(folder)
  } catch {
    // It may be written to, and not listed.
    return []
  }
}

const removeIfOlder = (draft: string, age: number): void => {
  try {
    if (lstatSync(draft).mtimeMs <= Date.now() - age) rmSync(draft)
  } catch {
    // It is another user's, or no file: the others go all the same.
  }
}

/** In a container, a command has the number that the one before it had. */
const hasEnded = (pid: number): boolean => pid === process.pid || !isAlive(pid)
