import type { AccessControl } from '../access/access-control.ts'
import type { Caller } from '../access/caller.ts'
import { InvalidInput } from '../errors.ts'
import { type Page, type PageRequest, stretchOf } from '../page.ts'
import type { UserReader } from '../ports/user-store.ts'
import { problemWithText } from '../text.ts'
import type { User } from './user.ts'

export interface ListUsersCommand extends PageRequest {
  /** Part of the id, the name or the e-mail address. */
  readonly query?: string | undefined
  readonly role?: string | undefined
}

/** As long as the longest id. */
const LONGEST_QUERY = 255

export class ListUsersUseCase {
  readonly #access: AccessControl
  readonly #users: UserReader

  constructor(access: AccessControl, users: UserReader) {
    this.#access = access
    this.#users = users
  }

  /** @throws {InvalidInput} the limit, the query or the role is none that could match */
  async execute({ query, role, ...request }: ListUsersCommand, caller: Caller): Promise<Page<User>> {
    this.#access.require(caller, 'users:read', { action: 'user.read' })
    const problem = query === undefined ? undefined : problemWithText(query, LONGEST_QUERY)
    if (problem !== undefined) throw new InvalidInput([{ field: 'query', message: problem }])
    const { roles } = this.#access.policy
    if (role !== undefined && !roles.includes(role))
      throw new InvalidInput([{ field: 'role', message: `Use one of these roles: ${roles.join(', ')}.` }])
    return await this.#users.list({ ...stretchOf(request), query: query || undefined, role })
  }
}
