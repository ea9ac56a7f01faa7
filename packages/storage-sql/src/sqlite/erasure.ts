import { statSync } from 'node:fs'
import type { CheckpointThread } from './checkpoint-thread.ts'
import type { Connection } from './connection.ts'
import { isOutage } from './sqlite-error.ts'
import { StorageNotUsable } from './storage-not-usable.ts'

/** To be written with every erasure. */
export const NOTE_ERASURE = 'UPDATE erasure SET count = count + 1'

/**
 * SQLite overwrites what it deletes; but where it spreads the rows of a page over its neighbours, a copy of a row may
 * stay behind in the unused middle of a page, and no later deletion finds it. Only a file that is written anew has none.
 */
export class Erasure {
  readonly #file: string
  readonly #thread: CheckpointThread
  readonly #setRewritten: (count: number) => Promise<void>
  readonly #onError: (error: unknown) => void
  readonly #state: () => { count: number; rewritten: number } | undefined
  #rewriting: Promise<boolean> | undefined

  constructor(options: {
    file: string
    reading: Connection
    thread: CheckpointThread
    /** Stores, in a unit of its own, up to which erasure the file is clean. */
    setRewritten: (count: number) => Promise<void>
    /** Told what keeps the file from being written anew, such as a full disk. */
    onError: (error: unknown) => void
  }) {
    this.#file = options.file
    this.#thread = options.thread
    this.#setRewritten = options.setRewritten
    this.#onError = options.onError
    const state = options.reading.prepare<[], { count: number; rewritten: number }>('SELECT * FROM erasure')
    this.#state = () => state.get()
  }

  /** Whether nothing of what was erased before the call is left in the database file; it may still be in the log. */
  async complete(largest: number): Promise<boolean> {
    this.#rewriting ??= this.#rewrite(largest).finally(() => {
      this.#rewriting = undefined
    })
    return await this.#rewriting
  }

  async #rewrite(largest: number): Promise<boolean> {
    const { count = 0, rewritten = 0 } = this.#state() ?? {}
    if (count === rewritten) return true
    if (statSync(this.#file).size > largest) return false
    try {
      await this.#thread.rewrite()
      // The number from before: what was erased meanwhile may have come too late.
      await this.#setRewritten(count)
      return true
    } catch (error) {
      if (!isOutage(error) && !(error instanceof StorageNotUsable)) throw error
      this.#onError(error)
      return false
    }
  }
}
