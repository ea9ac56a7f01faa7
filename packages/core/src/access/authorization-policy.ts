import { InvalidInput } from '../errors.ts'
import { type Caller, PROVISIONER } from './caller.ts'

/** Which roles permit an action, and its name in a refusal. */
export interface PermissionRule {
  /** A gerund phrase that begins the sentence "... requires the 'admin' role." */
  readonly doing: string
  readonly roles: readonly string[]
  /** The roles that permit it over SCIM, if `roles` do not count; none if absent. */
  readonly overScim?: readonly string[]
}

const overScim = [PROVISIONER] as const

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
  'subscriptions:request': { doing: 'Signing up visitors', roles: ['admin', 'form'] },
  'subscriptions:write': { doing: 'Changing subscriptions', roles: ['admin'] },
  'suppressions:check': { doing: 'Checking addresses', roles: ['admin', 'sender'] },
  'suppressions:import': { doing: 'Importing suppressions', roles: ['admin'] },
  'suppressions:lift': { doing: 'Lifting suppressions', roles: ['admin'] },
  'suppressions:read': { doing: 'Reading suppressions', roles: ['admin', 'auditor'] },
  'tokens:issue': { doing: 'Issuing tokens', roles: ['admin'] },
  'tokens:read': { doing: 'Reading the list of tokens', roles: ['admin'] },
  'tokens:revoke': { doing: 'Revoking tokens', roles: ['admin'] },
  'users:delete': { doing: 'Deleting users', roles: ['admin'], overScim },
  'users:export': { doing: 'Exporting users', roles: ['admin'] },
  'users:import': { doing: 'Importing users', roles: ['admin'] },
  'users:read': { doing: 'Reading users', roles: ['admin', 'auditor'], overScim },
  'users:restore': { doing: 'Restoring users', roles: ['admin'] },
  'users:suspend': { doing: 'Suspending and resuming users', roles: ['admin'], overScim },
  'users:write': { doing: 'Changing users', roles: ['admin'], overScim },
  'webhooks:read': { doing: 'Reading webhooks', roles: ['admin'] },
  'webhooks:write': { doing: 'Changing webhooks', roles: ['admin'] },
} as const satisfies Record<string, PermissionRule>

export type Permission = keyof typeof STANDARD_PERMISSIONS

/** A permission that a table of a host does not have is that of the standard one. */
export type PermissionTable = Readonly<Partial<Record<Permission, PermissionRule>>>

export interface PermissionQuestion {
  readonly caller: Caller
  readonly permission: Permission
  /** What the request names, such as the id of a user: unchecked, and nothing of it is looked up. Lists and exports have none. */
  readonly target?: string | undefined
}

/** `because` is for the caller: one sentence that says what it takes. */
export type Decision = { readonly allowed: true } | { readonly allowed: false; readonly because: string }

export interface AuthorizationPolicy {
  /**
   * Asked before anything of the request is looked up here. It may look up what the host knows: its answer may be older
   * than what is written then. What it throws refuses the request as a defect does.
   */
  decide(question: PermissionQuestion): Decision | Promise<Decision>
}

/** The standard policy: a table of permissions, and the roles that have them. */
export class TablePolicy implements AuthorizationPolicy {
  readonly #table: Readonly<Record<Permission, PermissionRule>>
  readonly roles: readonly string[]

  constructor(table: PermissionTable = {}) {
    this.#table = { ...STANDARD_PERMISSIONS, ...table }
    const every = Object.values(this.#table).flatMap(({ roles, overScim = [] }) => [...roles, ...overScim])
    this.roles = [...new Set(every)].sort()
  }

  /**
   * Roles without repetition, in alphabetical order.
   * @throws {InvalidInput} one of them is not in the table
   */
  parseRoles(roles: readonly string[], field = 'roles'): readonly string[] {
    if (roles.every((role) => this.roles.includes(role))) return [...new Set(roles)].sort()
    throw new InvalidInput([{ field, message: `Use only these roles: ${this.roles.join(', ')}.` }])
  }

  /** The roles that have the permission, but for those that have it over SCIM. */
  rolesFor(permission: Permission): readonly string[] {
    return this.#table[permission].roles
  }

  decide({ caller, permission }: PermissionQuestion): Decision {
    const rule = this.#table[permission]
    const isScim = caller.channel === 'scim'
    const roles = isScim ? (rule.overScim ?? []) : rule.roles
    if (roles.some((role) => caller.roles.includes(role))) return ALLOWED
    const doing = isScim ? `${rule.doing} over SCIM` : rule.doing
    if (roles.length === 0) return { allowed: false, because: `${doing} is not possible.` }
    return { allowed: false, because: `${doing} requires the ${roles.map((role) => `'${role}'`).join(' or ')} role.` }
  }
}

const ALLOWED: Decision = { allowed: true }
