import type { Channel, RoleSource } from '../access/caller.ts'
import type { Instant } from '../instant.ts'

/** What was done, or attempted: `<thing>.<action>`. */
export type AuditAction =
  | 'audit.read'
  | 'database.restore'
  | 'event.read'
  | 'feed.delete'
  | 'feed.put'
  | 'feed.read'
  | 'key.rotate'
  | 'outbox.read'
  | 'outbox.retry'
  | 'subscription.confirm'
  | 'subscription.end'
  | 'subscription.erase'
  | 'subscription.export'
  | 'subscription.import'
  | 'subscription.read'
  | 'suppression.lift'
  | 'suppression.read'
  | 'token.issue'
  | 'user.delete'
  | 'user.erase'
  | 'user.export'
  | 'user.put'
  | 'user.read'
  | 'user.restore'
  | 'webhook.delete'
  | 'webhook.disable'
  | 'webhook.put'
  | 'webhook.read'
  | 'webhook.redeliver'
  | 'webhook.rotate'

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
}

/** An entry in its place in the chain. */
export interface AuditRecord extends AuditEntry {
  /** 1 for the first, without gaps. */
  readonly sequence: number
  /** SHA-256 over the record before and this entry, hexadecimal. */
  readonly hash: string
}
