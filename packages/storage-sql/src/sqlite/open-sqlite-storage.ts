import { existsSync } from 'node:fs'
import { type Clock, type Readers, type Stores, Unavailable, type UnitOfWork } from '@rollcall/core'
import { otherSchema } from '../schema-version.ts'
import { settleBy } from '../settle-by.ts'
import { type NotSynced, StorageNotUsable } from '../storage-not-usable.ts'
import type { CreateUserRepository, Sql } from '../user-repository.ts'
import type { Invoke } from './asynchronous.ts'
import { Checkpointer, CheckpointThread } from './checkpointer.ts'
import { type Connection, openConnection } from './connection.ts'
import { DatabaseFile } from './database-file.ts'
import { Erasure } from './erasure.ts'
import { GroupCommit } from './group-commit.ts'
import { LogFile } from './log-file.ts'
import { missing, recallFrom, requireKnown, requireUsable } from './migrate-sqlite.ts'
import { realName } from './private-file.ts'
import { isServed } from './serving-lock.ts'
import { asNotSynced, asNotUsable, asUnavailable, isBusy, isOfSchema, retryWhileBusy } from './sqlite-error.ts'
import { sqlOf } from './stores/host-users.ts'
import { sqliteReaders, sqliteStores } from './stores/index.ts'
import { Writer, type WriteStatement } from './writer.ts'

export interface SqliteStorageOptions {
  readonly file: string
  /** The clock for leases and health; the system's clock by default. */
  readonly clock?: Clock | undefined
  /**
   * Milliseconds for which the write lock is left to other processes after each commit; 0 by default.
   * More than 0 is the shared mode: the process works beside others, and has fewer threads.
   */
  readonly lockPause?: number | undefined
  /** Called when the log could not be shortened; emits a process warning by default. No data is lost by it. */
  readonly onCheckpointError?: ((error: unknown) => void) | undefined
  /**
   * Called once, when the disk did not take what was committed. Nothing of that was answered, and everything is
   * `Unavailable` from then on: the process must end. The next one that opens the database goes on from what is in its
   * log. By default the error is thrown outside of everything, so that it ends the process.
   */
  readonly onDiskFailure?: ((error: NotSynced) => void) | undefined
  /** Makes the repository of a host that keeps users on tables of its own, in the same file. */
  readonly users?: CreateUserRepository | undefined
}

/** Every store on one SQLite file. */
export interface SqliteStorage {
  readonly unitOfWork: UnitOfWork
  readonly readers: Readers
  /**
   * Runs statements of a host on its own tables in the same file, in a transaction of their own. A host must reach the file
   * through this or its `UserRepository` alone: another copy of SQLite in this process would drop our locks on the file
   * when it closes it.
   */
  transaction<Result>(work: (sql: Sql) => Promise<Result>): Promise<Result>
  readonly migrations: { pending(): Promise<string[]> }
  /** Empties SQLite's log; whether it is empty now. Units wait meanwhile, a few milliseconds. */
  truncateLog(): Promise<boolean>
  /**
   * If something was erased or changed since the last time, overwrites what plain deletions have left behind in the
   * database file, and empties the log; whether nothing is left. Other writers wait a few milliseconds at a time. To be
   * called every few seconds.
   */
  completeErasure(): Promise<boolean>
  /** A value that was kept by `settle`, such as the fingerprint of a secret. */
  recall(name: string): Promise<string | undefined>
  /** Keeps a value, unless one of that name is kept. Gives the one that is kept, which may be of another process. */
  settle(name: string, value: string): Promise<string>
  /** Replaces the value that is kept. */
  resettle(name: string, value: string): Promise<void>
  /**
   * Makes every claimed mail and event due again. Only for who holds the serving lock and has not begun to work: then
   * the process that holds a lease is dead.
   * @throws {StorageNotUsable} it cannot be written
   */
  releaseLeases(): Promise<void>
  /** Whether a process serves the database now, be it this one; false if that cannot be seen. */
  isServed(): Promise<boolean>
  /** Finishes the units that have begun. Afterwards everything is `Unavailable`. Closing twice is closing once. */
  close(): Promise<void>
}

/**
 * Opens a database that is there and up to date.
 * @throws {StorageNotUsable} with what to do about it
 */
export const openSqliteStorage = async (options: SqliteStorageOptions): Promise<SqliteStorage> => {
  const file = realName(options.file)
  if (!existsSync(file))
    throw new StorageNotUsable('older-schema', `There is no database ${file} yet. Run 'rollcall migrate'.`)
  const { lockPause = 0 } = options
  const connections: Connection[] = []
  try {
    const writing = await openConnection(file, { syncedApart: true })
    connections.push(writing)
    requireUsable(writing, file)
    const reading = await openConnection(file, { readonly: true })
    connections.unshift(reading)
    return await assemble({ ...options, file, lockPause }, writing, reading).catch((error: unknown) => {
      if (!isOfSchema(error)) throw error
      // Every statement is prepared by now. A newer version may have said by mistake that this one works on it.
      requireKnown(writing)
      throw otherSchema(file, error.message, { cause: error })
    })
  } catch (error) {
    for (const connection of connections) connection.close()
    throw asNotUsable(error, file)
  }
}

const assemble = async (
  {
    file,
    clock = { now: () => Date.now() },
    lockPause,
    onCheckpointError = warn,
    onDiskFailure = throwOutside,
    users,
  }: SqliteStorageOptions & { readonly lockPause: number },
  writing: Connection,
  reading: Connection,
): Promise<SqliteStorage> => {
  const writer = new Writer(writing)
  const shared = lockPause > 0
  const log = new LogFile(file)
  const database = new DatabaseFile(file)
  let sql: Sql | undefined
  const units: GroupCommit<Stores> = new GroupCommit(
    writer,
    (guard) => {
      const invoke = insideUnit(writer, guard)
      sql = sqlOf(writer, invoke)
      return sqliteStores(writer, clock, invoke, users)
    },
    () => checkpointer.noticeCommit(),
    { log, pause: lockPause, onDiskFailure: (cause) => onDiskFailure(cause as NotSynced) },
  )
  // What was not brought to the disk may be of the database file: a later sync would prove nothing, either.
  const onError = (error: unknown): void => {
    const notSynced = asNotSynced(error, file)
    if (notSynced === undefined) onCheckpointError(error)
    else units.fail(notSynced)
  }
  const thread = new CheckpointThread(file, shared)
  const pageSize = reading.pragma('page_size') as number
  const checkpointer = new Checkpointer({ file, pageSize, database, writer, thread, units, onError })
  const truncateLog = () => checkpointer.truncate()
  const invoke = outsideUnits(reading, () => units.settling)
  const peek = outsideUnits(reading, () => undefined)
  const readers = sqliteReaders(reading, clock, invoke, peek, users)
  const write = (...statements: readonly WriteStatement[]): Promise<void> =>
    units.run(async () => {
      for (const statement of statements) writer.write(statement)
    })
  const asAtOpening = async <Result>(result: Promise<Result>): Promise<Result> => {
    try {
      return await result
    } catch (error) {
      throw asNotUsable(error, file)
    }
  }
  // A change to the same value would be none, and never come to the disk. A short one would find room where the requests
  // of a moment do not.
  const trials = [
    "INSERT INTO instance (name, value) VALUES ('trial', printf('%.*c', 1000000, 'x'))",
    "DELETE FROM instance WHERE name = 'trial'",
  ].map((text) => writing.prepare(text))
  // While the disk takes no writes there may be no requests that would find out that it does again.
  const requireWritable = async (): Promise<void> => {
    if (!writer.stuck) return
    await write(...trials)
    writer.noticeRecovery()
  }
  const health: Readers['outbox']['health'] = async () => {
    await requireWritable()
    return await readers.outbox.health()
  }
  const insert = writing.prepare('INSERT OR IGNORE INTO instance (name, value) VALUES (?, ?)')
  const recall = (name: string) => retryWhileBusy(() => recallFrom(reading, name))
  const settle = settleBy(recall, (name, value) => units.run(async () => writer.write(insert, name, value)))
  const replace = writing.prepare('INSERT OR REPLACE INTO instance (name, value) VALUES (?, ?)')
  const setCleaned = writing.prepare('UPDATE erasure SET cleaned = ?')
  const erasure = new Erasure({
    file,
    pageSize,
    database,
    reading,
    writer,
    thread,
    units,
    truncateLog,
    setCleaned: async (count) => {
      await asAtOpening(units.run(async () => writer.write(setCleaned, count)))
    },
    onError,
  })
  const releases = ['outbox', 'webhook_delivery'].map((table) =>
    writing.prepare(`UPDATE ${table} SET owner = NULL, leased_until = 0 WHERE owner IS NOT NULL`),
  )
  // Whatever the disk is short of, what is in the log is as good as in the file.
  const tidyUp = async (attempts?: number): Promise<void> => {
    await checkpointer.truncate(attempts).catch(onError)
  }
  let closing: Promise<void> | undefined

  const close = async (): Promise<void> => {
    await units.close()
    try {
      if (!units.failed) await tidyUp()
    } finally {
      await checkpointer.close().finally(() => {
        // The last one that can write brings the log into the file: not without all of it being on the disk.
        for (const connection of units.failed ? [writing, reading] : [reading, writing]) connection.close()
        database.close()
        log.close()
      })
    }
  }
  await tidyUp(1)
  return {
    unitOfWork: { run: (work) => units.run(work) },
    transaction: (work) => units.run(() => work(sql as Sql)),
    readers: { ...readers, outbox: { ...readers.outbox, health } },
    migrations: { pending: () => retryWhileBusy(() => missing(reading)) },
    truncateLog,
    completeErasure: async () => {
      const isComplete = await erasure.complete()
      return (await erasure.emptyLog()) && isComplete
    },
    recall: (name) => asAtOpening(recall(name)),
    settle: (name, value) => asAtOpening(settle(name, value)),
    resettle: async (name, value) => {
      await asAtOpening(units.run(async () => writer.write(replace, name, value)))
    },
    releaseLeases: () => asAtOpening(write(...releases)),
    isServed: async () => isServed(file) === true,
    close: () => {
      closing ??= close()
      return closing
    },
  }
}

const throwOutside = (error: unknown): void => {
  queueMicrotask(() => {
    throw error
  })
}

const warn = (error: unknown): void => {
  process.emitWarning(error instanceof Error ? error : String(error))
}

const insideUnit =
  (writer: Writer, guard: () => void): Invoke =>
  (call, ...parameters) => {
    try {
      guard()
      return Promise.resolve(call(...parameters))
    } catch (error) {
      writer.noticeFailure()
      return Promise.reject(asUnavailable(error))
    }
  }

const outsideUnits =
  (connection: Connection, settling: () => Promise<void> | undefined): Invoke =>
  async (call, ...parameters) => {
    if (!connection.open) throw new Unavailable()
    // What was found may not be on the disk yet, and what was shown, such as an event, must not be another afterwards.
    try {
      const found = call(...parameters)
      const settled = settling()
      if (settled !== undefined) await settled
      return found
    } catch (error) {
      if (!isBusy(error)) throw asUnavailable(error)
    }
    try {
      const found = await retryWhileBusy(() => call(...parameters))
      await settling()
      return found
    } catch (error) {
      throw asUnavailable(error)
    }
  }
