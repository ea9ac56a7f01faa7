import { closeSync, openSync } from 'node:fs'
import type { CommitLog } from './durable-answers.ts'
import { syncFile } from './private-file.ts'

/**
 * SQLite's log as a file, so that it can be synced after the write lock has been released. It is there for as long as a
 * connection is open. No lock hangs on it: those are on the database and on its index.
 */
export class LogFile implements CommitLog {
  // Opened before the first commit: a system reports a write that failed to those alone who had the file open then.
  readonly #fd: number
  readonly #database: string

  constructor(database: string) {
    this.#database = database
    this.#fd = openSync(`${database}-wal`, 'r+')
  }

  async sync(): Promise<void> {
    await syncFile(this.#fd, this.#database)
  }

  close(): void {
    closeSync(this.#fd)
  }
}
