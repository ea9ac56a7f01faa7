import type { Digests } from '../platform/digests.ts'
import type { User } from '../users/user.ts'

/** What the trail keeps of the roles of a user: it cannot be made for other roles without the secret. */
export const rolesHashOf = (digests: Digests, { id, roles }: Pick<User, 'id' | 'roles'>): string =>
  digests.hmac('user-roles', JSON.stringify([id, ...roles.toSorted()]))
