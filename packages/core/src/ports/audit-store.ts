import type { AuditRecord } from '../audit/audit-record.ts'
import type { Page, Stretch } from '../page.ts'

export interface AuditReader {
  /** Oldest first; a record's position is its sequence number. */
  list(stretch: Stretch): Promise<Page<AuditRecord>>
}

/** Append-only: there is no way to change or remove a record. */
export interface AuditStore extends AuditReader {
  /** The newest record. What it says stays true until the unit ends, also against other processes. */
  last(): Promise<AuditRecord | undefined>
  /** Throws, and so undoes its unit, unless the sequence number is one more than the last one's. */
  append(record: AuditRecord): Promise<void>
}
