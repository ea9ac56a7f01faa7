import { Unavailable } from '@rollcall/core'
import type { Connection } from './connection.ts'
import { isDiskTrouble, isForbidden } from './postgres-error.ts'

/** Milliseconds between two tries. */
const PAUSE = 1_000

/**
 * A table of its own always takes new room on the disk; a row may find some in a table, and be written although the
 * next request is not. It is of a megabyte, because a short one finds room where the requests of a moment do not.
 */
const TAKE_ROOM = 'CREATE TABLE rollcall_write_trial AS SELECT generate_series(1, 30000) AS n'

/**
 * Writes a megabyte, and undoes it. A role that may make no tables cannot try it, and is taken to be able to write.
 * @throws as PostgreSQL says why it cannot be written
 */
export const tryToWrite = async (connection: Connection): Promise<void> => {
  await connection.query('BEGIN')
  try {
    await connection.query(TAKE_ROOM)
  } catch (error) {
    if (!isForbidden(error)) throw error
  } finally {
    await connection.query('ROLLBACK')
  }
}

/**
 * Remembers that the server's disk has refused a write, and finds out when it takes writes again: meanwhile there may be
 * no requests that would. As long as none was refused, it costs nothing.
 */
export class WriteTrial {
  #refused = false
  #notBefore = Number.NEGATIVE_INFINITY
  #running: Promise<void> | undefined

  /** To be called with whatever failed. */
  notice(error: unknown): void {
    if (isDiskTrouble(error)) this.#refused = true
  }

  /** @throws {Unavailable} the disk took no writes when it was last tried, a moment ago */
  async require(lend: <Result>(work: (connection: Connection) => Promise<Result>) => Promise<Result>): Promise<void> {
    if (!this.#refused) return
    if (this.#running === undefined && performance.now() < this.#notBefore) throw new Unavailable()
    this.#running ??= lend(tryToWrite)
      .then(() => {
        this.#refused = false
      })
      .finally(() => {
        this.#running = undefined
        this.#notBefore = performance.now() + PAUSE
      })
    await this.#running
  }
}
