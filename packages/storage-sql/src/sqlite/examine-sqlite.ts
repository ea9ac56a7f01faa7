import { existsSync } from 'node:fs'
import { type StorageExamination, trailExamination } from '../storage-examination.ts'
import { StorageNotUsable } from '../storage-not-usable.ts'
import { ACCESS_TOKEN_READER } from '../tables/access-tokens.ts'
import { deliveryReader, WEBHOOK_READER } from '../tables/events.ts'
import { OUTBOX_READER } from '../tables/mails.ts'
import { REQUEST_READER } from '../tables/requests.ts'
import { type Connection, pluck } from './connection.ts'
import { missing, newerThanThis, recallFrom, requireWholeFile } from './migrate-sqlite.ts'
import { openFile } from './open-file.ts'
import { realName } from './private-file.ts'
import { schemaFaults } from './schema-faults.ts'
import { asNotUsable, retryWhileBusy } from './sqlite-error.ts'

import { sqliteReader } from './stores/run-methods.ts'

/**
 * Looks at a database file, whether or not a server works on it.
 * @throws {StorageNotUsable} it is not there, cannot be read, or is of a newer version
 */
export const examineSqlite = async (file: string): Promise<StorageExamination> => {
  const name = realName(file)
  const guarded = async <T>(look: () => T): Promise<T> => {
    try {
      return await retryWhileBusy(look)
    } catch (error) {
      throw asNotUsable(error, name)
    }
  }
  if (!existsSync(name)) throw new StorageNotUsable('older-schema', `There is no database ${name} yet.`)
  const connection = await guarded(() => open(name))
  try {
    const lacks = await guarded(() => missing(connection))
    if (lacks.length === 0) await guarded(() => requireWholeFile(connection, name))
    return assemble(connection, lacks, await guarded(() => newerThanThis(connection)), guarded)
  } catch (error) {
    connection.close()
    throw error
  }
}

type Guarded = <T>(look: () => T) => Promise<T>

// Who only reads leaves the files beside it that were not there before; who may write takes them away when closing,
// but would also take in the log of a server that died.
const open = (file: string): Connection =>
  openFile(file, existsSync(`${file}-wal`), (connection) => connection.pragma('query_only = 1'))

const assemble = (
  connection: Connection,
  lacks: readonly string[],
  newer: readonly string[],
  guarded: Guarded,
): StorageExamination => {
  // Their statements are made when they are asked: before that, their tables may not be there.
  const outbox = () => sqliteReader(OUTBOX_READER, connection)
  const requests = () => sqliteReader(REQUEST_READER, connection)
  const deliveries = () => sqliteReader(deliveryReader('min'), connection)
  return {
    missing: lacks,
    newer,
    outbox: {
      health: () => guarded(() => outbox().health()),
      depth: () => guarded(() => outbox().depth()),
      underWay: () => guarded(() => outbox().underWay()),
    },
    requests: {
      backlog: () => guarded(() => requests().backlog()),
      count: () => guarded(() => requests().count()),
    },
    webhooks: { list: (stretch) => guarded(() => sqliteReader(WEBHOOK_READER, connection).list(stretch)) },
    webhookDeliveries: {
      health: () => guarded(() => deliveries().health()),
      depth: () => guarded(() => deliveries().depth()),
      failing: () => guarded(() => deliveries().failing()),
      underWay: () => guarded(() => deliveries().underWay()),
    },
    damage: async () => [
      ...(await guarded(() => pluck<string>(connection, 'PRAGMA quick_check').filter((line) => line !== 'ok'))),
      ...(newer.length > 0 ? [] : schemaFaults(connection, { own: 'any' })),
    ],
    ...trailExamination(<Row>(sql: string) => guarded(() => connection.prepare<[], Row>(sql).all())),
    isRevoked: (tokenId) => guarded(() => sqliteReader(ACCESS_TOKEN_READER, connection).isRevoked(tokenId)),
    recall: (name) => guarded(() => recallFrom(connection, name)),
    close: async () => {
      connection.close()
    },
  }
}
