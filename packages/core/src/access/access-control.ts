import type { Attempt } from '../audit/attempt.ts'
import type { AuditAction } from '../audit/audit-record.ts'
import type { RefusalLog } from '../audit/refusal-log.ts'
import type { DomainError } from '../errors.ts'
import type { AuthorizationPolicy, Permission } from './authorization-policy.ts'
import type { Caller } from './caller.ts'

/** The permission that a use case needs, declared once for itself, the routes and the OpenAPI document. */
export interface Guarded {
  readonly permission: Permission
  /** Its name in the audit trail. */
  readonly action: AuditAction
  /** The target in the record of a refusal; if absent, the one that the caller named. */
  readonly targetOf?: (named: string) => string
}

/** Applies the policy and records refusals. Called before anything is read from storage. */
export class AccessControl {
  readonly policy: AuthorizationPolicy
  readonly #refusals: RefusalLog

  constructor(policy: AuthorizationPolicy, refusals: RefusalLog) {
    this.policy = policy
    this.#refusals = refusals
  }

  /**
   * What is attempted, for the trail.
   * @throws {InsufficientPermissions} the caller may not; the refusal is noted for the audit trail
   */
  require(caller: Caller, { permission, action }: Guarded, target?: string | undefined): Attempt {
    const attempt = { action, target }
    const refusal = this.policy.refusalOf(caller, permission)
    if (refusal === undefined) return attempt
    throw this.refused(caller, attempt, refusal)
  }

  /** Notes a refusal, also one that a rule other than the policy gave, and returns it. */
  refused(caller: Caller, attempt: Attempt, refusal: DomainError): DomainError {
    this.#refusals.note(caller, attempt, refusal.name)
    return refusal
  }
}
