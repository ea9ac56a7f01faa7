import { readSync, writeSync } from 'node:fs'
import { Unavailable } from '@rollcall/core'
import { StorageNotUsable } from '../storage-not-usable.ts'
import { type CheckpointThread, isLogEmpty } from './checkpointer.ts'
import type { Connection } from './connection.ts'
import type { DatabaseFile } from './database-file.ts'
import { dirtySpaceOf } from './free-space.ts'
import type { GroupCommit } from './group-commit.ts'
import { isBusy, isOutage, shortPause } from './sqlite-error.ts'
import type { Writer } from './writer.ts'

/** To be written with every erasure. */
export const NOTE_ERASURE = 'UPDATE erasure SET count = count + 1'

/** Milliseconds for which other writers wait at a time. */
const SLICE = 4
const MOST_ATTEMPTS = 50

interface ErasureOptions {
  readonly file: string
  /** Bytes. */
  readonly pageSize: number
  readonly database: DatabaseFile
  readonly reading: Connection
  readonly writer: Writer
  readonly thread: CheckpointThread
  readonly units: Pick<GroupCommit<never>, 'between'>
  readonly truncateLog: () => Promise<boolean>
  /** Stores, in a unit of its own, up to which erasure the file is clean. */
  readonly setCleaned: (count: number) => Promise<void>
  /** Called with what keeps the file from being cleaned, such as a broken disk. */
  readonly onError: (error: unknown) => void
}

/**
 * SQLite overwrites what it deletes; but where it spreads the rows of a page over its neighbours, a copy of a row may
 * stay behind in the unused middle of a page, and no later deletion finds it. This finds it: while nothing is in the log
 * and no process writes, the file is all there is, and what SQLite never reads can be overwritten in it.
 */
export class Erasure {
  readonly #options: ErasureOptions
  readonly #state: () => { count: number; cleaned: number } | undefined
  /** How often something had been erased when nothing was in the log; undefined after a cleaning. */
  #emptiedAt: number | undefined
  /** What others had written by then. */
  #emptiedIn: number | undefined
  #completing: Promise<boolean> | undefined

  constructor(options: ErasureOptions) {
    this.#options = options
    const state = options.reading.prepare<[], { count: number; cleaned: number }>('SELECT * FROM erasure')
    this.#state = () => state.get()
  }

  /** Whether nothing of what was erased before the call is left in the database file; it may still be in the log. */
  async complete(): Promise<boolean> {
    this.#completing ??= this.#complete().finally(() => {
      this.#completing = undefined
    })
    return await this.#completing
  }

  /**
   * Empties the log, if something was erased or changed since it was last empty; whether nothing of that is left in it.
   * What is only added may stay there, as it does in the file.
   */
  async emptyLog(): Promise<boolean> {
    const { truncateLog, writer } = this.#options
    const { count = 0 } = this.#state() ?? {}
    const { othersVersion } = writer
    if (count === this.#emptiedAt && othersVersion === this.#emptiedIn && !writer.overwrote) return true
    writer.overwrote = false
    let emptied = false
    try {
      emptied = await truncateLog().catch((error: unknown) => this.#report(error))
    } finally {
      if (!emptied) writer.overwrote = true
    }
    if (emptied) {
      this.#emptiedAt = count
      this.#emptiedIn = othersVersion
    }
    return emptied
  }

  /** False: it is not done. Throws what no disk is to blame for. */
  #report(error: unknown): false {
    const isExpected = isOutage(error) || error instanceof StorageNotUsable || error instanceof Unavailable
    if (!isExpected) throw error
    this.#options.onError(error)
    return false
  }

  async #complete(): Promise<boolean> {
    const { database, setCleaned, thread, truncateLog } = this.#options
    const { count = 0, cleaned = 0 } = this.#state() ?? {}
    if (count === cleaned) return true
    // Pages that change meanwhile go to the log as they are.
    this.#emptiedAt = undefined
    try {
      if (!(await truncateLog())) return false
      const fd = database.open()
      const pages = await thread.dirtyPages(fd, this.#options.pageSize)
      if (!(await this.#clean(fd, pages))) return false
      await database.sync()
      // The number from before: what was erased meanwhile may have come too late. That this writes, makes every other
      // connection forget the pages as they were, and with them what must not come back.
      await setCleaned(count)
      return true
    } catch (error) {
      return this.#report(error)
    }
  }

  async #clean(fd: number, pages: Uint32Array): Promise<boolean> {
    let attempts = 0
    for (let done = 0; done < pages.length; ) {
      const cleaned = await this.#options.units.between(() => this.#cleanSlice(fd, pages.subarray(done)))
      done += cleaned
      attempts = cleaned > 0 ? 0 : attempts + 1
      if (attempts > MOST_ATTEMPTS) return false
      if (cleaned === 0) await this.#options.truncateLog()
      await shortPause()
    }
    return true
  }

  /** How many pages it got through; none while another process writes, or keeps the log in use. */
  #cleanSlice(fd: number, pages: Uint32Array): number {
    const { file, writer } = this.#options
    // What this connection remembers of the pages would be written again with the next change of one.
    writer.connection.pragma('shrink_memory')
    if (!writer.emptyLog()) return 0
    try {
      writer.begin()
    } catch (error) {
      if (isBusy(error)) return 0
      throw error
    }
    try {
      return isLogEmpty(file) ? this.#overwrite(fd, pages) : 0
    } finally {
      writer.abandon()
    }
  }

  #overwrite(fd: number, pages: Uint32Array): number {
    const size = this.#options.pageSize
    const bytes = Buffer.alloc(size)
    const until = performance.now() + SLICE
    let done = 0
    for (const number of pages) {
      const start = (number - 1) * size
      if (readSync(fd, bytes, 0, size, start) === size)
        for (const [from, to] of dirtySpaceOf(bytes, 0, size))
          writeSync(fd, new Uint8Array(to - from), 0, to - from, start + from)
      done++
      if (performance.now() > until) break
    }
    return done
  }
}
