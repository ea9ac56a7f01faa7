import { statSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { Unavailable } from '@rollcall/core'
import { NotSynced, StorageNotUsable, type StorageProblem } from '../storage-not-usable.ts'

/** Numbers of SQLite's primary result codes. */
const ERROR = 1
const [PERM, BUSY, LOCKED, NOMEM, READONLY, INTERRUPT, IOERR, CORRUPT] = [3, 5, 6, 7, 8, 9, 10, 11]
const [FULL, CANTOPEN, PROTOCOL, CONSTRAINT, NOLFS, AUTH, NOTADB] = [13, 14, 15, 19, 22, 23, 26]
/** Of its extended ones. @see https://sqlite.org/rescode.html */
const extended = (primary: number, ...numbers: number[]): number[] => numbers.map((number) => primary | (number << 8))
const CONSTRAINTS_OF_UNIQUENESS = extended(CONSTRAINT, 6, 8, 10)
// VACUUM INTO leaves a failed write without its extended code.
const IOERRS_OF_WRITING = [IOERR, ...extended(IOERR, 3, 4, 5, 6)]
const FAILED_SYNCS = extended(IOERR, 4)

/** The extended result code of an error of SQLite; 0 of any other. */
const codeOf = (error: unknown): number =>
  error instanceof Error && 'errcode' in error && typeof error.errcode === 'number' ? error.errcode : 0

const isOneOf = (error: unknown, ...codes: number[]): boolean => codes.includes(codeOf(error) & 0xff)

/** A statement does not fit the tables that are there, or is wrong. */
export const isOfSchema = (error: unknown): error is Error => isOneOf(error, ERROR)

/** Another connection has the lock right now. */
export const isBusy = (error: unknown): boolean => isOneOf(error, BUSY, LOCKED)

/** The constraint that refused, such as `user_account.email_key`. */
export const violates = (error: unknown, constraint: string): boolean =>
  isOneOf(error, CONSTRAINT) && (error as Error).message.includes(constraint)

/** A unique index or a primary key refused. */
export const violatesUniqueness = (error: unknown): boolean => CONSTRAINTS_OF_UNIQUENESS.includes(codeOf(error))

/** It would have changed what may only be read. */
export const isReadOnly = (error: unknown): boolean => isOneOf(error, READONLY)

// An error outside of these is a defect of ours and must look like one.
const OUTAGES = [BUSY, LOCKED, CANTOPEN, FULL, IOERR, READONLY, CORRUPT, NOTADB]
const RARE_OUTAGES = [NOMEM, PROTOCOL, PERM, AUTH, NOLFS, INTERRUPT]

/** Storage failed; what was asked of it was right. */
export const isOutage = (error: unknown): boolean => isOneOf(error, ...OUTAGES, ...RARE_OUTAGES)

/** The disk took nothing: it is full, broken or may not be written to. */
export const isOfDisk = (error: unknown): boolean => isOneOf(error, FULL, IOERR, READONLY, CANTOPEN)

export const isFull = (error: unknown): boolean => isOneOf(error, FULL)

/** The disk had no room, or did not take what was written. */
export const isUnwritten = (error: unknown): boolean =>
  isOneOf(error, FULL) || IOERRS_OF_WRITING.includes(codeOf(error))

/** The file is damaged, or no database. */
export const isDamaged = (error: unknown): boolean => isOneOf(error, CORRUPT, NOTADB)

/** What ends the process: a part of the database was not brought to the disk. Undefined of any other error. */
export const asNotSynced = (error: unknown, file: string): NotSynced | undefined => {
  if (FAILED_SYNCS.includes(codeOf(error))) return new NotSynced(file, { cause: error })
  return error instanceof NotSynced ? error : undefined
}

/** `Unavailable` if storage failed; any other error as it is. */
export const asUnavailable = (error: unknown): unknown => (isOutage(error) ? new Unavailable({ cause: error }) : error)

const OTHERWISE = 'cannot be read or written. Check that the disk is sound and not full, and the permissions'
const REASONS: readonly (readonly [number[], StorageProblem, string])[] = [
  [[BUSY, LOCKED], 'busy', 'is locked by another process. Try again when that one is done'],
  [[CORRUPT, NOTADB], 'damaged', 'is damaged or no SQLite database. Put it back from a backup, or name another file'],
  [[FULL], 'not-accessible', 'cannot grow: the disk is full. Make room, then try again'],
  [
    [CANTOPEN, PERM, AUTH, READONLY],
    'not-accessible',
    'cannot be opened for writing. Fix the permissions of it and its folder, or mount the disk for writing',
  ],
]

/** `StorageNotUsable` if storage failed while it was being opened; any other error as it is. */
export const asNotUsable = (raised: unknown, file: string): unknown => {
  const error = raised instanceof Unavailable ? (raised.cause ?? raised) : raised
  if (!isOutage(error)) return error
  if (isNoFile(file)) {
    const message = `The database ${file} is a folder or something else that is no file. Name a file.`
    return new StorageNotUsable('not-accessible', message, { cause: error })
  }
  const [, problem, remedy] = REASONS.find(([codes]) => isOneOf(error, ...codes)) ?? [[], 'not-accessible', OTHERWISE]
  return new StorageNotUsable(problem, `The database ${file} ${remedy}.`, { cause: error })
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
