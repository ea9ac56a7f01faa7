import { newestOf, type StorageExamination } from '../storage-examination.ts'
import {
  AUDIT_COLUMNS,
  type AuditRow,
  CHECKPOINT_COLUMNS,
  type CheckpointRow,
  toAuditRecord,
  toCheckpoint,
} from '../tables/audit.ts'
import { openPool, requireServer } from './connection.ts'
import { connectionSettings } from './connection-settings.ts'
import { Connections } from './connections.ts'
import { Instance } from './instance.ts'
import { missing } from './migrate-postgres.ts'
import { asNotUsable } from './postgres-error.ts'
import { type Ask, rowStatement, statement, type Value } from './statement.ts'
import { postgresReaders } from './stores/index.ts'
import { requireWholeDatabase } from './whole-database.ts'

const LAST = rowStatement<AuditRow>(`SELECT ${AUDIT_COLUMNS} FROM audit_record ORDER BY sequence DESC LIMIT 1`)
const RECORD = rowStatement<AuditRow>(`SELECT ${AUDIT_COLUMNS} FROM audit_record WHERE sequence = $1`)
const SEAL = rowStatement<CheckpointRow>(
  `SELECT ${CHECKPOINT_COLUMNS} FROM audit_checkpoint ORDER BY sequence DESC LIMIT 1`,
)
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
      const [row] = await ask(SEAL)
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
  const [row] = await ask(which, ...values)
  return row && toAuditRecord(row)
}
