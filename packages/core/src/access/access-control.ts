import { type DomainError, type DomainErrorName, InsufficientPermissions } from '../errors.ts'
import {
  type AuthorizationPolicy,
  type Permission,
  STANDARD_PERMISSIONS,
  type TablePolicy,
} from './authorization-policy.ts'
import type { Caller } from './caller.ts'

/** What was done, or attempted: `<thing>.<action>`. One that is no longer recorded stays: trails have it. */
export const AUDIT_ACTIONS = [
  'audit.read',
  'database.restore',
  'event.read',
  'deliverability.lift',
  'deliverability.read',
  'feed.delete',
  'feed.preview',
  'feed.put',
  'feed.read',
  'feedback.accept',
  'feedback.drop',
  'feedback.read',
  'feedback.record',
  'key.rotate',
  'outbox.read',
  'outbox.retry',
  'recipient.check',
  'recipient.read',
  'secret.rotate',
  'session.begin',
  'session.end',
  'session.link',
  'session.read',
  'stats.read',
  'subscription.confirm',
  'subscription.end',
  'subscription.erase',
  'subscription.export',
  'subscription.explain',
  'subscription.import',
  'subscription.move',
  'subscription.read',
  'subscription.request',
  'suppression.check',
  'suppression.import',
  'suppression.lift',
  'suppression.read',
  'token.issue',
  'token.read',
  'token.revoke',
  'user.delete',
  'user.erase',
  'user.export',
  'user.import',
  'user.put',
  'user.read',
  'user.record',
  'user.restore',
  'user.resume',
  'user.suspend',
  'webhook.delete',
  'webhook.disable',
  'webhook.put',
  'webhook.read',
  'webhook.redeliver',
  'webhook.rotate',
  'webhook.test',
] as const
export type AuditAction = (typeof AUDIT_ACTIONS)[number]

/** What was attempted, for the trail. */
export interface Attempt {
  readonly action: AuditAction
  readonly target?: string | undefined
}

/** The permission that a use case needs, declared once for itself, the routes and the OpenAPI document. */
export interface Guarded {
  readonly permission: Permission
  /** Its name in the audit trail. */
  readonly action: AuditAction
  /** The target in the record of a refusal; if absent, the one that the caller named. */
  readonly targetOf?: (named: string) => string
}

interface Refusals {
  note(caller: Caller, attempt: Attempt, outcome: DomainErrorName): void
}

/** Applies the policy and records refusals. Called before anything is read from storage. */
export class AccessControl {
  /** The roles that there are, and what the documentation says of them. */
  readonly table: TablePolicy
  readonly #policy: AuthorizationPolicy
  readonly #refusals: Refusals
  readonly #required = new WeakMap<Caller, { readonly guarded: Guarded; readonly attempt: Attempt }>()

  constructor(table: TablePolicy, refusals: Refusals, policy: AuthorizationPolicy = table) {
    this.table = table
    this.#policy = policy
    this.#refusals = refusals
  }

  /**
   * Requires a permission. Gives what is attempted, for the trail.
   * @throws {InsufficientPermissions} the caller may not; the refusal is noted for the audit trail
   */
  async require(caller: Caller, guarded: Guarded, target?: string | undefined): Promise<Attempt> {
    const { permission, action } = guarded
    const known = this.#required.get(caller)
    this.#required.delete(caller)
    if (known?.guarded === guarded && known.attempt.target === target) return known.attempt
    const attempt = { action, target }
    const refusal = await this.refusalOf(caller, permission, target)
    if (refusal === undefined) return attempt
    throw this.refused(caller, attempt, refusal)
  }

  /**
   * The same, for an adapter that must refuse before it reads a body. The answer holds for the use case that follows, once:
   * the same question of the same caller is not asked again.
   */
  async requireFirst(caller: Caller, guarded: Guarded, target?: string | undefined): Promise<void> {
    this.#required.set(caller, { guarded, attempt: await this.require(caller, guarded, target) })
  }

  /** Why the caller may not; undefined if it may. Nothing is noted. */
  async refusalOf(
    caller: Caller,
    permission: Permission,
    target?: string | undefined,
  ): Promise<InsufficientPermissions | undefined> {
    const decision = await this.#policy.decide({ caller, permission, target })
    return decision.allowed ? undefined : new InsufficientPermissions(decision.because)
  }

  /** Whether the caller may; nothing is noted. */
  async allows(caller: Caller, permission: Permission, target?: string | undefined): Promise<boolean> {
    return (await this.#policy.decide({ caller, permission, target })).allowed
  }

  /** What the caller may do to no target in particular: what a console has to show. */
  async permitted(caller: Caller): Promise<ReadonlySet<Permission>> {
    const all = Object.keys(STANDARD_PERMISSIONS) as Permission[]
    const allowed = await Promise.all(all.map((permission) => this.allows(caller, permission)))
    return new Set(all.filter((_, n) => allowed[n]))
  }

  /** Notes a refusal, also one that a rule other than the policy gave, and returns it. */
  refused(caller: Caller, attempt: Attempt, refusal: DomainError): DomainError {
    this.#refusals.note(caller, attempt, refusal.name)
    return refusal
  }
}
