import { Unavailable } from '@rollcall/core'

/** Brings commits to the disk, where SQLite itself does not wait for it. */
export interface CommitLog {
  /**
   * Everything that was committed before the call is on the disk once it resolves.
   * @throws what keeps it from the disk: a later sync may succeed without it, and proves nothing any more
   */
  sync(): Promise<void>
}

/** Units that were committed together. */
export interface Batch {
  answer(): void
  refuse(cause: unknown): void
}

/**
 * Answers each batch once its commit is on the disk. One sync is under way at a time. After the first that fails all are
 * refused: systems forget which bytes they failed to write, and all that is committed on top is lost with them.
 */
export class DurableAnswers {
  readonly #log: CommitLog
  readonly #onFailure: (cause: unknown) => void
  #last: Promise<void> = Promise.resolve()
  #underWay = 0
  #failure: { readonly cause: unknown } | undefined

  /** `onFailure` is called once. */
  constructor(log: CommitLog, onFailure: (cause: unknown) => void) {
    this.#log = log
    this.#onFailure = onFailure
  }

  /** Why nothing is brought to the disk any more. */
  get failure(): { readonly cause: unknown } | undefined {
    return this.#failure
  }

  /** Resolves when no sync is under way any more, also after one that failed; undefined if none is. */
  get idle(): Promise<void> | undefined {
    return this.#underWay > 0 ? this.#last : undefined
  }

  /** Resolves when all that is committed is on the disk; undefined if it is. */
  get settling(): Promise<void> | undefined {
    return this.#failure === undefined && this.#underWay === 0 ? undefined : this.#settling()
  }

  /**
   * Takes a batch that was just committed; one that wrote nothing may have read what is not on the disk yet. Its sync
   * begins at once, or when the one before is over. It is answered later, never before this returns.
   * Resolves when the sync before is over, and with it all that stands between the next batch and its commit; undefined
   * where none was under way.
   */
  follow(batch: Batch, wrote: boolean): Promise<void> | undefined {
    const before = this.idle
    this.#underWay++
    const settled = before === undefined ? this.#settle(batch, wrote) : before.then(() => this.#settle(batch, wrote))
    this.#last = settled.finally(() => this.#underWay--)
    return before
  }

  /** To be called with what kept the system from bringing anything else of the database to the disk, too. */
  fail(cause: unknown): void {
    if (this.#failure !== undefined) return
    this.#failure = { cause }
    this.#onFailure(cause)
  }

  /** Never rejects, and answers in a later turn of the microtasks. */
  async #settle(batch: Batch, wrote: boolean): Promise<void> {
    try {
      await (wrote && this.#failure === undefined ? this.#log.sync() : undefined)
    } catch (cause) {
      this.fail(cause)
    }
    if (this.#failure === undefined) batch.answer()
    else batch.refuse(this.#failure.cause)
  }

  async #settling(): Promise<void> {
    await this.idle
    if (this.#failure !== undefined) throw new Unavailable(this.#failure)
  }
}
