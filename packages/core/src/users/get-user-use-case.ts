import type { AccessControl } from '../access/access-control.ts'
import type { Caller } from '../access/caller.ts'
import { UserDeleted, UserNotFound } from '../errors.ts'
import type { UserReader } from '../ports/user-store.ts'
import type { User } from './user.ts'
import { asUserId } from './user-id.ts'

export class GetUserUseCase {
  readonly #access: AccessControl
  readonly #users: UserReader

  constructor(access: AccessControl, users: UserReader) {
    this.#access = access
    this.#users = users
  }

  /**
   * @throws {UserNotFound} no such user, or the caller may not know of it: the two cannot be told apart
   * @throws {UserDeleted} the id existed; told only to who may read users
   */
  async execute({ userId }: { readonly userId: string }, caller: Caller): Promise<User> {
    if (caller.id !== userId && !this.#access.policy.allows(caller, 'users:read')) {
      this.#access.refused(caller, { action: 'user.read', target: userId }, new UserNotFound())
      throw new UserNotFound()
    }
    const id = asUserId(userId)
    const user = id && (await this.#users.find(id))
    if (user) return user
    if (id && (await this.#users.standing(id)) === 'deleted') throw new UserDeleted()
    throw new UserNotFound()
  }
}
