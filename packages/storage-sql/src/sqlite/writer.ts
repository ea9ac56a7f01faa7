import { Unavailable } from '@rollcall/core'
import type { Connection, Statement, Value } from './connection.ts'
import type { Changes } from './driver.ts'
import { isOfDisk } from './sqlite-error.ts'

export type WriteStatement = Statement

type CheckpointRow = [busy: number, logged: number, checkpointed: number]

/** Adds a row, and changes none. */
const ADDS = /^\s*INSERT(?: OR IGNORE)? INTO\b(?!.*\bON CONFLICT\b(?!.*\bDO NOTHING\b))/is
/** Of tables that hold ids, keyed hashes, times and counts; with a person's erasure their rows go, which is counted. */
const IMPERSONAL =
  /^\s*(?:UPDATE|DELETE FROM|INSERT(?: OR \w+)? INTO) (?:audit_record|event|identity|instance|kept_number|mail_cap|number_delta|outbox|spent_challenge|webhook_delivery)\b/i

/** The one connection of this process that writes. Units share a transaction; one that writes has a savepoint of its own. */
export class Writer {
  readonly connection: Connection
  readonly #begin: WriteStatement
  readonly #commit: WriteStatement
  readonly #rollback: WriteStatement
  readonly #savepoint: WriteStatement
  readonly #release: WriteStatement
  readonly #undo: WriteStatement
  readonly #othersVersion: Statement<[], number>
  readonly #logState: Statement<[], CheckpointRow>
  readonly #checkpoints: Readonly<Record<'passive' | 'truncate', Statement<[], CheckpointRow>>>
  /** Whether the transaction is gone before its time. */
  lost = false
  /** Whether the transaction, or the last one, has changed anything. */
  wrote = false
  /** Whether something was changed or removed that may have been personal. To be reset when the log was emptied. */
  overwrote = true
  /** Whether the disk has refused a write, and has not taken one since. */
  stuck = false
  readonly #overwriting = new WeakMap<WriteStatement, boolean>()
  #hasSavepoint = false

  constructor(connection: Connection) {
    this.connection = connection
    this.#begin = connection.prepare('BEGIN IMMEDIATE')
    this.#commit = connection.prepare('COMMIT')
    this.#rollback = connection.prepare('ROLLBACK')
    this.#savepoint = connection.prepare('SAVEPOINT unit')
    this.#release = connection.prepare('RELEASE unit')
    this.#undo = connection.prepare('ROLLBACK TO unit')
    this.#othersVersion = connection.prepare<[], number>('PRAGMA data_version').pluck()
    const checkpoint = (mode: string) => connection.prepare<[], CheckpointRow>(`PRAGMA wal_checkpoint(${mode})`).raw()
    this.#logState = checkpoint('NOOP')
    this.#checkpoints = { passive: checkpoint('PASSIVE'), truncate: checkpoint('TRUNCATE') }
  }

  /** Another number whenever another connection has written. */
  get othersVersion(): number | undefined {
    return this.#othersVersion.get()
  }

  /** @throws {Unavailable} SQLite has ended the transaction by itself */
  write(statement: WriteStatement, ...parameters: Value[]): Changes {
    // Without the transaction each statement would be one of its own, and stay.
    if (this.lost) throw new Unavailable()
    if (!this.#hasSavepoint) this.#savepoint.run()
    this.#hasSavepoint = true
    const result = this.#run(statement, parameters)
    this.wrote = true
    if (!this.overwrote) this.overwrote = this.#overwrites(statement)
    return result
  }

  /** To be called when any statement has failed: SQLite may have ended the transaction, as it does on a full disk. */
  noticeFailure(): void {
    this.lost = !this.connection.inTransaction
  }

  /** To be called when something has come to the disk again. Not every commit has: many change nothing. */
  noticeRecovery(): void {
    this.stuck = false
  }

  /** @throws SQLITE_BUSY while another process writes */
  begin(): void {
    this.abandon()
    this.#begin.run()
    this.#hasSavepoint = false
    this.lost = false
    this.wrote = false
  }

  /** Everything is in the log once this returns; on the disk as well, unless the connection is synced apart. */
  commit(): void {
    this.#run(this.#commit, [])
  }

  /** Undoes the whole transaction, if it is still there. */
  abandon(): void {
    if (!this.connection.inTransaction) return
    this.#rollback.run()
  }

  /** To be called after each unit: what it has written can only be undone with the whole transaction from then on. */
  keepUnit(): void {
    if (this.#hasSavepoint) this.#release.run()
    this.#hasSavepoint = false
  }

  /**
   * Undoes what the last unit has written; the transaction goes on.
   * @throws {Unavailable} SQLite has ended the transaction by itself
   */
  undoUnit(): void {
    if (this.lost) throw new Unavailable()
    if (!this.#hasSavepoint) return
    this.#undo.run()
    this.keepUnit()
  }

  /** How many pages are in SQLite's log, and how many of them are in the database file as well. */
  logState(): { readonly logged: number; readonly checkpointed: number } {
    const [, logged = 0, checkpointed = 0] = this.#logState.get() ?? []
    return { logged, checkpointed }
  }

  /** Whether the whole log was brought into the database file; with `truncate`, whether it is empty now. */
  checkpoint(mode: 'passive' | 'truncate'): boolean {
    const [busy, logged, checkpointed] = this.#checkpoints[mode].get() ?? []
    return busy === 0 && logged === checkpointed
  }

  #run(statement: WriteStatement, parameters: readonly Value[]): Changes {
    try {
      return statement.run(...parameters)
    } catch (error) {
      if (isOfDisk(error)) this.stuck = true
      throw error
    }
  }

  /**
   * Whether the log is empty now. What is in it is brought into the file first, with the disk's time and all, while
   * others may write; then the write lock is held for as long as it takes to cut the log.
   */
  emptyLog(): boolean {
    this.checkpoint('passive')
    return this.checkpoint('truncate')
  }

  #overwrites(statement: WriteStatement): boolean {
    let overwrites = this.#overwriting.get(statement)
    if (overwrites === undefined) {
      overwrites = !ADDS.test(statement.source) && !IMPERSONAL.test(statement.source)
      this.#overwriting.set(statement, overwrites)
    }
    return overwrites
  }
}
