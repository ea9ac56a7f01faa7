import { statSync } from 'node:fs'
import type { CheckpointThread } from './checkpoint-thread.ts'
import { shortPause } from './retry-while-busy.ts'
import type { Writer } from './writer.ts'

/**
 * Pages. A log of 64 MiB is worth a checkpoint, which writes a page once however often it was changed; what takes a
 * millisecond is done at once.
 */
const LONG_BACKLOG = 16_000
const SHORT_BACKLOG = 200
const MOST_PASSES = 8
const USUAL_ATTEMPTS = 20

/** Keeps SQLite's log short, with as little as possible of the work on the event loop's thread. */
export class Checkpointer {
  readonly #log: string
  readonly #writer: Writer
  readonly #between: <Result>(task: () => Result) => Promise<Result>
  readonly #onError: (error: unknown) => void
  readonly #thread: CheckpointThread
  #shortening: Promise<void> | undefined

  constructor(options: {
    file: string
    writer: Writer
    /** Runs a task when no transaction is open. */
    between: <Result>(task: () => Result) => Promise<Result>
    onError: (error: unknown) => void
    thread: CheckpointThread
  }) {
    this.#log = `${options.file}-wal`
    this.#writer = options.writer
    this.#between = options.between
    this.#onError = options.onError
    this.#thread = options.thread
  }

  /** To be called after every commit; never throws. */
  noticeCommit(): void {
    if (this.#shortening !== undefined) return
    try {
      if (this.#backlog() < LONG_BACKLOG) return
    } catch (error) {
      this.#onError(error)
      return
    }
    this.#shortening = this.#shorten()
      .catch((error) => this.#onError(error))
      .finally(() => {
        this.#shortening = undefined
      })
  }

  /** Empties the log, so that nothing erased is left in it. False where others kept it in use all the time. */
  async truncate(attempts = USUAL_ATTEMPTS): Promise<boolean> {
    for (let attempt = 1; ; attempt++) {
      if (this.#isEmpty()) return true
      await this.#catchUp()
      if (await this.#between(() => this.#writer.emptyLog())) return true
      if (attempt >= attempts) return false
      await shortPause()
    }
  }

  async close(): Promise<void> {
    await this.#shortening
    await this.#thread.close()
  }

  // A log that is in the database file to its last page is restarted by the next write, and stays as long as it is.
  async #shorten(): Promise<void> {
    await this.#catchUp()
    await this.#between(() => this.#writer.checkpoint('passive'))
  }

  async #catchUp(): Promise<void> {
    for (let pass = 0; pass < MOST_PASSES && this.#backlog() > SHORT_BACKLOG; pass++) await this.#thread.checkpoint()
  }

  #backlog(): number {
    const { logged, checkpointed } = this.#writer.logState()
    return logged - checkpointed
  }

  #isEmpty(): boolean {
    return (statSync(this.#log, { throwIfNoEntry: false })?.size ?? 0) === 0
  }
}
