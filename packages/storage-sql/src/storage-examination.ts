import type { AuditCheckpoint, AuditRecord, Instant, Readers } from '@rollcall/core'
import {
  AUDIT_COLUMNS,
  type AuditRow,
  CHECKPOINT_COLUMNS,
  type CheckpointRow,
  toAuditRecord,
  toCheckpoint,
} from './tables/audit.ts'

/** The end of the audit trail, and how far it is sealed. */
export interface TrailEnd {
  readonly last: AuditRecord | undefined
  readonly seal: AuditCheckpoint | undefined
  /** The record that the seal is on; undefined where it is gone. */
  readonly sealed: AuditRecord | undefined
}

/** A look at a database that changes nothing in it. */
export interface StorageExamination {
  /** The migrations that it lacks; where it lacks any, nothing else can be asked. */
  readonly missing: readonly string[]
  readonly outbox: Pick<Readers['outbox'], 'depth' | 'health'>
  readonly webhookDeliveries: Pick<Readers['webhookDeliveries'], 'depth' | 'health'>
  /**
   * What is wrong with its structure, in the database's own words; empty where nothing is, or it cannot be checked.
   * @throws {StorageNotUsable} too much of it
   */
  damage(): Promise<readonly string[]>
  trailEnd(): Promise<TrailEnd>
  /** Whether an access token of this id is refused. */
  isRevoked(tokenId: string): Promise<boolean>
  /** The time of the newest entry of the trail or of the events. */
  newest(): Promise<Instant | undefined>
  /** A value that was settled, such as the fingerprint of a secret. */
  recall(name: string): Promise<string | undefined>
  close(): Promise<void>
}

const LAST = 'ORDER BY sequence DESC LIMIT 1'

/** Looks at the trail and the events by `find`, which gives the first row of a query. */
export const trailExamination = (
  find: <Row extends object>(sql: string) => Promise<Row | undefined>,
): Pick<StorageExamination, 'trailEnd' | 'newest'> => {
  const record = async (which: string): Promise<AuditRecord | undefined> => {
    const row = await find<AuditRow>(`SELECT ${AUDIT_COLUMNS} FROM audit_record ${which}`)
    return row && toAuditRecord(row)
  }
  return {
    trailEnd: async () => {
      const row = await find<CheckpointRow>(`SELECT ${CHECKPOINT_COLUMNS} FROM audit_checkpoint ${LAST}`)
      const seal = row && toCheckpoint(row)
      return { last: await record(LAST), seal, sealed: seal && (await record(`WHERE sequence = ${seal.sequence}`)) }
    },
    newest: async () => {
      const event = await find<{ at: Instant }>('SELECT at FROM event ORDER BY position DESC LIMIT 1')
      const known = [(await record(LAST))?.at, event?.at].filter((at) => at !== undefined)
      return known.length === 0 ? undefined : Math.max(...known)
    },
  }
}
