import { InsufficientPermissions, InvalidInput } from '../errors.ts'
import type { Caller } from './caller.ts'

/** Which roles permit an action, and its name in a refusal. */
export interface PermissionRule {
  /** A gerund phrase that begins the sentence "... requires the 'admin' role." */
  readonly doing: string
  readonly roles: readonly string[]
}

/** The one table from permission to roles. */
export const STANDARD_PERMISSIONS = {
  'audit:read': { doing: 'Reading the audit trail', roles: ['admin', 'auditor'] },
  'deliverability:lift': { doing: 'Lifting undeliverable addresses', roles: ['admin'] },
  'deliverability:read': { doing: 'Reading undeliverable addresses', roles: ['admin', 'auditor'] },
  'events:read': { doing: 'Reading events', roles: ['admin', 'sender'] },
  'feedback:decide': { doing: 'Deciding on feedback that waits', roles: ['admin'] },
  'feedback:write': { doing: 'Reporting bounces and complaints', roles: ['admin', 'sender'] },
  'feeds:read': { doing: 'Reading feeds', roles: ['admin', 'auditor'] },
  'feeds:write': { doing: 'Changing feeds', roles: ['admin'] },
  'keys:rotate': { doing: 'Rotating keys', roles: ['admin'] },
  'outbox:read': { doing: 'Reading the outbox', roles: ['admin', 'auditor'] },
  'outbox:retry': { doing: 'Retrying undelivered mails and events', roles: ['admin'] },
  'recipients:read': { doing: 'Reading recipients', roles: ['admin', 'sender'] },
  'sessions:end': { doing: 'Ending sessions of the console', roles: ['admin'] },
  'sessions:read': { doing: 'Reading sessions of the console', roles: ['admin', 'auditor'] },
  'stats:read': { doing: 'Reading numbers', roles: ['admin', 'auditor'] },
  'subscriptions:export': { doing: 'Exporting subscriptions', roles: ['admin'] },
  'subscriptions:import': { doing: 'Importing subscriptions', roles: ['admin'] },
  'subscriptions:read': { doing: 'Reading subscriptions', roles: ['admin', 'auditor'] },
  'subscriptions:write': { doing: 'Changing subscriptions', roles: ['admin'] },
  'suppressions:check': { doing: 'Checking addresses', roles: ['admin', 'sender'] },
  'suppressions:import': { doing: 'Importing suppressions', roles: ['admin'] },
  'suppressions:lift': { doing: 'Lifting suppressions', roles: ['admin'] },
  'suppressions:read': { doing: 'Reading suppressions', roles: ['admin', 'auditor'] },
  'tokens:issue': { doing: 'Issuing tokens', roles: ['admin'] },
  'tokens:read': { doing: 'Reading the list of tokens', roles: ['admin'] },
  'tokens:revoke': { doing: 'Revoking tokens', roles: ['admin'] },
  'users:delete': { doing: 'Deleting users', roles: ['admin'] },
  'users:export': { doing: 'Exporting users', roles: ['admin'] },
  'users:import': { doing: 'Importing users', roles: ['admin'] },
  'users:read': { doing: 'Reading users', roles: ['admin', 'auditor'] },
  'users:restore': { doing: 'Restoring users', roles: ['admin'] },
  'users:suspend': { doing: 'Suspending and resuming users', roles: ['admin'] },
  'users:write': { doing: 'Changing users', roles: ['admin'] },
  'webhooks:read': { doing: 'Reading webhooks', roles: ['admin'] },
  'webhooks:write': { doing: 'Changing webhooks', roles: ['admin'] },
} as const satisfies Record<string, PermissionRule>

export type Permission = keyof typeof STANDARD_PERMISSIONS

/** A permission that a table of a host does not have is that of the standard one. */
export type PermissionTable = Readonly<Partial<Record<Permission, PermissionRule>>>

/** Authorization is data: a permission, and the roles that have it. A host service may bring its own table. */
export class AuthorizationPolicy {
  readonly #table: Readonly<Record<Permission, PermissionRule>>
  // One refusal for each permission, thrown again and again: to make one, with its stack, costs more than to decide.
  readonly #refusals = new Map<Permission, InsufficientPermissions>()
  /** Every role that the table knows. */
  readonly roles: readonly string[]

  constructor(table: PermissionTable = {}) {
    this.#table = { ...STANDARD_PERMISSIONS, ...table }
    this.roles = [...new Set(Object.values(this.#table).flatMap(({ roles }) => roles))].sort()
  }

  /**
   * Roles without repetition, in alphabetical order.
   * @throws {InvalidInput} one of them is not in the table
   */
  parseRoles(roles: readonly string[]): readonly string[] {
    if (roles.every((role) => this.roles.includes(role))) return [...new Set(roles)].sort()
    throw new InvalidInput([{ field: 'roles', message: `Use only these roles: ${this.roles.join(', ')}.` }])
  }

  /** The roles that have the permission. */
  rolesFor(permission: Permission): readonly string[] {
    return this.#table[permission].roles
  }

  allows(caller: Caller, permission: Permission): boolean {
    return this.rolesFor(permission).some((role) => caller.roles.includes(role))
  }

  /** @throws {InsufficientPermissions} the caller has none of the roles that may */
  require(caller: Caller, permission: Permission): void {
    const refusal = this.refusalOf(caller, permission)
    if (refusal !== undefined) throw refusal
  }

  /** What `require` would throw; the same error each time. */
  refusalOf(caller: Caller, permission: Permission): InsufficientPermissions | undefined {
    return this.allows(caller, permission) ? undefined : this.#refusal(permission)
  }

  #refusal(permission: Permission): InsufficientPermissions {
    let refusal = this.#refusals.get(permission)
    if (refusal === undefined) {
      const { doing, roles } = this.#table[permission]
      const names = roles.map((role) => `'${role}'`).join(' or ')
      refusal = new InsufficientPermissions(`${doing} requires the ${names} role.`)
      this.#refusals.set(permission, refusal)
    }
    return refusal
  }
}
