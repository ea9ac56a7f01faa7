import { closeSync, fdatasync, openSync } from 'node:fs'
import { promisify } from 'node:util'

const synced = promisify(fdatasync)

/**
 * SQLite's log as a file, so that it can be synced after the write lock has been released. It is
 * there for as long as a connection is open. No lock hangs on it: those are on the database and on its index.
 */
export class LogFile {
  readonly #path: string
  /** From the first commit on: a reader needs none. */
  #fd: number | undefined

  constructor(database: string) {
    this.#path = `${database}-wal`
  }

  /** Everything that was committed before the call is on durable storage afterwards. */
  async sync(): Promise<void> {
    this.#fd ??= openSync(this.#path, 'r+')
    await synced(this.#fd)
  }

  close(): void {
    if (this.#fd !== undefined) closeSync(this.#fd)
  }
}
