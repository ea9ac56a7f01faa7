import { ADMIN } from '../access/roles.ts'
import { LastAdministrator } from '../errors.ts'
import { isAdministrator, type User } from './user.ts'
import type { UserReader } from './user-store.ts'

/**
 * Stands before every change that takes the role, or the user, away. Only stored users count: an administrator known
 * by its token alone may be gone tomorrow.
 * @param leftBefore administrators that are still stored but count as gone
 * @throws {LastAdministrator} no other user has the role
 */
export const guardLastAdministrator = async (
  users: Pick<UserReader, 'countWithRole'>,
  leaving: User,
  leftBefore = 0,
): Promise<void> => {
  if (isAdministrator(leaving) && (await users.countWithRole(ADMIN)) - leftBefore <= 1) throw new LastAdministrator()
}
