import type { Caller } from '../access/caller.ts'
import { UserDeleted, UserNotFound } from '../errors.ts'
import { UseCase } from '../use-case.ts'
import { asUserId, type User } from './user.ts'
import type { UserReader } from './user-store.ts'

export class GetUserUseCase extends UseCase<'access', 'users'> {
  static readonly permission = 'users:read'
  static readonly action = 'user.read'

  /**
   * @throws {UserNotFound} no such user, or the caller may not know of it: the caller cannot distinguish the two
   * @throws {UserDeleted} the id existed; only for callers who may read users
   */
  async execute({ userId }: { readonly userId: string }, caller: Caller): Promise<User> {
    const { access, readers } = this.ports
    const { permission, action } = GetUserUseCase
    if (caller.id !== userId && !(await access.allows(caller, permission, userId)))
      throw access.refused(caller, { action, target: userId }, new UserNotFound())
    return await findUser(readers.users, userId)
  }
}

/**
 * @throws {UserNotFound} there never was such a user
 * @throws {UserDeleted} the id existed
 */
export const findUser = async (users: Pick<UserReader, 'find' | 'accountStatus'>, userId: string): Promise<User> => {
  const id = asUserId(userId)
  const user = id && (await users.find(id))
  if (user) return user
  throw id && (await users.accountStatus(id)) === 'deleted' ? new UserDeleted() : new UserNotFound()
}
