import { closeSync, openSync } from 'node:fs'
import { hasErrorCode } from '@rollcall/platform-node'
import type { CommitLog } from './durable-answers.ts'
import { syncFile } from './private-file.ts'

/**
 * SQLite's log as a file, so that it can be synced after the write lock has been released. It is there for as long as a
 * connection is open. No lock hangs on it: those are on the database and on its index.
 */
export class LogFile implements CommitLog {
  /** Undefined if it may not be written: then nothing will be committed either. */
  #fd: number | undefined
  readonly #database: string

  constructor(database: string) {
    this.#database = database
    this.#fd = opened(`${database}-wal`)
  }

  async sync(): Promise<void> {
    this.#fd ??= openSync(`${this.#database}-wal`, 'r+')
    await syncFile(this.#fd, this.#database)
  }

  close(): void {
    if (this.#fd !== undefined) closeSync(this.#fd)
  }
}

/** Before the first commit: a system reports a write that failed to those alone who had the file open then. */
const opened = (log: string): number | undefined => {
  try {
    return openSync(log, 'r+')
  } catch (error) {
    if (hasErrorCode(error, 'EACCES', 'EPERM', 'EROFS')) return undefined
    throw error
  }
}
