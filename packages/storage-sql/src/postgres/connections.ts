import { Unavailable } from '@rollcall/core'
import type pg from 'pg'
import type { Connection } from './connection.ts'
import { asUnavailable, discreet, isConnectionLoss } from './postgres-error.ts'
import { type Ask, type Row, type Statement, storable, type Value } from './statement.ts'

const MOST_TRIES = 3

/** The connections of this process, each lent to one at a time. */
export class Connections {
  readonly #pool: pg.Pool
  #closing: Promise<void> | undefined

  constructor(pool: pg.Pool) {
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
      broken = isBroken(error)
      throw error
    } finally {
      connection.release(broken || !isIdle(connection))
    }
  }

  /** One statement by itself. */
  readonly ask: Ask = async <Found extends Row>({ name, text }: Statement, ...values: Value[]): Promise<Found[]> =>
    (await this.query({ name, text, values: storable(values), rowMode: 'array' })).rows as unknown as Found[]

  /** One statement by itself. A connection that was lost is replaced, and asked again. */
  async query(query: pg.QueryConfig & { rowMode?: 'array' }): Promise<pg.QueryResult> {
    for (let tries = 1; ; tries++) {
      try {
        return await this.lend((connection) => connection.query(query))
      } catch (error) {
        if (this.#closing !== undefined || tries >= MOST_TRIES || !isLost(error)) throw asUnavailable(discreet(error))
      }
    }
  }

  /** Waits for whoever has a connection. */
  async close(): Promise<void> {
    this.#closing ??= this.#pool.end()
    await this.#closing
  }

  async #connect(): Promise<Connection> {
    if (this.#closing !== undefined) throw new Unavailable()
    try {
      return await this.#pool.connect()
    } catch (error) {
      throw asUnavailable(error)
    }
  }
}

const causeOf = (error: unknown): unknown => (error instanceof Unavailable ? error.cause : error)
const isLost = (error: unknown): boolean => !(error instanceof Unavailable) && isConnectionLoss(error)
const isBroken = (error: unknown): boolean => isConnectionLoss(causeOf(error))

/** Outside of any transaction, as the server says it. */
const isIdle = (connection: Connection): boolean => connection.getTransactionStatus() === 'I'
