import { copyFileSync, existsSync, renameSync, rmSync } from 'node:fs'
import path from 'node:path'
import { StorageNotUsable } from '../../storage-not-usable.ts'
import { realName } from '../private-file.ts'
import { belongsTo, bringToDisk } from './draft.ts'

/** A database, and what SQLite keeps beside it. */
export const SIDES = ['', '-wal', '-shm', '-journal']

/**
 * Moves a database away, also to another disk.
 * @throws {StorageNotUsable} it cannot be put there; it is where it was
 */
export const moveAside = (from: string, to: string): void => {
  const sides = SIDES.filter((side) => existsSync(`${from}${side}`))
  const moved: string[] = []
  try {
    for (const side of sides) {
      renameSync(`${from}${side}`, `${to}${side}`)
      moved.push(side)
    }
  } catch (error) {
    for (const side of moved) renameSync(`${to}${side}`, `${from}${side}`)
    if ((error as NodeJS.ErrnoException).code !== 'EXDEV') throw notThere(to, error)
    copyAside(from, to, sides)
  }
}

/** Nothing is gone before all of it is there. */
const copyAside = (from: string, to: string, sides: readonly string[]): void => {
  try {
    for (const side of sides) {
      copyFileSync(`${from}${side}`, `${to}${side}`)
      bringToDisk(`${to}${side}`)
    }
  } catch (error) {
    for (const side of sides) rmSync(`${to}${side}`, { force: true })
    throw notThere(to, error)
  }
  for (const side of sides) rmSync(`${from}${side}`)
}

const notThere = (to: string, cause: unknown): StorageNotUsable => {
  const message = `The database that is replaced cannot be moved to ${to} (${(cause as NodeJS.ErrnoException).code}). Make room there, or name another place with --keep. Nothing was replaced.`
  return new StorageNotUsable('not-accessible', message, { cause })
}

/** @throws {StorageNotUsable} what is replaced cannot go there */
export const requirePlace = (keep: string | undefined, live: string): void => {
  if (keep === undefined) return
  if (belongsTo(live, realName(keep)))
    throw new StorageNotUsable(
      'not-accessible',
      `${keep} belongs to the database itself. Give another name with --keep.`,
    )
  if (existsSync(keep)) throw new StorageNotUsable('not-accessible', `There is a ${keep} already. Give another name.`)
  if (!existsSync(path.dirname(path.resolve(keep))))
    throw new StorageNotUsable('not-accessible', `There is no folder for ${keep}.`)
}
