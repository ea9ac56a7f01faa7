import { InvalidInput } from '../errors.ts'
import type { AuthorizationPolicy } from './authorization-policy.ts'

export const ADMIN = 'admin'

/**
 * Roles without repetition, in alphabetical order.
 * @throws {InvalidInput} one of them is not in the policy's table
 */
export const parseRoles = (roles: readonly string[], policy: AuthorizationPolicy): readonly string[] => {
  const unknown = roles.find((role) => !policy.roles.includes(role))
  if (unknown === undefined) return [...new Set(roles)].sort()
  throw new InvalidInput([{ field: 'roles', message: `Use only these roles: ${policy.roles.join(', ')}.` }])
}
