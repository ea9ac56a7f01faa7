import { closeSync, existsSync, openSync, renameSync } from 'node:fs'
import path from 'node:path'
import { draftOf, syncFolderSync } from '@rollcall/platform-node'
import { StorageNotUsable } from '../../storage-not-usable.ts'
import { SET_VALUE } from '../../tables/audit.ts'
import { EVENT_FLOOR, LAST_POSITION } from '../../tables/events.ts'
import { type Connection, openConnection, pluck, withConnection } from '../connection.ts'
import { migrateSqlite, missing, requireKnown, requireWholeFile } from '../migrate-sqlite.ts'
import { realName } from '../private-file.ts'
import { schemaFaults } from '../schema-faults.ts'
import { lockForServing } from '../serving-lock.ts'
import { isBusy, isOutage, retryWhileBusy } from '../sqlite-error.ts'
import { type BackupPoint, bringToDisk, faultsOf, type KeptFile, pointOf, takeFiles } from './backup-file.ts'
import { type Carried, carryOver } from './carry-over.ts'
import { besideBackup, copyHere, createDraft, keepAside, ofBackup, placeToKeep, removeAll, unfit } from './draft.ts'
import type { Lineage } from './lineage.ts'
import {
  type BackupDigest,
  readOnly,
  requireBackup,
  requireBackupFile,
  requireDigest,
  requireSound,
} from './verify-backup.ts'
import { type OpenDraft, openDraft, type Reapplied, type Withdrawals, withdraw } from './withdraw.ts'
import { type IdOf, withdrawRequests } from './withdrawn-requests.ts'

export interface RestoreOrder {
  /** The database to put the backup in place of; it need not be there. */
  readonly file: string
  readonly backup: string
  /** What was withdrawn after the backup was made, as it was kept elsewhere. */
  readonly withdrawals: (since: BackupPoint) => Withdrawals
  /** Where the database goes that is replaced; beside the backup if it is left out. */
  readonly keep?: string | undefined
  /** A folder that it must not stay in, because what is erased leaves nothing there. */
  readonly outside?: string | undefined
  /** Tables, triggers and views of the host's own that may be in it, by name. */
  readonly own?: readonly string[] | undefined
  /** Called before each step, which may take long and lets nothing else run. */
  readonly onStep?: ((step: RestoreStep) => void) | undefined
}

export type RestoreStep = 'checking' | 'comparing' | 'completing' | 'copying' | 'examining' | 'updating'

/** What is to be replaced: `none` if there is no database, `unreadable` if it cannot be read. */
export type Replaced = 'none' | 'unreadable' | (BackupPoint & { readonly lineage: Lineage })

/** A backup that is ready to take the place of the database; nothing is replaced before `complete`. */
export interface Restore {
  /** The backup, brought up to date: a database to be opened, and closed before `complete`. */
  readonly draft: string
  /** What of the data folder went with it. */
  readonly files: readonly KeptFile[]
  readonly backup: BackupPoint
  readonly digest: BackupDigest
  readonly replaced: Replaced
  readonly reapplied: Reapplied
  /** A value that the backup's storage kept by `settle`, such as the fingerprint of the secret. */
  recall(name: string): string | undefined
  /** Takes requests out that wait about subscriptions that were withdrawn since; how many. To be called before `complete`. */
  withdrawRequests(idOf: IdOf): Promise<number>
  /** Replaces the database. Gives the file of the one that was there, if there was one. */
  complete(): Promise<string | undefined>
  /** Leaves everything as it was. Afterwards, and after `complete`, it does nothing. */
  discard(): void
}

/**
 * Makes a backup ready, and brings into it what was withdrawn since. No server works on the database until that is over.
 * @throws {AlreadyServing} a server works on the database
 * @throws {StorageNotUsable} the file is no backup, is damaged, was changed, or is of a newer version
 */
export const restoreSqlite = async ({
  file,
  backup,
  withdrawals,
  keep,
  outside,
  own,
  onStep = () => undefined,
}: RestoreOrder): Promise<Restore> => {
  const [live, from] = [realName(file), realName(backup)]
  requireBackupFile(from)
  if (live === from) throw unfit(`${from} is the database itself, and no backup of it.`)
  const place = existsSync(live) ? placeToKeep(keep ?? besideBackup(from), live, outside) : undefined
  const serving = await lockForServing(live)
  const draft = draftOf(live)
  let held: HeldDatabase | undefined
  const discard = (): void => {
    process.off('exit', discard)
    held?.release()
    removeAll(draft)
    serving.release()
  }
  // Of a process that is told to end twice.
  process.once('exit', discard)
  try {
    createDraft(draft)
    onStep('copying')
    copyHere(from, draft)
    onStep('examining')
    if (await isReadable(live)) held = await HeldDatabase.open(live)
    const { withdrawn, ...ready } = await readied({
      draft,
      live,
      from,
      withdrawals,
      own,
      onStep,
      readable: held !== undefined,
    })
    await held?.hold()
    return {
      draft,
      ...ready,
      withdrawRequests: (idOf) => withConnection(draft, (connection) => withdrawRequests(connection, withdrawn, idOf)),
      complete: async () => {
        onStep('completing')
        await seal(draft, from)
        const kept = setAside(live, held, place)
        // It lets no file be replaced that somebody has open.
        if (process.platform === 'win32') held?.release()
        renameSync(draft, live)
        syncFolderSync(path.dirname(live))
        discard()
        return kept
      },
      discard,
    }
  } catch (error) {
    discard()
    throw ofBackup(error, from, draft)
  }
}

interface Places extends Pick<RestoreOrder, 'own' | 'withdrawals'> {
  readonly draft: string
  readonly live: string
  readonly from: string
  /** Whether what the database knows can be carried over. */
  readonly readable: boolean
  readonly onStep: (step: RestoreStep) => void
}

/** Brings the copy up to date in every respect. */
const readied = async ({ draft, live, from, withdrawals, own, readable, onStep }: Places) => {
  onStep('comparing')
  // Before anything is written to the copy.
  const digest = readOnly(draft, (connection) => requireDigest(connection, draft, from))
  onStep('checking')
  const files = await withConnection(draft, (connection) => {
    requireBackup(connection, from, own)
    return takeFiles(connection)
  })
  onStep('updating')
  await migrateSqlite(draft)
  return await withConnection(draft, async (connection) => {
    requireWholeFile(connection, from)
    const values = new Map(connection.prepare<[], [string, string]>(SETTLED).raw().all())
    const backup = pointOf(connection)
    if (readable) connection.prepare('ATTACH ? AS replaced').run(live)
    const copy = openDraft(connection)
    copy.writer.begin()
    // A login that was ended since must not come back.
    for (const name of ['console_session', 'login_link', 'deletion_run']) connection.exec(`DELETE FROM ${name}`)
    const [erasures = 0] = pluck<number>(connection, 'SELECT count FROM erasure')
    const unread: Replaced = existsSync(live) ? 'unreadable' : 'none'
    const { replaced, carried } = readable
      ? await carriedFrom(copy, values, live)
      : { replaced: unread, carried: NOTHING }
    // Of the record that will say so: the next to be written.
    const noted = (pluck<number>(connection, "SELECT seq FROM sqlite_sequence WHERE name = 'audit_record'")[0] ?? 0) + 1
    const kept = withdrawals(backup)
    const taken = await withdraw(copy, kept, noted)
    if (!readable) keepLostPositions(connection)
    // Sealing leaves nothing of what was erased here: a server that starts on it need not look for that.
    connection.prepare('UPDATE erasure SET count = ?').run(erasures)
    copy.writer.commit()
    const reapplied = {
      users: carried.users + taken.users,
      erased: carried.erased + taken.erased,
      ended: carried.ended + taken.ended,
      suppressions: carried.suppressions,
    }
    const settled = new Map(connection.prepare<[], [string, string]>(SETTLED).raw().all())
    const withdrawn = new Set([...carried.withdrawn, ...kept.erased, ...kept.ended.keys()])
    return { files, backup, digest, replaced, reapplied, withdrawn, recall: (name: string) => settled.get(name) }
  })
}

/** More events than a database gives positions to between a backup and its loss, if the clock is not right. */
const LOST_EVENTS = 1_000_000_000

/**
 * Whoever follows the events of a lost database has read positions that the backup does not know: none is given again, nor
 * one of an earlier restore of the same backup, as no database gives one in each microsecond.
 */
const keepLostPositions = (connection: Connection): void => {
  const [last = 0] = pluck<number>(connection, `SELECT ${LAST_POSITION}`)
  connection.prepare(SET_VALUE).run(EVENT_FLOOR, `${Math.max(last + LOST_EVENTS, Date.now() * 1_000)}`)
}

const SETTLED = 'SELECT name, value FROM instance'

const NOTHING: Omit<Carried, 'lineage'> = { users: 0, erased: 0, ended: 0, suppressions: 0, withdrawn: new Set() }

const carriedFrom = async (copy: OpenDraft, values: ReadonlyMap<string, string>, live: string) => {
  const { connection } = copy.writer
  requireSameService(connection, values, live)
  const { lineage, ...carried } = await carryOver(copy)
  return { replaced: { ...pointOf(connection, 'replaced'), lineage }, carried }
}

const FINGERPRINT = 'secret-fingerprint'

const requireSameService = (connection: Connection, values: ReadonlyMap<string, string>, live: string): void => {
  const [theirs] = pluck<string>(connection, 'SELECT value FROM replaced.instance WHERE name = ?', FINGERPRINT)
  const ours = values.get(FINGERPRINT)
  if (theirs === undefined || ours === undefined || theirs === ours) return
  const message = `${live} is the database of another service than the backup: their secrets are not the same. Choose another ROLLCALL_DATA_DIR.`
  throw new StorageNotUsable('not-empty', message)
}

/** Whether it is there, sound and of this version, so that what it knows can be carried over. */
const isReadable = async (live: string): Promise<boolean> => {
  if (!existsSync(live)) return false
  try {
    return await withConnection(live, async (connection) => {
      requireWholeFile(connection, live)
      requireKnown(connection)
      if (missing(connection).length > 0 || faultsOf(connection).length > 0) return false
      return schemaFaults(connection, { own: 'any', onlyRead: true }).length === 0
    })
  } catch (error) {
    if (isOutage(error) || error instanceof StorageNotUsable) return false
    throw error
  }
}

/** Makes one file of it, without anything that it was rid of, on durable storage. */
const seal = async (draft: string, from: string): Promise<void> => {
  await withConnection(draft, (connection) => {
    requireSound(connection, from)
    connection.exec('VACUUM')
    connection.pragma('journal_mode = DELETE')
  })
  bringToDisk(draft)
}

/** The database that is replaced. What is deleted in it while somebody is asked would come back. */
class HeldDatabase {
  readonly #connection: Connection
  readonly #file: string
  readonly #version: unknown
  #isOpen = true

  private constructor(connection: Connection, file: string) {
    this.#connection = connection
    this.#file = file
    this.#version = connection.pragma('data_version')
  }

  static async open(file: string): Promise<HeldDatabase> {
    return new HeldDatabase(await openConnection(file), file)
  }

  /** From now on commands that write to it say that it is busy. @throws {StorageNotUsable} one has written since it was opened */
  async hold(): Promise<void> {
    await retryWhileBusy(() => this.#connection.exec('BEGIN IMMEDIATE'))
    this.#requireUnchanged()
  }

  /**
   * Makes one file of it, that nobody else has open or opens before `release`: who waits for it finds that another file has
   * taken its place, and writes nothing.
   * @throws {StorageNotUsable} somebody has it open, or has written to it
   */
  close(): void {
    const connection = this.#connection
    connection.exec('ROLLBACK')
    connection.pragma('locking_mode = EXCLUSIVE')
    try {
      // Takes the lock that the mode keeps, and looks at what others have written, which to leave the log does not.
      connection.exec('BEGIN IMMEDIATE')
      this.#requireUnchanged()
      connection.exec('COMMIT')
      if (connection.pragma('journal_mode = DELETE') !== 'delete') throw inUse(this.#file)
    } catch (error) {
      throw isBusy(error) ? inUse(this.#file) : error
    }
  }

  /** Once it is closed. Another handle on the file itself would drop the lock as it is closed. */
  copyTo(file: string): void {
    closeSync(openSync(file, 'wx', 0o600))
    try {
      this.#connection.prepare('VACUUM INTO ?').run(file)
    } catch (error) {
      removeAll(file)
      throw error
    }
  }

  release(): void {
    if (this.#isOpen) this.#connection.close()
    this.#isOpen = false
  }

  #requireUnchanged(): void {
    if (this.#connection.pragma('data_version') !== this.#version) throw inUse(this.#file)
  }
}

const inUse = (file: string): StorageNotUsable =>
  new StorageNotUsable('busy', `The database ${file} is in use. End every command that works with it.`)

/** Keeps the database that is replaced. Up to the step that puts the other in its place, it is there. */
const setAside = (live: string, held: HeldDatabase | undefined, place: string | undefined): string | undefined => {
  held?.close()
  if (place === undefined && existsSync(live)) throw inUse(live)
  if (place !== undefined) keepAside(live, place, held && ((to) => held.copyTo(to)))
  return place
}
