import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { lookAt } from '../../packages/storage-sql/test/postgres-server/start-postgres.ts'

const PAUSE = 10

/** Makes what `firstWrite` writes. */
export const prepareWrites = (url: string): Promise<unknown> =>
  lookAt(url, (client) => client.query('CREATE TABLE IF NOT EXISTS probe AS SELECT now() AS at'))

/**
 * When a write was committed by way of this address, by the clock of this process; not by the server that listens on the
 * port `former`.
 */
export const firstWrite = async (connectionString: string, former: number, stop: AbortSignal): Promise<number> => {
  for (; !stop.aborted; await sleep(PAUSE)) {
    const client = new pg.Client({ connectionString, connectionTimeoutMillis: 1_000, query_timeout: 20_000 })
    client.on('error', () => undefined)
    try {
      await client.connect()
      const query = 'SELECT pg_is_in_recovery() AS standby, inet_server_port() AS port'
      for (; !stop.aborted; await sleep(PAUSE)) {
        const { rows } = await client.query<{ standby: boolean; port: number }>(query)
        if (rows[0]?.port === former) break
        if (rows[0]?.standby !== false) continue
        await client.query('UPDATE probe SET at = now()')
        return performance.now()
      }
    } catch {
      // It is down, starts or stops.
    } finally {
      client.connection.stream.destroy()
    }
  }
  throw new Error(`${connectionString} took no writes in time.`)
}
