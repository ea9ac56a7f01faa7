import { Unavailable } from '@rollcall/core'
import { SQLITE_FAILPOINTS } from '../failpoints.ts'
import type { Connection, Statement, Value } from './connection.ts'
import type { Changes } from './driver.ts'
import { isOfDisk } from './sqlite-error.ts'

export type WriteStatement = Statement

type CheckpointRow = [busy: number, logged: number, checkpointed: number]

/** Adds a row, and changes none. */
const ADDS = /^\s*INSERT(?: OR IGNORE)? INTO\b(?!.*\bON CONFLICT\b(?!.*\bDO NOTHING\b))/is
/** Of tables that hold ids, keyed hashes, times and counts; with a person's erasure their rows go, which is counted. */
const IMPERSONAL =
  /^\s*(?:UPDATE|DELETE FROM|INSERT(?: OR \w+)? INTO) (?:event|mail_cap|outbox|sign_up_count|spent_challenge|webhook_delivery)\b/i

/**
 * The one connection of this process that writes. It remembers what the transaction has written so far, so that the
 * last unit of it can be undone: by rolling everything back and writing the units before it again. That happens only
 * where a unit throws after it wrote, which is next to never; a savepoint for each unit would cost every one of them.
 */
export class Writer {
  readonly connection: Connection
  readonly #begin: WriteStatement
  readonly #commit: WriteStatement
  readonly #rollback: WriteStatement
  readonly #othersVersion: Statement<[], number>
  readonly #logState: Statement<[], CheckpointRow>
  readonly #checkpoints: Readonly<Record<'passive' | 'truncate', Statement<[], CheckpointRow>>>
  /** Another number whenever what was read before may no longer be so: with each transaction, and when one is undone. */
  epoch = 0
  /**
   * Another number whenever what was read in an earlier transaction may no longer be so, but for what was written here:
   * another process has committed, or something of ours was undone.
   */
  generation = 0
  /** How many transactions this process has committed. */
  commits = 0
  /** Whether the transaction is gone before its time. */
  lost = false
  /** Whether the transaction, or the last one, has changed anything. */
  wrote = false
  /** Whether something was changed or removed that may have been personal. To be reset when the log was emptied. */
  overwrote = true
  /** Whether the disk has refused a write, and has not taken one since. */
  stuck = false
  readonly #overwriting = new WeakMap<WriteStatement, boolean>()
  #version: number | undefined
  #statements: WriteStatement[] = []
  #parameters: Value[][] = []

  constructor(connection: Connection) {
    this.connection = connection
    this.#begin = connection.prepare('BEGIN IMMEDIATE')
    this.#commit = connection.prepare('COMMIT')
    this.#rollback = connection.prepare('ROLLBACK')
    this.#othersVersion = connection.prepare<[], number>('PRAGMA data_version').pluck()
    const checkpoint = (mode: string) => connection.prepare<[], CheckpointRow>(`PRAGMA wal_checkpoint(${mode})`).raw()
    this.#logState = checkpoint('NOOP')
    this.#checkpoints = { passive: checkpoint('PASSIVE'), truncate: checkpoint('TRUNCATE') }
  }

  /** Another number whenever another connection has written. */
  get othersVersion(): number | undefined {
    return this.#othersVersion.get()
  }

  /** How many statements the transaction has written. */
  get position(): number {
    return this.#statements.length
  }

  /** @throws {Unavailable} SQLite has ended the transaction by itself */
  write(statement: WriteStatement, ...parameters: Value[]): Changes {
    // Without the transaction each statement would be one of its own, and stay.
    if (this.lost) throw new Unavailable()
    const result = this.#run(statement, parameters)
    this.wrote = true
    if (!this.overwrote) this.overwrote = this.#overwrites(statement)
    this.#statements.push(statement)
    this.#parameters.push(parameters)
    SQLITE_FAILPOINTS.afterStatement.publish(statement.source)
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
    this.epoch++
    this.#begin.run()
    SQLITE_FAILPOINTS.afterBegin.publish(undefined)
    this.lost = false
    this.wrote = false
    const version = this.othersVersion
    if (version === this.#version) return
    this.#version = version
    this.generation++
  }

  /** Everything is in the log once this returns; on the disk as well, unless the connection is synced apart. */
  commit(): void {
    SQLITE_FAILPOINTS.beforeCommit.publish(undefined)
    this.#run(this.#commit, [])
    SQLITE_FAILPOINTS.afterCommit.publish(undefined)
    this.commits++
    this.#forget(0)
  }

  /** Undoes the whole transaction, if it is still there. */
  abandon(): void {
    if (this.position > 0) this.generation++
    this.#forget(0)
    if (this.connection.inTransaction) this.#rollback.run()
  }

  /**
   * Undoes what was written after the position; the transaction goes on.
   * @throws if what came before cannot be written again just as it was
   */
  undoTo(position: number): void {
    if (!this.lost && position === this.position) return
    const version = this.othersVersion
    if (this.connection.inTransaction) this.#rollback.run()
    this.#forget(position)
    this.epoch++
    this.generation++
    this.#begin.run()
    if (this.othersVersion !== version) throw new Error('Another process wrote while a unit was being undone.')
    this.lost = false
    for (const [index, statement] of this.#statements.entries()) statement.run(...(this.#parameters[index] ?? []))
  }

  /** Gives up undoing a part of the transaction: what it has written need not be remembered, and is only undone as a whole. */
  forgetUndo(): void {
    this.epoch++
    this.#forget(0)
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

  #forget(position: number): void {
    this.#statements.length = position
    this.#parameters.length = position
  }
}
