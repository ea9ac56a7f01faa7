import type { Caller } from '../access/caller.ts'
import type { Dependencies } from '../dependencies.ts'
import { UserDeleted, UserNotFound } from '../errors.ts'
import type { Readers } from '../storage/readers.ts'
import type { User } from './user.ts'
import { asUserId } from './user-id.ts'

type Needs = Pick<Dependencies, 'access'> & { readonly readers: Pick<Readers, 'users'> }

export class GetUserUseCase {
  static readonly permission = 'users:read'
  static readonly action = 'user.read'
  readonly #ports: Needs

  constructor(ports: Needs) {
    this.#ports = ports
  }

  /**
   * @throws {UserNotFound} no such user, or the caller may not know of it: the caller cannot distinguish the two
   * @throws {UserDeleted} the id existed; only for callers who may read users
   */
  async execute({ userId }: { readonly userId: string }, caller: Caller): Promise<User> {
    if (caller.id !== userId && !this.#ports.access.policy.allows(caller, GetUserUseCase.permission)) {
      this.#ports.access.refused(caller, { action: GetUserUseCase.action, target: userId }, new UserNotFound())
      throw new UserNotFound()
    }
    const id = asUserId(userId)
    const user = id && (await this.#ports.readers.users.find(id))
    if (user) return user
    if (id && (await this.#ports.readers.users.accountStatus(id)) === 'deleted') throw new UserDeleted()
    throw new UserNotFound()
  }
}
