import { type StorageExamination, trailExamination } from '../storage-examination.ts'
import { connect } from './connection.ts'
import { Connections } from './connections.ts'
import { missing, newerThanThis, requireWholeDatabase } from './migrate-postgres.ts'
import { settledValues } from './open-postgres-storage.ts'
import { ServerClock } from './server-clock.ts'
import { postgresReaders } from './stores/index.ts'
import { structureFaults } from './structure-faults.ts'
import { tryToWrite } from './write-trial.ts'

/**
 * Looks at the database of a server.
 * @throws {StorageNotUsable} it cannot be reached, is of a newer version, or takes no writes
 */
export const examinePostgres = (url: string): Promise<StorageExamination> =>
  connect(url, async (pool, server) => {
    const lacks = await missing(pool)
    const newer = await newerThanThis(pool)
    if (lacks.length === 0) await requireWholeDatabase(pool, server)
    const connections = new Connections(pool)
    if (lacks.length === 0) await connections.lend(tryToWrite)
    const { accessTokens, outbox, requests, webhookDeliveries, webhooks } = postgresReaders(connections)
    const clock = await ServerClock.start(connections.ask)
    return {
      missing: lacks,
      newer,
      clock,
      outbox,
      requests,
      webhookDeliveries,
      webhooks,
      // Its pages have checksums of their own, and nothing short of an extension looks through them.
      damage: async () => (newer.length > 0 ? [] : await connections.lend(structureFaults)),
      ...trailExamination(async <Row>(text: string) => (await connections.query({ text })).rows as Row[]),
      isRevoked: (tokenId) => accessTokens.isRevoked(tokenId),
      recall: settledValues(connections).recall,
      close: () => {
        clock.stop()
        return connections.close()
      },
    }
  })
