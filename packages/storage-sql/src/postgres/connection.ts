import pg from 'pg'
import type { ConnectionSettings } from './connection-settings.ts'
import { join } from './presence.ts'
import { ServerPool } from './server-pool.ts'
import { ServerClient, Servers } from './servers.ts'
import { beginSession } from './session.ts'

const { types } = pg

export type Connection = pg.PoolClient

/** Milliseconds. What waits longer fails as `Unavailable`. */
const LONGEST_WAIT = 5_000
const LONGEST_STATEMENT = 10_000
const LONGEST_IDLE_TRANSACTION = 10_000
/** A server that is there ends a statement itself; one that says nothing for so much longer is taken for gone. */
const LONGER_THAN_THE_SERVER = 2_000

const INT8 = 20

/** Whole numbers of 64 bits as numbers: everything here is within what those can tell apart. */
const asNumbers = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    oid === INT8 ? Number : types.getTypeParser(oid, format as 'text')) as typeof types.getTypeParser,
}

/**
 * Connections that keep the promises, to whichever server takes writes. Nothing is connected before it is asked for.
 * `longestStatement` is in milliseconds; `present` lets others know that somebody works with the database.
 */
export const openPool = (
  { pool, endpoints, server }: ConnectionSettings,
  onLoss: (error: Error) => void,
  longestStatement = LONGEST_STATEMENT,
  { present = false } = {},
): ServerPool => {
  const servers = new Servers(endpoints)
  class Client extends ServerClient {
    constructor(config?: pg.ClientConfig) {
      super(servers, config)
    }
  }
  const limits = {
    longestStatement,
    longestLockWait: LONGEST_WAIT,
    longestIdleTransaction: LONGEST_IDLE_TRANSACTION,
    firstAnswerTimeout: servers.timeout,
  }
  const onConnect = async (client: pg.ClientBase): Promise<void> => {
    try {
      await beginSession(client, limits)
      if (present) await join(client, server)
    } catch (error) {
      if (client instanceof Client) client.turnAway()
      throw error
    }
  }
  const opened = new ServerPool(
    {
      ...pool,
      Client,
      onConnect,
      types: asNumbers,
      pipeline: true,
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
      connectionTimeoutMillis: LONGEST_WAIT,
      idleTimeoutMillis: 60_000,
      query_timeout: longestStatement + LONGER_THAN_THE_SERVER,
    },
    servers.count,
  )
  // A lost connection is replaced when it is needed, and the statement that used it fails. Only the message is passed on,
  // because the driver attaches the whole connection to the error.
  opened.on('error', ({ message }) => onLoss(new Error(message)))
  opened.on('connect', (client) => client.on('error', () => undefined))
  return opened
}

export { requireServer } from './require-server.ts'
