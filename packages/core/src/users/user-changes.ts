import type { Caller } from '../access/caller.ts'
import type { AuditEntry } from '../audit/audit-store.ts'
import type { EventType } from '../events/event-store.ts'
import type { AddressHash } from '../subscriptions/email-address.ts'
import type { UserFacts } from './decide-user-change.ts'
import type { User, UserId } from './user.ts'

/** A change of one user with its record in the trail; its event is of the same time. */
export type RecordedUserChange =
  | { readonly kind: 'store'; readonly user: User; readonly event: EventType; readonly record: AuditEntry }
  /** Forever, and its subscriptions stay: those of this address. */
  | { readonly kind: 'delete'; readonly user: User; readonly address: AddressHash; readonly record: AuditEntry }

export interface UserChangeRequest {
  readonly userId: UserId
  /** Who changes it. If that is a stored user, nothing is changed once its identity has another version. */
  readonly caller: Caller
  /** The trace that the event belongs to, as in a `PendingMail`. */
  readonly traceContext?: string | undefined
  /**
   * Decides by what is stored; waits for nothing. Undefined if it takes a unit of work.
   * @throws {DomainError} what the request is refused with
   */
  decide(facts: UserFacts): RecordedUserChange | undefined
}

/** A change that was made, with its record and its event. */
export interface MadeUserChange {
  readonly user: User
  /** It was so already, and nothing was stored. */
  readonly isSame?: boolean
  /** If it was deleted: how many subscriptions of its address there are. */
  readonly subscriptionsKept: number
}

/**
 * A way for changes of users that is shorter than a unit of work each: what is stored is read for many requests at once,
 * nothing is locked while they are decided, and all changes are written at once, each only if what was read still holds.
 */
export interface UserChanges {
  /**
   * Resolves once the change is on durable storage. Undefined if nothing was changed, because `decide` gave nothing, or
   * because what was read did not hold any more: the request is then to be carried out in a unit of work.
   * @throws what `decide` throws
   * @throws {Unavailable} as `UnitOfWork.run`
   */
  make(request: UserChangeRequest): Promise<MadeUserChange | undefined>
}
