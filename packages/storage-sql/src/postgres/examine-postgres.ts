import { AUDIT_COLUMNS, type AuditRow, type CheckpointRow, toAuditRecord, toCheckpoint } from '../rows/audit-row.ts'
import { newestOf, type StorageExamination } from '../storage-examination.ts'
import { openPool, requireServer } from './connection.ts'
import { connectionSettings } from './connection-settings.ts'
import { Connections } from './connections.ts'
import { Instance } from './instance.ts'
import { missing } from './migrate-postgres.ts'
import { requireWholeDatabase } from './moving/require-whole-database.ts'
import { asNotUsable } from './postgres-error.ts'
import { type Ask, statement, type Value } from './statement.ts'
import { postgresReaders } from './stores/index.ts'

const LAST = statement(`SELECT ${AUDIT_COLUMNS} FROM audit_record ORDER BY sequence DESC LIMIT 1`)
const RECORD = statement(`SELECT ${AUDIT_COLUMNS} FROM audit_record WHERE sequence = $1`)
const SEAL = statement('SELECT sequence, hash, at, seal FROM audit_checkpoint ORDER BY sequence DESC LIMIT 1')
const EVENT = statement('SELECT at FROM event ORDER BY position DESC LIMIT 1')

/**
 * Looks at the database of a server.
 * @throws {StorageNotUsable} it cannot be reached, or is of a newer version
 */
export const examinePostgres = async (url: string): Promise<StorageExamination> => {
  const settings = connectionSettings(url)
  const pool = openPool(settings, () => undefined)
  const connections = new Connections(pool)
  try {
    await requireServer(pool, settings.server)
    const lacks = await missing(pool)
    if (lacks.length === 0) await requireWholeDatabase(pool, settings.server)
    return assemble(connections, lacks)
  } catch (error) {
    await connections.close()
    throw asNotUsable(error, settings.server)
  }
}

const assemble = (connections: Connections, lacks: readonly string[]): StorageExamination => {
  const { ask } = connections
  const { outbox, webhookDeliveries } = postgresReaders(connections)
  const instance = new Instance(connections)
  return {
    missing: lacks,
    outbox,
    webhookDeliveries,
    // Its pages have checksums of their own, and nothing short of an extension looks through them.
    damage: async () => [],
    trailEnd: async () => {
      const [row] = await ask<CheckpointRow>(SEAL)
      const seal = row && toCheckpoint(row)
      return { last: await recordOf(ask, LAST), seal, sealed: seal && (await recordOf(ask, RECORD, seal.sequence)) }
    },
    newest: async () => {
      const [event] = await ask<[at: number]>(EVENT)
      return newestOf([(await recordOf(ask, LAST))?.at, event?.[0]])
    },
    recall: (name) => instance.recall(name),
    close: () => connections.close(),
  }
}

const recordOf = async (ask: Ask, which: typeof LAST, ...values: Value[]) => {
  const [row] = await ask<AuditRow>(which, ...values)
  return row && toAuditRecord(row)
}
