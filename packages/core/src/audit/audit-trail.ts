import type { Attempt } from '../access/access-control.ts'
import type { Caller } from '../access/caller.ts'
import type { Instant } from '../instant.ts'
import type { Clock } from '../platform/clock.ts'
import type { Digests } from '../platform/digests.ts'
import type { User } from '../users/user.ts'
import { type AuditEntry, type AuditStore, DONE } from './audit-store.ts'
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

/** Writes records in the same unit of work as the change. */
export class AuditTrail {
  readonly #clock: Clock
  readonly #digests: Digests

  constructor(clock: Clock, digests: Digests) {
    this.#clock = clock
    this.#digests = digests
  }

  /** @param user as it is from now on, if the record is about that */
  entry(caller: Caller, attempt: Attempt, reason?: string | undefined, user?: User | undefined): AuditEntry {
    const entry = auditEntry(this.#clock.now(), caller, attempt, DONE, reason)
    return user === undefined ? entry : { ...entry, rolesHash: rolesHashOf(this.#digests, user) }
  }

  /** Appends such an entry. */
  async done(
    audit: AuditStore,
    ...done: Parameters<AuditTrail['entry']>
  ): Promise<{ readonly id: number; readonly at: Instant }> {
    const entry = this.entry(...done)
    return { id: await audit.append(entry), at: entry.at }
  }
}
