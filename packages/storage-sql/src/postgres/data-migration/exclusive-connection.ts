import { type Connection, openPool } from '../connection.ts'
import { connectionSettings } from '../connection-settings.ts'
import { asNotUsable } from '../postgres-error.ts'
import { keepOut, requireServer } from '../session.ts'

// To count millions of rows, or to look through them for what the planner should know.
const LONGEST_STATEMENT = 3_600_000

/** One connection that has the database to itself. */
export interface ExclusiveConnection {
  readonly connection: Connection
  readonly server: string
  /** Closing twice is closing once. */
  close(): Promise<void>
}

/** @throws {StorageNotUsable} it cannot be reached, or somebody works with it */
export const openExclusively = async (url: string): Promise<ExclusiveConnection> => {
  const settings = connectionSettings(url)
  const { server } = settings
  const pool = openPool(settings, () => undefined, LONGEST_STATEMENT)
  try {
    await requireServer(pool, server)
    const connection = await pool.connect()
    let closing: Promise<void> | undefined
    const close = async (): Promise<void> => {
      // The lock goes with the connection.
      connection.release(true)
      await pool.end()
    }
    try {
      await connection.query("SELECT set_config('idle_in_transaction_session_timeout', '0', false)")
      await keepOut(connection, server)
    } catch (error) {
      connection.release(true)
      throw error
    }
    return {
      connection,
      server,
      close: () => {
        closing ??= close()
        return closing
      },
    }
  } catch (error) {
    await pool.end()
    throw asNotUsable(error, server)
  }
}
