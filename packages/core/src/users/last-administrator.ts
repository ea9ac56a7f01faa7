import { ADMIN } from '../access/caller.ts'
import { isAdministrator, type User } from './user.ts'

/**
 * Asked before every change that takes the role, or the user, away, or suspends it. Only stored users count that are not
 * suspended: an administrator known by its token alone may be gone tomorrow.
 * @param leftBefore administrators that are still stored but count as gone
 */
export const isLastAdministrator = async (
  users: { countWithRole(role: string): Promise<number> },
  leaving: User,
  leftBefore = 0,
): Promise<boolean> => isAdministrator(leaving) && (await users.countWithRole(ADMIN)) - leftBefore <= 1
