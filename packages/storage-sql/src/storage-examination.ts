import type { AuditCheckpoint, AuditRecord, Instant, Readers } from '@rollcall/core'

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
  readonly outbox: Readers['outbox']
  readonly webhookDeliveries: Pick<Readers['webhookDeliveries'], 'depth' | 'health'>
  /**
   * What is wrong with its structure, in the database's own words; empty where nothing is, or it cannot be checked.
   * @throws {StorageNotUsable} too much of it
   */
  damage(): Promise<readonly string[]>
  trailEnd(): Promise<TrailEnd>
  /** The time of the newest entry of the trail or of the events. */
  newest(): Promise<Instant | undefined>
  /** A value that was settled, such as the fingerprint of a secret. */
  recall(name: string): Promise<string | undefined>
  close(): Promise<void>
}

export const newestOf = (instants: readonly (Instant | undefined)[]): Instant | undefined => {
  const known = instants.filter((at) => at !== undefined)
  return known.length === 0 ? undefined : Math.max(...known)
}
