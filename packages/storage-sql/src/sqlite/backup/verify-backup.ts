import { closeSync, existsSync, openSync, readSync, statSync } from 'node:fs'
import { StorageNotUsable } from '../../storage-not-usable.ts'
import { type Connection, pluck } from '../connection.ts'
import { requireKnown } from '../migrate-sqlite.ts'
import { openFile } from '../open-file.ts'
import { realName, sizeOf } from '../private-file.ts'
import { schemaFaults } from '../schema-faults.ts'
import { asNotUsable } from '../sqlite-error.ts'
import { checkDigest } from './backup-digest.ts'
import { BACKUP_TABLES, type BackupPoint, faultsOf, filesIn, pointOf } from './backup-file.ts'
import { unfit } from './draft.ts'

export interface VerifyOrder {
  readonly file: string
  /** Tables, triggers and views of the host's own that may be in it, by name. */
  readonly own?: readonly string[] | undefined
  /** Called before each step, which may take long and lets nothing else run. */
  readonly onStep?: ((step: 'checking' | 'comparing') => void) | undefined
}

/** Whether the bytes of a backup were compared with a digest; `none` if its table was removed. */
export type BackupDigest = 'none' | 'same'

/** A backup that `restoreSqlite` would take. */
export interface VerifiedBackup extends BackupPoint {
  readonly file: string
  readonly bytes: number
  readonly digest: BackupDigest
  /** The names of what of the data folder went with it. */
  readonly files: readonly string[]
}

/**
 * Looks whether a file is a backup as it was written. Nothing is changed.
 * @throws {StorageNotUsable} it is no backup, is damaged, was changed, or is of a newer version
 */
export const verifyBackup = async ({ file, own, onStep }: VerifyOrder): Promise<VerifiedBackup> => {
  const from = realName(file)
  requireBackupFile(from)
  try {
    if (isInUse(from)) throw unfit(`${from} is a database, and no file that \`rollcall backup\` made.`)
    return readOnly(from, (connection) => {
      onStep?.('comparing')
      const digest = requireDigest(connection, from, from)
      onStep?.('checking')
      requireBackup(connection, from, own)
      const files = filesIn(connection).map(({ name }) => name)
      return { file: from, bytes: sizeOf(from), digest, files, ...pointOf(connection) }
    })
  } catch (error) {
    throw unreadable(error, from)
  }
}

/** What is read of a file that may be a stranger's. */
export const readOnly = <Result>(file: string, read: (connection: Connection) => Result): Result => {
  const connection = openFile(file, true, (opened) => opened.pragma('trusted_schema = 0'))
  try {
    return read(connection)
  } finally {
    connection.close()
  }
}

/** What SQLite or the system says of a file that is only read. */
const unreadable = (error: unknown, from: string): unknown => {
  const isOfSystem = error instanceof Error && 'syscall' in error
  const known = isOfSystem ? undefined : asNotUsable(error, from)
  if (known === error) return error
  const problem = known instanceof StorageNotUsable ? known.problem : 'not-accessible'
  const message =
    problem === 'damaged'
      ? `The backup ${from} is damaged, or no backup at all. Take another.`
      : `The backup ${from} cannot be read. Fix its permissions, and check the disk.`
  return new StorageNotUsable(problem, message, { cause: error })
}

export const requireBackupFile = (from: string): void => {
  if (!existsSync(from)) throw unfit(`There is no backup ${from}.`)
  if (!statSync(from).isFile()) throw unfit(`${from} is no plain file. Name the file that \`rollcall backup\` made.`)
}

/** Whether a new backup may take the place of a file: of an earlier backup, or of a file with nothing in it. */
export const isReplaceable = (file: string): boolean => {
  try {
    if (sizeOf(file) === 0) return true
    return !isInUse(file) && readOnly(file, hasTables)
  } catch {
    // What cannot be read may be anything.
    return false
  }
}

const hasTables = (connection: Connection): boolean =>
  pluck(connection, "SELECT 1 FROM sqlite_schema WHERE name IN ('rollcall_migration', 'audit_record')").length === 2

const WRITE_VERSION = 18
const LOGGED = 2

/** Whether it has a log beside it, or would get one by being opened; a backup never has. */
const isInUse = (file: string): boolean => {
  const handle = openSync(file, 'r')
  try {
    const header = Buffer.alloc(WRITE_VERSION + 1)
    readSync(handle, header, 0, header.length, 0)
    return header.toString('latin1', 0, 6) === 'SQLite' && header[WRITE_VERSION] === LOGGED
  } finally {
    closeSync(handle)
  }
}

/** @throws {StorageNotUsable} a byte of the file is not as it was written; `from` is what the message names */
export const requireDigest = (connection: Connection, file: string, from: string): BackupDigest => {
  const digest = checkDigest(file, connection)
  if (digest !== 'damaged') return digest
  const message = `The backup ${from} is damaged (it does not match its digest: it was changed after it was written). Take another.`
  throw new StorageNotUsable('damaged', message)
}

/** @throws {StorageNotUsable} it is no backup of a version that is known, is damaged, or has another schema */
export const requireBackup = (connection: Connection, from: string, own: readonly string[] = []): void => {
  if (!hasTables(connection)) throw unfit(`${from} is no backup of this service.`)
  requireKnown(connection)
  const [other] = schemaFaults(connection, { tables: BACKUP_TABLES, own })
  if (other !== undefined) {
    const message = `The schema of the backup ${from} is not that of its version: ${other}. Take another backup; or, if this is a part of your own application, name it with --own.`
    throw new StorageNotUsable('damaged', message)
  }
  requireSound(connection, from)
}

/** @throws {StorageNotUsable} its structure is damaged */
export const requireSound = (connection: Connection, from: string): void => {
  const [fault] = faultsOf(connection)
  if (fault !== undefined)
    throw new StorageNotUsable('damaged', `The backup ${from} is damaged (${fault}). Take another.`)
}
