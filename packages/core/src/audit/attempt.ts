import type { AuditAction } from './audit-record.ts'

/** What was attempted, for the trail. */
export interface Attempt {
  readonly action: AuditAction
  readonly target?: string | undefined
}
