import type { AuditAction } from '../access/access-control.ts'
import type { Channel, RoleSource } from '../access/caller.ts'
import type { Instant } from '../instant.ts'
import type { Page, Stretch } from '../page.ts'
import type { AuditCheckpoint } from './audit-checkpoint.ts'

/** The outcome of what was not refused. */
export const DONE = 'done'

/** One change, or refusal, of a caller. Ids only: no name, no address, ever. */
export interface AuditEntry {
  readonly at: Instant
  readonly actor: string
  readonly roleSource: RoleSource
  readonly tokenId: string | undefined
  readonly channel: Channel
  readonly requestId: string | undefined
  readonly action: AuditAction
  readonly target: string | undefined
  /** `done`, or the name of the error that refused it. */
  readonly outcome: string
  readonly reason: string | undefined
  /** How many similar refusals this record stands for. */
  readonly count: number
  /** A keyed hash of the roles that the user has from then on, where the record is about that. */
  readonly rolesHash: string | undefined
}

/** An entry in its place in the chain. */
export interface AuditRecord extends AuditEntry {
  /** 1 for the first, without gaps. */
  readonly sequence: number
  /** SHA-256 over the record before and this entry, hexadecimal. */
  readonly hash: string
}

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
