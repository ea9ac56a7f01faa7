import { closeSync, fdatasync, openSync, readSync, statSync, writeSync } from 'node:fs'
import { promisify } from 'node:util'
import { StorageNotUsable } from '../storage-not-usable.ts'
import type { CheckpointThread } from './checkpoint-thread.ts'
import type { Connection } from './connection.ts'
import { dirty, freeSpaceOf, viewOf } from './free-space.ts'
import { shortPause } from './retry-while-busy.ts'
import { isBusy, isOutage } from './sqlite-error.ts'
import type { Writer } from './writer.ts'

/** To be written with every erasure. */
export const NOTE_ERASURE = 'UPDATE erasure SET count = count + 1'

const synced = promisify(fdatasync)

/** Milliseconds for which other writers wait at a time. */
const SLICE = 4
const MOST_ATTEMPTS = 50

/**
 * SQLite overwrites what it deletes; but where it spreads the rows of a page over its neighbours, a copy of a row may
 * stay behind in the unused middle of a page, and no later deletion finds it. This finds it: while nothing is in the log
 * and no process writes, the file is all there is, and what SQLite never reads can be overwritten in it.
 */
export class Erasure {
  readonly #file: string
  readonly #thread: CheckpointThread
  readonly #writer: Writer
  readonly #between: <Result>(task: () => Result) => Promise<Result>
  readonly #truncateLog: () => Promise<boolean>
  readonly #setCleaned: (count: number) => Promise<void>
  readonly #onError: (error: unknown) => void
  readonly #state: () => { count: number; cleaned: number } | undefined
  readonly #pageSize: number
  #fd: number | undefined
  #completing: Promise<boolean> | undefined

  constructor(options: {
    file: string
    reading: Connection
    writer: Writer
    thread: CheckpointThread
    /** Runs a task when no transaction is open. */
    between: <Result>(task: () => Result) => Promise<Result>
    truncateLog: () => Promise<boolean>
    /** Stores, in a unit of its own, up to which erasure the file is clean. */
    setCleaned: (count: number) => Promise<void>
    /** Called with what keeps the file from being cleaned, such as a broken disk. */
    onError: (error: unknown) => void
  }) {
    this.#file = options.file
    this.#thread = options.thread
    this.#writer = options.writer
    this.#between = options.between
    this.#truncateLog = options.truncateLog
    this.#setCleaned = options.setCleaned
    this.#onError = options.onError
    const state = options.reading.prepare<[], { count: number; cleaned: number }>('SELECT * FROM erasure')
    this.#state = () => state.get()
    this.#pageSize = options.reading.pragma('page_size', { simple: true }) as number
  }

  /** Whether nothing of what was erased before the call is left in the database file; it may still be in the log. */
  async complete(): Promise<boolean> {
    this.#completing ??= this.#complete().finally(() => {
      this.#completing = undefined
    })
    return await this.#completing
  }

  /**
   * Only once every connection of this process to the file is closed: to close a file takes away every lock that the
   * process has on it (POSIX), and SQLite would not notice.
   */
  close(): void {
    if (this.#fd !== undefined) closeSync(this.#fd)
    this.#fd = undefined
  }

  async #complete(): Promise<boolean> {
    const { count = 0, cleaned = 0 } = this.#state() ?? {}
    if (count === cleaned) return true
    try {
      if (!(await this.#truncateLog())) return false
      this.#fd ??= openSync(this.#file, 'r+')
      const pages = await this.#thread.dirtyPages(this.#fd, this.#pageSize)
      if (!(await this.#clean(this.#fd, pages))) return false
      await synced(this.#fd)
      // The number from before: what was erased meanwhile may have come too late. That this writes, makes every other
      // connection forget the pages as they were, and with them what must not come back.
      await this.#setCleaned(count)
      return true
    } catch (error) {
      if (!isOutage(error) && !(error instanceof StorageNotUsable)) throw error
      this.#onError(error)
      return false
    }
  }

  async #clean(fd: number, pages: Uint32Array): Promise<boolean> {
    let attempts = 0
    for (let done = 0; done < pages.length; ) {
      const cleaned = await this.#between(() => this.#cleanSlice(fd, pages.subarray(done)))
      done += cleaned
      attempts = cleaned > 0 ? 0 : attempts + 1
      if (attempts > MOST_ATTEMPTS) return false
      if (cleaned === 0) await this.#truncateLog()
      await shortPause()
    }
    return true
  }

  /** How many pages it got through; none while another process writes, or keeps the log in use. */
  #cleanSlice(fd: number, pages: Uint32Array): number {
    // What this connection remembers of the pages would be written again with the next change of one.
    this.#writer.connection.pragma('shrink_memory')
    if (!this.#writer.emptyLog()) return 0
    try {
      this.#writer.begin()
    } catch (error) {
      if (isBusy(error)) return 0
      throw error
    }
    try {
      return this.#logIsEmpty() ? this.#overwrite(fd, pages) : 0
    } finally {
      this.#writer.abandon()
    }
  }

  #overwrite(fd: number, pages: Uint32Array): number {
    const size = this.#pageSize
    const bytes = new Uint8Array(size)
    const until = performance.now() + SLICE
    let done = 0
    for (const number of pages) {
      const start = (number - 1) * size
      if (readSync(fd, bytes, 0, size, start) === size)
        for (const [from, to] of dirty(bytes, freeSpaceOf(viewOf(bytes, 0, size))))
          writeSync(fd, new Uint8Array(to - from), 0, to - from, start + from)
      done++
      if (performance.now() > until) break
    }
    return done
  }

  #logIsEmpty(): boolean {
    return (statSync(`${this.#file}-wal`, { throwIfNoEntry: false })?.size ?? 0) === 0
  }
}
