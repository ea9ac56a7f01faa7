/** Brings commits to the disk, where SQLite itself does not wait for it. */
export interface CommitLog {
  /** Everything that was committed before the call is on the disk once it resolves. */
  sync(): Promise<void>
  /**
   * The same after a sync that failed: systems forget which bytes they failed to write, so that a later sync may succeed
   * without them, and all that was committed on top is lost with them in a loss of power.
   * @throws what keeps them from the disk
   */
  repair(): void
}

/** Units that were committed together. */
export interface Batch {
  answer(): void
  refuse(cause: unknown): void
}

/**
 * Answers each batch once its commit is on the disk. One sync is under way at a time; the one that fails leaves all
 * unanswered that is committed by then, until `repair` has brought it to the disk, or has failed, too.
 */
export class DurableAnswers {
  readonly #log: CommitLog
  readonly #onFailure: () => void
  #last: Promise<void> = Promise.resolve()
  #underWay = 0
  #failed = false
  #left: Batch[] = []

  constructor(log: CommitLog, onFailure: () => void) {
    this.#log = log
    this.#onFailure = onFailure
  }

  /** Resolves when no sync is under way any more; undefined where none is. */
  get settling(): Promise<void> | undefined {
    return this.#underWay > 0 ? this.#last : undefined
  }

  /** Whether there are batches that only `repair` can still answer. */
  get unanswered(): boolean {
    return this.#left.length > 0
  }

  /**
   * Takes a batch that was just committed; one that wrote nothing may have read what is not on the disk yet. Its sync
   * begins at once, or when the one before is over. It is answered later, never before this returns.
   * Resolves when the sync before is over, and with it all that stands between the next batch and its commit; undefined
   * where none was under way.
   */
  follow(batch: Batch, wrote: boolean): Promise<void> | undefined {
    const before = this.settling
    this.#underWay++
    const settled = before === undefined ? this.#settle(batch, wrote) : before.then(() => this.#settle(batch, wrote))
    this.#last = settled.finally(() => this.#underWay--)
    return before
  }

  /** Throws what still keeps the disk from being as it should, and refuses those who wait for it. */
  repair(): void {
    if (!this.#failed) return
    const left = this.#left.splice(0)
    try {
      this.#log.repair()
    } catch (error) {
      for (const batch of left) batch.refuse(error)
      throw error
    }
    this.#failed = false
    for (const batch of left) batch.answer()
  }

  /** Never rejects, and answers in a later turn of the microtasks. */
  async #settle(batch: Batch, wrote: boolean): Promise<void> {
    try {
      await (wrote && !this.#failed ? this.#log.sync() : undefined)
    } catch {
      this.#failed = true
    }
    if (!this.#failed) batch.answer()
    else {
      this.#left.push(batch)
      this.#onFailure()
    }
  }
}
