import type { Attempt } from '../access/access-control.ts'
import type { Caller } from '../access/caller.ts'
import type { Instant } from '../instant.ts'
import type { Clock } from '../platform/clock.ts'
import type { Digests } from '../platform/digests.ts'
import type { User } from '../users/user.ts'
import { checkpointOf, SEAL_EVERY } from './audit-checkpoint.ts'
import { type AuditEntry, type AuditRecord, type AuditStore, DONE } from './audit-store.ts'
import { chained } from './hash-chain.ts'
import { rolesHashOf } from './roles-hash.ts'

const LONGEST = 255

/**
 * A caller's text in the form that the trail keeps for ever: no store changes it, and it cannot mislead a reader. Ids are
 * visible ASCII anyway; anything else only has to be recognisable as not an id.
 */
const legible = (text: string | undefined): string | undefined => text?.slice(0, LONGEST).replace(/[^\x20-\x7e]/g, '?')

/**
 * The target that a refused caller named is unchecked input: an address in it would stay for
 * ever. What was done was done to an id, which holds no address.
 */
const targetOf = (target: string | undefined, outcome: string): string | undefined =>
  outcome !== DONE && target?.includes('@') ? '<address>' : legible(target)

/** An entry before its count is known. */
export const auditEntry = (
  at: Instant,
  caller: Caller,
  { action, target }: Attempt,
  outcome: string,
  reason?: string | undefined,
): AuditEntry => ({
  at,
  actor: legible(caller.id) ?? '',
  roleSource: caller.roleSource,
  // The issuer of the token chose it; an address in it would stay for ever.
  tokenId: caller.tokenId?.includes('@') ? '<address>' : legible(caller.tokenId),
  channel: caller.channel,
  requestId: legible(caller.requestId),
  action,
  target: targetOf(target, outcome),
  outcome,
  reason,
  count: 1,
  rolesHash: undefined,
})

/** Writes records, each chained to the one before, in the same unit of work as the change. */
export class AuditTrail {
  readonly #clock: Clock
  readonly #digests: Digests
  #hasNews = false

  constructor(clock: Clock, digests: Digests) {
    this.#clock = clock
    this.#digests = digests
  }

  /** Whether this process has appended anything since it began to seal the trail. */
  get hasNews(): boolean {
    return this.#hasNews
  }

  /** To be called before the trail is sealed up to its newest record. */
  noteSealing(): void {
    this.#hasNews = false
  }

  /** @param user as it is from now on, where the record is about that */
  done(
    audit: AuditStore,
    caller: Caller,
    attempt: Attempt,
    reason?: string | undefined,
    user?: User | undefined,
  ): Promise<AuditRecord> {
    const rolesHash = user && rolesHashOf(this.#digests, user)
    return this.append(audit, { ...auditEntry(this.#clock.now(), caller, attempt, DONE, reason), rolesHash })
  }

  async append(audit: AuditStore, entry: AuditEntry): Promise<AuditRecord> {
    const record = chained(this.#digests, await audit.last(), entry)
    await audit.append(record)
    this.#hasNews = true
    if (record.sequence % SEAL_EVERY === 0)
      await audit.addCheckpoint(checkpointOf(this.#digests, record, this.#clock.now()))
    return record
  }
}
