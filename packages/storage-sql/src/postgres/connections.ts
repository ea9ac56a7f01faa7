import { Unavailable } from '@rollcall/core'
import type pg from 'pg'
import { StorageNotUsable } from '../storage-not-usable.ts'
import { answerTo } from './answer.ts'
import type { Connection, ServerPool } from './connection.ts'
import { asUnavailable, discreet, isConnectionLoss, isReadOnly, isSilence } from './postgres-error.ts'
import { type Ask, rowsIn, type Statement, storable, type Value } from './statement.ts'
import { WriteTrial } from './write-trial.ts'

const MOST_TRIES = 3

/** How many connections to the server are lent, are idle, and are waited for; and how many there may be. */
export interface ConnectionUse {
  readonly busy: number
  readonly idle: number
  readonly awaited: number
  readonly most: number
}

/** The connections of this process, each lent to one at a time. */
export class Connections {
  readonly #pool: ServerPool
  readonly #writeTrial = new WriteTrial()
  #closing: Promise<void> | undefined

  constructor(pool: ServerPool) {
    this.#pool = pool
  }

  /** One that fails with the connection takes it out of use. */
  async lend<Result>(work: (connection: Connection) => Promise<Result>): Promise<Result> {
    const connection = await this.#connect()
    let broken = true
    try {
      const result = await work(connection)
      broken = false
      return result
    } catch (error) {
      const cause = error instanceof Unavailable ? error.cause : error
      this.#writeTrial.notice(cause)
      broken = isConnectionLoss(cause) || isReadOnly(cause) || cause instanceof StorageNotUsable
      // A restart, a fail-over and an administrator end all of them; a unit must not meet one after another.
      if (broken) this.#pool.distrust(connection)
      throw error
    } finally {
      // Idle is outside of any transaction, as the server says it.
      connection.release(broken || connection.getTransactionStatus() !== 'I')
    }
  }

  /** One statement by itself. */
  readonly ask: Ask = async (statement: Statement, ...values: Value[]): Promise<never[]> =>
    rowsIn(
      statement,
      await this.#lendAgain((connection) => answerTo(connection, statement, storable(values))),
    ) as never[]

  /** One statement by itself, as the driver takes it. */
  async query(query: pg.QueryConfig): Promise<pg.QueryResult> {
    return await this.#lendAgain((connection) => connection.query(query))
  }

  /** A connection that was lost is replaced, and asked again. */
  async #lendAgain<Result>(ask: (connection: Connection) => Promise<Result>): Promise<Result> {
    for (let tries = 1; ; tries++) {
      try {
        return await this.lend(ask)
      } catch (error) {
        if (this.#closing !== undefined || tries >= MOST_TRIES || !isLost(error)) throw asUnavailable(discreet(error))
      }
    }
  }

  /**
   * Looks again at a pooler in between, which may have been set otherwise; without one it costs nothing.
   * @throws {Unavailable} it gives each transaction another session
   */
  async requireSessions(): Promise<void> {
    const { pooler } = this.#pool
    if (!pooler.isDue) return
    try {
      await this.lend((connection) => pooler.require(connection))
    } catch (error) {
      throw asUnavailable(error)
    }
  }

  /**
   * Tries to write if the server's disk has refused a write; otherwise it costs nothing.
   * @throws {Unavailable} it still refuses
   */
  async requireWritable(): Promise<void> {
    try {
      await this.#writeTrial.require((work) => this.lend(work))
    } catch (error) {
      throw asUnavailable(error)
    }
  }

  get use(): ConnectionUse {
    const { totalCount, idleCount, waitingCount, options } = this.#pool
    return { busy: totalCount - idleCount, idle: idleCount, awaited: waitingCount, most: options.max }
  }

  /** Waits until every connection is returned. */
  async close(): Promise<void> {
    this.#closing ??= this.#pool.close()
    await this.#closing
  }

  async #connect(): Promise<Connection> {
    if (this.#closing !== undefined) throw new Unavailable()
    try {
      return await this.#pool.connect()
    } catch (error) {
      // Whatever the server says, or a pooler or a proxy before it: without a connection there is no storage.
      throw new Unavailable({ cause: error })
    }
  }
}

/** Whether another connection may do better, at once. */
const isLost = (error: unknown): boolean =>
  !(error instanceof Unavailable) && isConnectionLoss(error) && !isSilence(error)
