import type { SqliteStorage } from '@rollcall/storage-sql/sqlite'

const MEBIBYTE = 2 ** 20

/** Bytes: what is written anew in some 50 ms, which is bearable at any time. */
export const REWRITTEN_WHILE_SERVING = 8 * MEBIBYTE
const REWRITTEN_WHEN_IDLE = 64 * MEBIBYTE
export const REWRITTEN_AT_THE_END = 512 * MEBIBYTE

const FEW_REQUESTS = 20

/** Sees that nothing erased is left in the data folder, at a time when it disturbs nobody. */
export class CompleteErasure {
  readonly #storage: Pick<SqliteStorage, 'completeErasure' | 'truncateLog'>
  readonly #requestCount: () => number
  #requests = 0

  constructor(storage: Pick<SqliteStorage, 'completeErasure' | 'truncateLog'>, requestCount: () => number) {
    this.#storage = storage
    this.#requestCount = requestCount
  }

  /** To be called every few seconds. */
  async execute(): Promise<void> {
    const requests = this.#requestCount()
    const idle = requests - this.#requests <= FEW_REQUESTS
    this.#requests = requests
    await this.#storage.completeErasure(idle ? REWRITTEN_WHEN_IDLE : REWRITTEN_WHILE_SERVING)
    await this.#storage.truncateLog()
  }
}
