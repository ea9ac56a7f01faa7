import { closeSync, fdatasync, openSync } from 'node:fs'
import { promisify } from 'node:util'

const synced = promisify(fdatasync)

/**
 * SQLite's log as a file, so that it can be brought to the disk when nobody waits for the write lock any more. It is
 * there for as long as a connection is open. No lock hangs on it: those are on the database and on its index.
 */
export class LogFile {
  readonly #fd: number

  constructor(database: string) {
    this.#fd = openSync(`${database}-wal`, 'r+')
  }

  /** Everything that was committed before the call is on durable storage afterwards. */
  async sync(): Promise<void> {
    await synced(this.#fd)
  }

  close(): void {
    closeSync(this.#fd)
  }
}
