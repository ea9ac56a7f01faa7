import { statSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { Unavailable } from '@rollcall/core'
import Database from 'better-sqlite3'
import { StorageNotUsable } from '../storage-not-usable.ts'

const codeOf = (error: unknown): string => (error instanceof Database.SqliteError ? error.code : '')

/** Another connection has the lock right now. */
export const isBusy = (error: unknown): boolean => /^SQLITE_(BUSY|LOCKED)/.test(codeOf(error))

/** The constraint that refused, such as `user_account.email_key`. */
export const violates = (error: unknown, constraint: string): boolean =>
  error instanceof Error && codeOf(error).startsWith('SQLITE_CONSTRAINT') && error.message.includes(constraint)

/** A unique index or a primary key refused. */
export const violatesUniqueness = (error: unknown): boolean =>
  /^SQLITE_CONSTRAINT_(UNIQUE|PRIMARYKEY|ROWID)$/.test(codeOf(error))

// An error outside of these is a defect of ours and must look like one.
const OUTAGE =
  /^SQLITE_(BUSY|LOCKED|CANTOPEN|FULL|IOERR|READONLY|CORRUPT|NOTADB|NOMEM|PROTOCOL|PERM|AUTH|NOLFS|INTERRUPT)/

/** Storage failed; what was asked of it was right. */
export const isOutage = (error: unknown): boolean => OUTAGE.test(codeOf(error))

/** The disk took nothing: it is full, broken or may not be written to. */
export const isOfDisk = (error: unknown): boolean => /^SQLITE_(FULL|IOERR|READONLY|CANTOPEN)/.test(codeOf(error))

/** The disk had no room, or did not take what was written. */
export const isUnwritten = (error: unknown): boolean =>
  /^SQLITE_(FULL|IOERR_(WRITE|FSYNC|DIR_FSYNC|TRUNCATE))/.test(codeOf(error))

/** SQLite's error again, of which a thread's end has left a plain one; any other as it is. */
export const fromThread = (error: unknown): unknown => {
  if (!(error instanceof Error && 'code' in error && typeof error.code === 'string')) return error
  return error.code.startsWith('SQLITE_') ? new Database.SqliteError(error.message, error.code) : error
}

/** `Unavailable` where storage failed; any other error as it is. */
export const asUnavailable = (error: unknown): unknown => (isOutage(error) ? new Unavailable({ cause: error }) : error)

const REASONS = [
  [/BUSY|LOCKED/, 'busy', 'is locked by another process. Try again when that one is done'],
  [/CORRUPT|NOTADB/, 'damaged', 'is damaged or no SQLite database. Put it back from a backup, or name another file'],
  [/FULL/, 'not-accessible', 'cannot grow: the disk is full. Make room, then try again'],
  [
    /CANTOPEN|PERM|AUTH|READONLY/,
    'not-accessible',
    'cannot be opened for writing. Fix the permissions of it and its folder, or mount the disk for writing',
  ],
  [/./, 'not-accessible', 'cannot be read or written. Check that the disk is sound and not full, and the permissions'],
] as const

/** `StorageNotUsable` where storage failed while it was being opened; any other error as it is. */
export const asNotUsable = (raised: unknown, file: string): unknown => {
  const error = raised instanceof Unavailable ? (raised.cause ?? raised) : raised
  if (!isOutage(error)) return error
  if (isNoFile(file)) {
    const message = `The database ${file} is a folder or something else that is no file. Name a file.`
    return new StorageNotUsable('not-accessible', message, { cause: error })
  }
  const code = codeOf(error)
  for (const [pattern, problem, remedy] of REASONS)
    if (pattern.test(code)) return new StorageNotUsable(problem, `The database ${file} ${remedy}.`, { cause: error })
  return error
}

const isNoFile = (place: string): boolean => {
  try {
    return !statSync(place).isFile()
  } catch {
    // Missing, or out of reach: what SQLite says is the reason.
    return false
  }
}

/** Milliseconds to wait for the lock of another process before giving up. */
export const BUSY_TIMEOUT = 5_000

const SHORTEST_PAUSE = 1
const LONGEST_PAUSE = 2

/** A pause of random length, so that two who wait for each other do not meet again. */
export const shortPause = async (): Promise<void> => {
  await sleep(SHORTEST_PAUSE + Math.random() * (LONGEST_PAUSE - SHORTEST_PAUSE))
}

/**
 * Tries until no other process holds the lock. SQLite's own waiting (`busy_timeout`) would freeze the event loop.
 * @throws SQLite's own error, once `timeout` milliseconds are over
 */
export const retryWhileBusy = async <Result>(attempt: () => Result, timeout = BUSY_TIMEOUT): Promise<Result> => {
  const deadline = performance.now() + timeout
  for (;;) {
    try {
      return attempt()
    } catch (error) {
      if (!isBusy(error) || performance.now() > deadline) throw error
    }
    await shortPause()
  }
}
