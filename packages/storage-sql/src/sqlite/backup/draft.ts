import { closeSync, fsyncSync, openSync, readdirSync, rmSync } from 'node:fs'
import path from 'node:path'

const ENDING = /^\.(\d+)\.part(?:-journal|-wal|-shm)?$/

/** Where a file is written until it is whole. */
export const draftOf = (file: string): string => `${file}.${process.pid}.part`

/** Whether a name is the database's own, or one that is made beside it. Both are real names. */
export const belongsTo = (database: string, file: string): boolean =>
  file === database ||
  file === `${database}.serving` ||
  file.startsWith(`${database}-`) ||
  (file.startsWith(database) && ENDING.test(file.slice(database.length)))

/** Removes what processes left that were killed while they wrote a file: it holds what the file would. */
export const sweepDrafts = (file: string): void => {
  const folder = path.dirname(file)
  for (const name of readdirSync(folder)) {
    if (!name.startsWith(path.basename(file))) continue
    const [, pid] = ENDING.exec(name.slice(path.basename(file).length)) ?? []
    if (pid !== undefined && !isAlive(Number(pid))) rmSync(path.join(folder, name), { force: true })
  }
}

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // Somebody else's process is one, too.
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

export const bringToDisk = (file: string): void => {
  const handle = openSync(file, 'r+')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}
