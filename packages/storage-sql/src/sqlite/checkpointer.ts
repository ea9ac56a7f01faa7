import { once } from 'node:events'
import { statfsSync } from 'node:fs'
import path from 'node:path'
import { Worker } from 'node:worker_threads'
import type { DatabaseFile } from './database-file.ts'
import { dirtyPages } from './free-space.ts'
import type { GroupCommit } from './group-commit.ts'
import { sizeOf } from './private-file.ts'
import { shortPause } from './sqlite-error.ts'
import type { Writer } from './writer.ts'

/**
 * Pages. A log of 64 MiB is worth a checkpoint, which writes a page once however often it was changed; what takes a
 * millisecond is done at once.
 */
const LONG_BACKLOG = 16_000
const SHORT_BACKLOG = 200
/** By so many pages the log grows before the free space is looked at again. */
const LOOK_EVERY = 256
const MOST_PASSES = 8
const USUAL_ATTEMPTS = 20

interface CheckpointerOptions {
  readonly file: string
  /** Bytes. */
  readonly pageSize: number
  readonly database: DatabaseFile
  readonly writer: Writer
  readonly units: Pick<GroupCommit<never>, 'between'>
  readonly thread: CheckpointThread
  readonly onError: (error: unknown) => void
}

/** Whether nothing is in the log of a database. */
export const isLogEmpty = (file: string): boolean => sizeOf(`${file}-wal`) === 0

/** Keeps SQLite's log short, with as little as possible of the work on the event loop's thread. */
export class Checkpointer {
  readonly #options: CheckpointerOptions
  #shortening: Promise<void> | undefined
  /** The backlog at the last look at the free space. */
  #lookedAt = 0

  constructor(options: CheckpointerOptions) {
    this.#options = options
  }

  /** To be called after every commit; never throws. */
  noticeCommit(): void {
    if (this.#shortening !== undefined) return
    const { onError } = this.#options
    try {
      if (!this.#isLong(this.#backlog())) return
    } catch (error) {
      onError(error)
      return
    }
    this.#shortening = this.#shorten()
      .catch(onError)
      .finally(() => {
        this.#shortening = undefined
      })
  }

  /** Empties the log, so that nothing erased is left in it. False if others kept it in use all the time. */
  async truncate(attempts = USUAL_ATTEMPTS): Promise<boolean> {
    const { file, units, writer } = this.#options
    for (let attempt = 1; ; attempt++) {
      if (isLogEmpty(file)) return true
      await this.#catchUp()
      if (await units.between(() => writer.emptyLog())) return true
      if (attempt >= attempts) return false
      await shortPause()
    }
  }

  async close(): Promise<void> {
    await this.#shortening
    await this.#options.thread.close()
  }

  /** On a small or almost full disk, the log must leave the room that the database file needs to take it. */
  #isLong(backlog: number): boolean {
    if (backlog >= LONG_BACKLOG) return true
    const grown = backlog - this.#lookedAt
    if (grown >= 0 && grown < LOOK_EVERY) return false
    this.#lookedAt = backlog
    const { file, pageSize } = this.#options
    const { bavail, bsize } = statfsSync(path.dirname(file))
    return backlog * pageSize > (bavail * bsize) / 4
  }

  // A log that is in the database file to its last page is restarted by the next write, and stays as long as it is.
  async #shorten(): Promise<void> {
    await this.#catchUp()
    await this.#options.units.between(() => this.#options.writer.checkpoint('passive'))
  }

  async #catchUp(): Promise<void> {
    // Looked at between two transactions; and not while the disk lacks a part of the log, without which the file must
    // not be changed.
    const { database, thread, units } = this.#options
    const backlog = (): Promise<number> => units.between(() => this.#backlog())
    let passes = 0
    for (; passes < MOST_PASSES && (await backlog()) > SHORT_BACKLOG; passes++) await thread.checkpoint()
    // SQLite syncs the file in the pass that brings the last page. That one is the writer's, and must not wait for all.
    if (passes > 0) await database.sync()
  }

  #backlog(): number {
    const { logged, checkpointed } = this.#options.writer.logState()
    return logged - checkpointed
  }
}

export type Request = 'checkpoint' | 'close' | { readonly fd: number; readonly pageSize: number }

/** What takes long with the database file, in a thread that is started when it is first needed. */
export class CheckpointThread {
  readonly #file: string
  readonly #shared: boolean
  #worker: Worker | undefined
  #running: Promise<unknown> | undefined

  /** In shared mode nothing waits for the event loop, so no thread is started to look through the file once. */
  constructor(file: string, shared = false) {
    this.#file = file
    this.#shared = shared
  }

  /** Brings the log into the database file, in one pass: writes go on meanwhile, so that some of it may be left. */
  async checkpoint(): Promise<void> {
    this.#running ??= this.#ask('checkpoint')
    await this.#running
  }

  /** The numbers of the pages in which something is left that should not be. The file stays this thread's. */
  async dirtyPages(fd: number, pageSize: number): Promise<Uint32Array> {
    if (this.#shared && this.#worker === undefined) return dirtyPages(fd, pageSize)
    while (this.#running) await this.#running
    const answer = this.#ask({ fd, pageSize })
    this.#running = answer
    return (await answer) as Uint32Array
  }

  async close(): Promise<void> {
    await this.#running?.catch(() => undefined)
    const worker = this.#worker
    if (worker === undefined) return
    this.#worker = undefined
    worker.ref()
    const ended = once(worker, 'exit')
    worker.postMessage('close')
    await ended
  }

  async #ask(request: Request): Promise<unknown> {
    try {
      this.#worker ??= this.#start()
      this.#worker.ref()
      const answered = once(this.#worker, 'message')
      this.#worker.postMessage(request)
      const [answer] = await answered
      this.#worker.unref()
      return answer
    } catch (error) {
      this.#worker = undefined
      throw error
    } finally {
      this.#running = undefined
    }
  }

  #start(): Worker {
    // Built or not, it has the same ending as this file.
    const name = `./checkpoint-worker${path.extname(import.meta.filename)}`
    const worker = new Worker(new URL(name, import.meta.url), {
      workerData: { file: this.#file },
      resourceLimits: { maxOldGenerationSizeMb: 32, maxYoungGenerationSizeMb: 4 },
    })
    worker.unref()
    return worker
  }
}
