import { closeSync, openSync } from 'node:fs'
import { syncFile } from './private-file.ts'

/**
 * The database as a file, opened when it is first needed. To be closed only once every connection of this process to it
 * is: to close a file takes away every lock that the process has on it (POSIX), and SQLite would not notice.
 */
export class DatabaseFile {
  readonly #path: string
  #fd: number | undefined

  constructor(path: string) {
    this.#path = path
  }

  open(): number {
    this.#fd ??= openSync(this.#path, 'r+')
    return this.#fd
  }

  /** What was written to it is on the disk afterwards. */
  async sync(): Promise<void> {
    await syncFile(this.open(), this.#path)
  }

  close(): void {
    if (this.#fd !== undefined) closeSync(this.#fd)
    this.#fd = undefined
  }
}
