import { ADMIN } from '../access/roles.ts'
import { LastAdministrator } from '../errors.ts'
import type { UserStore } from '../ports/user-store.ts'
import { isAdministrator, type User } from './user.ts'

/**
 * Stands before every change that takes the role, or the user, away. Only stored users count: an administrator known
 * by its token alone may be gone tomorrow.
 * @throws {LastAdministrator} nobody else has the role
 */
export const guardLastAdministrator = async (users: UserStore, leaving: User): Promise<void> => {
  if (isAdministrator(leaving) && (await users.countWithRole(ADMIN)) <= 1) throw new LastAdministrator()
}
