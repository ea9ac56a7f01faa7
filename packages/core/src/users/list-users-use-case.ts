import type { Caller } from '../access/caller.ts'
import { InvalidInput } from '../errors.ts'
import { type SortedPage, type SortedPageRequest, sortedPage, sortedStretchOf } from '../page.ts'
import { readAll } from '../read-all.ts'
import { searchWords } from '../search-terms.ts'
import { UseCase } from '../use-case.ts'
import type { User } from './user.ts'

export interface ListUsersCommand extends SortedPageRequest {
  /** Words, each the beginning of the id, of a word of the name, of the e-mail address or of its domain. */
  readonly query?: string | undefined
  readonly role?: string | undefined
  /** Only those that are suspended, or only those that are not. */
  readonly suspended?: boolean | undefined
}

export class ListUsersUseCase extends UseCase<'access' | 'domainNames' | 'reads', 'users'> {
  static readonly permission = 'users:read'
  static readonly action = 'user.read'

  /** @throws {InvalidInput} the limit, the order, the query or the role is not valid */
  async execute({ query, role, suspended, ...request }: ListUsersCommand, caller: Caller): Promise<SortedPage<User>> {
    const attempt = this.ports.access.require(caller, ListUsersUseCase)
    const { stretch, words } = readAll({
      stretch: () => sortedStretchOf(request),
      words: () => searchWords(query, this.ports.domainNames),
      role: () => this.#requireRole(role),
    })
    const page = await this.ports.readers.users.list({ ...stretch, words, role, suspended })
    this.ports.reads.note(caller, attempt)
    const { items, ...rest } = sortedPage(stretch, page)
    // A host that does not know of suspensions lists all of them.
    const isWanted = ({ suspendedAt }: User) => suspended === undefined || (suspendedAt !== undefined) === suspended
    return { ...rest, items: items.filter(isWanted) }
  }

  #requireRole(role: string | undefined): void {
    const { roles } = this.ports.access.policy
    if (role !== undefined && !roles.includes(role))
      throw new InvalidInput([{ field: 'role', message: `Use one of these roles: ${roles.join(', ')}.` }])
  }
}
