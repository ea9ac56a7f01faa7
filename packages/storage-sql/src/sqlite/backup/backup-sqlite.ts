import { once } from 'node:events'
import { existsSync, lstatSync, renameSync, rmSync } from 'node:fs'
import path from 'node:path'
import { Worker } from 'node:worker_threads'
import { draftOf, hasErrorCode, syncFolderSync } from '@rollcall/platform-node'
import { otherSchema } from '../../schema-version.ts'
import { StorageNotUsable } from '../../storage-not-usable.ts'
import { type Connection, withConnection } from '../connection.ts'
import { newerThanThis, recallFrom, requireUsable } from '../migrate-sqlite.ts'
import { realName, sizeOf } from '../private-file.ts'
import { schemaFaults } from '../schema-faults.ts'
import { asNotUsable, isFull, isUnwritten } from '../sqlite-error.ts'
import type { BackupPoint, KeptFile } from './backup-file.ts'
import type { BackupTask } from './backup-worker.ts'
import { belongsTo, createDraft, diskReason, placeOf, sweepBackups, unfit } from './draft.ts'
import { isReplaceable } from './verify-backup.ts'

export interface BackupOrder {
  readonly file: string
  /** Where to; its folder is there. */
  readonly to: string
  /** An earlier backup of this name, or an empty file, is replaced; nothing else ever is. */
  readonly replace: boolean
  /** What goes with the database. */
  readonly files: readonly KeptFile[]
  /** Asked before anything is written, with what the database has settled; throws where it shall not be copied so. */
  readonly check?: ((recall: (name: string) => string | undefined) => void) | undefined
}

export interface BackupOptions {
  /** Called with how many bytes are written, of about how many. */
  readonly onProgress?: ((written: number, total: number) => void) | undefined
  /** Ends it as aborted, once SQLite has ended what it is at; nothing is left. */
  readonly signal?: AbortSignal | undefined
}

export interface Backup extends BackupPoint {
  readonly file: string
  readonly bytes: number
}

const PACE = 200

/**
 * Copies a database file as it is at one moment, beside a server and without holding anybody up. The copy is there under
 * its name once it is whole, found sound and on durable storage; for this user alone.
 * @throws {StorageNotUsable} the database or the place for the copy cannot be used
 */
export const backupSqlite = async (order: BackupOrder, { onProgress, signal }: BackupOptions = {}): Promise<Backup> => {
  const from = realName(order.file)
  await requireCopyable(from, order.check)
  const to = placeFor(order, from)
  sweepBackups(to)
  signal?.throwIfAborted()
  const draft = draftOf(to)
  const removeDraft = (): void => {
    for (const rest of [draft, `${draft}-journal`]) rmSync(rest, { force: true })
  }
  createDraft(draft)
  // Of a process that is told to end twice.
  process.once('exit', removeDraft)
  const reporting = setInterval(() => onProgress?.(sizeOf(draft), sizeOf(from)), PACE)
  try {
    const { point, faults } = await inThread({ from, to: draft, files: order.files }, signal)
    if (faults.length > 0) throw damaged(from, faults)
    renameSync(draft, to)
    syncFolderSync(path.dirname(to))
    return { ...point, file: to, bytes: sizeOf(to) }
  } catch (error) {
    throw notWritten(error, to) ?? asNotUsable(error, from)
  } finally {
    clearInterval(reporting)
    process.off('exit', removeDraft)
    removeDraft()
  }
}

const requireCopyable = async (file: string, check: BackupOrder['check']): Promise<void> => {
  if (!existsSync(file)) throw unfit(`There is no database ${file}.`)
  const examine = (connection: Connection): void => {
    requireUsable(connection, file)
    requireRestorable(connection, file)
    check?.((name) => recallFrom(connection, name))
  }
  await withConnection(file, examine)
}

/** A restoration takes no other schema: it would be known too late. */
const requireRestorable = (connection: Connection, file: string): void => {
  const [fault] = newerThanThis(connection).length > 0 ? [] : schemaFaults(connection, { own: 'any' })
  if (fault !== undefined) throw otherSchema(file, `${fault}, and a backup of it could not be restored`)
}

const placeFor = ({ to, replace }: BackupOrder, from: string): string => {
  const place = placeOf(to)
  if (!existsSync(path.dirname(place))) throw unfit(`There is no folder ${path.dirname(place)} for the backup.`)
  if (belongsTo(from, place)) throw unfit(`${place} belongs to the database itself. Give the backup another name.`)
  const found = lstatSync(place, { throwIfNoEntry: false })
  if (found !== undefined && !found.isFile()) throw unfit(`${place} is no plain file. Give the backup another name.`)
  if (found !== undefined && !replace)
    throw unfit(
      `There is a ${place} already. Give another name, or add --replace: it stays until the new one is whole.`,
    )
  if (found !== undefined && !isReplaceable(place))
    throw unfit(
      `${place} is no file that \`rollcall backup\` made, or cannot be read, so it is not replaced. Give the backup another name, or remove this file first.`,
    )
  return place
}

/** The database is only read: what finds no room is the copy. */
const notWritten = (cause: unknown, to: string): StorageNotUsable | undefined => {
  if (!isUnwritten(cause) && !hasErrorCode(cause, 'ENOSPC', 'EDQUOT', 'EFBIG', 'EIO', 'EROFS')) return undefined
  const reason = isFull(cause) ? 'the disk is full. Make room.' : diskReason(cause)
  const message = `The backup cannot be written to ${path.dirname(to)}: ${reason} Or name another place.`
  return unfit(message, { cause })
}

const damaged = (file: string, faults: readonly string[]): StorageNotUsable => {
  const message = `The database ${file} is damaged (${faults[0]}), and so was the copy, which is gone. Put back the last good backup: \`rollcall restore\`.`
  return new StorageNotUsable('damaged', message)
}

const inThread = async (
  task: BackupTask,
  signal: AbortSignal | undefined,
): Promise<{ point: BackupPoint; faults: readonly string[] }> => {
  // Built or not, it has the same ending as this file.
  const name = `./backup-worker${path.extname(import.meta.filename)}`
  const worker = new Worker(new URL(name, import.meta.url), { workerData: task })
  try {
    const [outcome] = await once(worker, 'message', { signal })
    return outcome
  } finally {
    await worker.terminate()
  }
}
