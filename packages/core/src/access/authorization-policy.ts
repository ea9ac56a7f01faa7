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
  'events:read': { doing: 'Reading events', roles: ['admin'] },
  'feeds:read': { doing: 'Reading feeds', roles: ['admin', 'auditor'] },
  'feeds:write': { doing: 'Changing feeds', roles: ['admin'] },
  'keys:rotate': { doing: 'Rotating the signing keys', roles: ['admin'] },
  'outbox:read': { doing: 'Reading the outbox', roles: ['admin', 'auditor'] },
  'outbox:retry': { doing: 'Retrying undelivered mails and events', roles: ['admin'] },
  'subscriptions:export': { doing: 'Exporting subscriptions', roles: ['admin'] },
  'subscriptions:import': { doing: 'Importing subscriptions', roles: ['admin'] },
  'subscriptions:read': { doing: 'Reading subscriptions', roles: ['admin', 'auditor'] },
  'subscriptions:write': { doing: 'Changing subscriptions', roles: ['admin'] },
  'suppressions:lift': { doing: 'Lifting suppressions', roles: ['admin'] },
  'suppressions:read': { doing: 'Reading suppressions', roles: ['admin', 'auditor'] },
  'tokens:issue': { doing: 'Issuing tokens', roles: ['admin'] },
  'users:delete': { doing: 'Deleting users', roles: ['admin'] },
  'users:export': { doing: 'Exporting users', roles: ['admin'] },
  'users:read': { doing: 'Reading users', roles: ['admin', 'auditor'] },
  'users:restore': { doing: 'Restoring users', roles: ['admin'] },
  'users:write': { doing: 'Changing users', roles: ['admin'] },
  'webhooks:read': { doing: 'Reading webhooks', roles: ['admin'] },
  'webhooks:write': { doing: 'Changing webhooks', roles: ['admin'] },
} as const satisfies Record<string, PermissionRule>

export type Permission = keyof typeof STANDARD_PERMISSIONS

export type PermissionTable = Readonly<Record<Permission, PermissionRule>>

/** Authorization is data: a permission, and the roles that have it. A host service may bring its own table. */
export class AuthorizationPolicy {
  readonly #table: PermissionTable
  // One refusal for each permission, thrown again and again: to make one, with its stack, costs more than to decide.
  readonly #refusals = new Map<Permission, InsufficientPermissions>()
  /** Every role that the table knows. */
  readonly roles: readonly string[]

  constructor(table: PermissionTable = STANDARD_PERMISSIONS) {
    this.#table = table
    this.roles = [...new Set(Object.values(table).flatMap(({ roles }) => roles))].sort()
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
