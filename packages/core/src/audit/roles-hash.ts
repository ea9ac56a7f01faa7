import type { Digests } from '../platform/digests.ts'
import type { User } from '../users/user.ts'

type Access = Pick<User, 'id' | 'roles' | 'suspendedAt'>

/**
 * What the trail keeps of the roles of a user, and of its suspension: it cannot be made for others without the secret.
 * The time of a suspension is there only if there is one, so that what was kept before stays true.
 */
export const rolesHashOf = (digests: Digests, { id, roles, suspendedAt }: Access): string =>
  digests.hmac(
    'user-roles',
    JSON.stringify([id, ...roles.toSorted(), ...(suspendedAt === undefined ? [] : [suspendedAt])]),
  )
