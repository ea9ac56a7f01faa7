import { describe, expect, it } from 'vitest'
import { openMemoryService } from '../memory/index.ts'
import { type Caller, operator, type Permission, STANDARD_PERMISSIONS, TablePolicy } from '../src/index.ts'
import { ADMIN, AUDITOR, caller, NO_ROLES } from './cast.ts'

const policy = new TablePolicy()
const permissions = Object.keys(STANDARD_PERMISSIONS) as Permission[]
const refusalOf = (permission: Permission, who = NO_ROLES): string => {
  const decision = policy.decide({ caller: who, permission })
  return decision.allowed ? 'allowed' : decision.because
}
const allows = (who: Caller, permission: Permission, by = policy) => by.decide({ caller: who, permission }).allowed

describe('the authorization policy', () => {
  it('says in one sentence what requires which role', () => {
    expect(refusalOf('users:delete')).toBe("Deleting users requires the 'admin' role.")
    expect(refusalOf('users:write')).toBe("Changing users requires the 'admin' role.")
    expect(refusalOf('users:read')).toBe("Reading users requires the 'admin' or 'auditor' role.")
    expect(refusalOf('users:delete', AUDITOR)).toBe("Deleting users requires the 'admin' role.")
  })

  it('lets an admin and an operator do everything', () => {
    for (const permission of permissions) {
      expect(refusalOf(permission, ADMIN)).toBe('allowed')
      expect(refusalOf(permission, operator('root'))).toBe('allowed')
    }
  })

  it('lets an auditor read everything but what is for other systems and what tokens there are, and do nothing else', () => {
    const allowed = permissions.filter((permission) => allows(AUDITOR, permission))
    expect(allowed).toEqual(
      permissions.filter(
        (permission) => permission.endsWith(':read') && !/^(?:events|recipients|tokens|webhooks):/.test(permission),
      ),
    )
  })

  it('lets a sender read its recipients and report what came back, and nothing else', () => {
    const allowed = permissions.filter((permission) => allows(caller('mailer', 'sender'), permission))
    expect(allowed).toEqual(['events:read', 'feedback:write', 'recipients:read', 'suppressions:check'])
  })

  it('lets a directory read, change, suspend and delete users over SCIM, and nobody do anything else there', () => {
    const overScim = (...roles: string[]): Caller => ({ ...caller('entra', ...roles), channel: 'scim' })
    const users = ['users:delete', 'users:read', 'users:suspend', 'users:write']
    expect(permissions.filter((permission) => allows(overScim('provisioner'), permission))).toEqual(users)
    for (const permission of permissions) {
      expect(allows(caller('entra', 'provisioner'), permission)).toBe(false)
      expect(allows(overScim('admin', 'auditor', 'sender'), permission)).toBe(false)
    }
    expect(refusalOf('users:delete', overScim('admin'))).toBe(
      "Deleting users over SCIM requires the 'provisioner' role.",
    )
    expect(refusalOf('keys:rotate', overScim('admin'))).toBe('Rotating keys over SCIM is not possible.')
  })

  it('permits nothing to others: a role counts by its exact name', () => {
    const others = [
      NO_ROLES,
      caller('x', 'Admin'),
      caller('x', 'admin '),
      caller('x', 'administrator'),
      caller('admin', 'user'),
    ]
    for (const permission of permissions) for (const who of others) expect(allows(who, permission)).toBe(false)
  })

  it('can be replaced by another table', () => {
    const own = { 'users:delete': { doing: 'Removing people', roles: ['owner', 'hr'] } }
    const theirs = new TablePolicy(own)
    expect(theirs.roles).toEqual(['admin', 'auditor', 'form', 'hr', 'owner', 'provisioner', 'sender'])
    expect(allows(caller('x', 'hr'), 'users:delete', theirs)).toBe(true)
    expect(allows(ADMIN, 'users:read', theirs)).toBe(true)
    const because = "Removing people requires the 'owner' or 'hr' role."
    expect(theirs.decide({ caller: ADMIN, permission: 'users:delete' })).toEqual({ allowed: false, because })
  })

  it('says for a page what a caller may do, and for documents who may', async () => {
    const { access } = openMemoryService().useCases
    for (const who of [ADMIN, AUDITOR, NO_ROLES])
      expect([...(await access.permitted(who))]).toEqual(permissions.filter((permission) => allows(who, permission)))
    expect([policy.rolesFor('users:read'), policy.rolesFor('users:delete')]).toEqual([['admin', 'auditor'], ['admin']])
  })

  it('knows its roles, and no others are taken', () => {
    expect(policy.roles).toEqual(['admin', 'auditor', 'form', 'provisioner', 'sender'])
    expect(policy.parseRoles(['auditor', 'admin', 'auditor'])).toEqual(['admin', 'auditor'])
    expect(policy.parseRoles([])).toEqual([])
    const message = expect.stringContaining(policy.roles.join(', '))
    expect(() => policy.parseRoles(['admin', 'root'])).toThrow(
      expect.objectContaining({ details: [{ field: 'roles', message }] }),
    )
  })
})
