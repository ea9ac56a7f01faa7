import type { Page, Stretch } from '../page.ts'
import type { AuditCheckpoint } from './audit-checkpoint.ts'
import type { AuditRecord } from './audit-record.ts'

export interface AuditReader {
  /** Oldest first; a record's position is its sequence number. */
  list(stretch: Stretch): Promise<Page<AuditRecord>>
  /** In the order of their records; a checkpoint's position is its record's. */
  checkpoints(stretch: Stretch): Promise<Page<AuditCheckpoint>>
  /** A copy of the newest checkpoint, stored separately, so that the loss of all checkpoints is noticed. */
  head(): Promise<AuditCheckpoint | undefined>
}

/** Append-only: there is no way to change or remove a record. */
export interface AuditStore extends AuditReader {
  /** The newest record. What it says stays true until the unit ends, also against other processes. */
  last(): Promise<AuditRecord | undefined>
  /** Throws, and so undoes its unit, unless the sequence number is one more than the last one's. */
  append(record: AuditRecord): Promise<void>
  lastCheckpoint(): Promise<AuditCheckpoint | undefined>
  /** The head from now on. Throws unless its sequence number is higher than the last one's. */
  addCheckpoint(checkpoint: AuditCheckpoint): Promise<void>
}
