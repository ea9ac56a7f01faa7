import { randomBytes } from 'node:crypto'
import { lstatSync, readdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import { isAlive } from './is-alive.ts'

const DRAFT = /^(.+)\.(\d+)-[\da-f]{16}\.part(?:-journal|-wal|-shm)?$/s
/** Milliseconds: whoever writes one from another container, whose processes cannot be seen here, has written meanwhile. */
const SURELY_LEFT = 3_600_000

/**
 * Where a file is written until it is whole. Another every time, and not to be guessed: in a shared folder, another user
 * could have made a file or a link of this name.
 */
export const draftOf = (file: string): string => `${file}.${process.pid}-${randomBytes(8).toString('hex')}.part`

/** Whether the name is of a draft of this file, or of what SQLite keeps beside one. */
export const isDraftOf = (file: string, name: string): boolean => DRAFT.exec(name)?.[1] === file

/**
 * Removes what processes left that were killed while they wrote a file: it holds what the file would. Nothing that is done
 * now depends on it.
 * @param age milliseconds since it was last written; 0 if nobody else can be writing one
 */
export const sweepDrafts = (file: string, age = SURELY_LEFT): void =>
  sweepFolder(path.dirname(file), (drafted) => drafted === path.basename(file), age)

/**
 * The same of whatever file in this folder.
 * @param isMeant whether the draft of the file of this name is to be removed
 */
export const sweepFolder = (
  folder: string,
  isMeant: (drafted: string, draft: string) => boolean,
  age = SURELY_LEFT,
): void => {
  for (const name of namesIn(folder)) {
    const [, drafted, writer] = DRAFT.exec(name) ?? []
    const draft = path.join(folder, name)
    if (drafted !== undefined && hasEnded(Number(writer))) removeIf(draft, () => isMeant(drafted, draft), age)
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

const removeIf = (draft: string, isMeant: () => boolean, age: number): void => {
  try {
    if (lstatSync(draft).mtimeMs <= Date.now() - age && isMeant()) rmSync(draft)
  } catch {
    // It is another user's, or no file: the others go all the same.
  }
}

/** In a container, a command has the number that the one before it had. */
const hasEnded = (pid: number): boolean => pid === process.pid || !isAlive(pid)
