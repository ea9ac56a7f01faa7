import type { Caller } from '../access/caller.ts'
import { InvalidInput } from '../errors.ts'
import { type Instant, parseDay } from '../instant.ts'
import { type Page, type SortedPage, type SortedPageRequest, sortedPage, sortedStretchOf } from '../page.ts'
import { readAll } from '../read-all.ts'
import { searchWords } from '../search-terms.ts'
import { UseCase } from '../use-case.ts'
import type { User } from './user.ts'
import type { InactiveFilter } from './user-store.ts'

export interface ListUsersCommand extends SortedPageRequest {
  /** Words, each the beginning of the id, of a word of the name, of the e-mail address or of its domain. */
  readonly query?: string | undefined
  readonly role?: string | undefined
  /** Only those that are suspended, or only those that are not. */
  readonly suspended?: boolean | undefined
  /** A day, as `2026-01-31`: only those who were neither seen nor created on it or later. The oldest are then the longest inactive. */
  readonly inactiveSince?: string | undefined
}

export class ListUsersUseCase extends UseCase<'access' | 'clock' | 'domainNames' | 'reads', 'users'> {
  static readonly permission = 'users:read'
  static readonly action = 'user.read'

  /** @throws {InvalidInput} the limit, the order, the query, the role or the day is not valid */
  async execute(
    { query, role, suspended, inactiveSince, ...request }: ListUsersCommand,
    caller: Caller,
  ): Promise<SortedPage<User>> {
    const attempt = await this.ports.access.require(caller, ListUsersUseCase)
    const { stretch, words, before } = readAll({
      stretch: () => sortedStretchOf(request),
      words: () => searchWords(query, this.ports.domainNames),
      role: () => this.#requireRole(role),
      before: () => (inactiveSince === undefined ? undefined : this.#readDay(inactiveSince, query)),
    })
    const filter = { ...stretch, role, suspended }
    const page =
      before === undefined
        ? await this.ports.readers.users.list({ ...filter, words })
        : await this.#listInactive({ ...filter, before })
    this.ports.reads.note(caller, attempt)
    const { items, ...rest } = sortedPage(stretch, page)
    // A host that does not know of suspensions lists all of them.
    const isWanted = ({ suspendedAt }: User) => suspended === undefined || (suspendedAt !== undefined) === suspended
    return { ...rest, items: items.filter(isWanted) }
  }

  #requireRole(role: string | undefined): void {
    const { roles } = this.ports.access.table
    if (role !== undefined && !roles.includes(role))
      throw new InvalidInput([{ field: 'role', message: `Use one of these roles: ${roles.join(', ')}.` }])
  }

  #readDay(since: string, query: string | undefined): Instant {
    if (query) throw notInactive('Leave out the query: inactive users are not searched by a text.')
    return parseDay(since, 'inactive_since', this.ports.clock.now())
  }

  async #listInactive(filter: InactiveFilter): Promise<Page<User>> {
    const { users } = this.ports.readers
    if (users.listInactive === undefined)
      throw notInactive('The host keeps these users itself, and does not keep when they were seen. Leave this out.')
    return await users.listInactive(filter)
  }
}

const notInactive = (message: string) => new InvalidInput([{ field: 'inactive_since', message }])
