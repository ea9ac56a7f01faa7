import type { Caller } from '../access/caller.ts'
import { UseCase } from '../use-case.ts'
import { GetUserUseCase } from './get-user-use-case.ts'
import { userNameKey } from './provisioned.ts'
import type { User } from './user.ts'
import type { ProvisionedFilter } from './user-store.ts'

export interface ListProvisionedUsersCommand extends ProvisionedFilter {
  /** As the directory writes it. */
  readonly userName?: string | undefined
  /** How many of them come before. */
  readonly offset: number
  /** May be 0. */
  readonly limit: number
}

export interface ProvisionedUsers {
  readonly items: readonly User[]
  readonly total: number
}

export class ListProvisionedUsersUseCase extends UseCase<'access' | 'reads', 'users'> {
  static readonly permission = GetUserUseCase.permission
  static readonly action = GetUserUseCase.action

  /** @throws {InsufficientPermissions} */
  async execute({ offset, limit, ...filter }: ListProvisionedUsersCommand, caller: Caller): Promise<ProvisionedUsers> {
    const attempt = await this.ports.access.require(caller, ListProvisionedUsersUseCase)
    const { users } = this.ports.readers
    const { userName } = filter
    const sought = { ...filter, userName: userName === undefined ? undefined : userNameKey(userName) }
    const total = await users.countProvisioned?.(sought)
    if (total === undefined) throw new TypeError('A host that keeps its users itself lists them itself.')
    const items = limit === 0 ? [] : await users.listProvisioned?.(sought, offset, limit)
    this.ports.reads.note(caller, attempt)
    return { items: items ?? [], total }
  }
}
