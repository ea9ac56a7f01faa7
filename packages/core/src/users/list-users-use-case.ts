import type { Caller } from '../access/caller.ts'
import { InvalidInput } from '../errors.ts'
import { parseDay } from '../instant.ts'
import { type Page, type PageRequest, stretchOf } from '../page.ts'
import { asEmailAddress } from '../subscriptions/email-address.ts'
import { problemWithText } from '../text.ts'
import { UseCase } from '../use-case.ts'
import type { User } from './user.ts'
import type { UserFilter } from './user-store.ts'

export interface ListUsersCommand extends PageRequest {
  /** Part of the id, the name or the e-mail address. */
  readonly query?: string | undefined
  readonly role?: string | undefined
  /** Only those that are suspended, or only those that are not. */
  readonly suspended?: boolean | undefined
  /** A day, as `2026-01-31`: only those who were neither seen nor created on it or later, the longest inactive first. */
  readonly inactiveSince?: string | undefined
}

/** As long as the longest id. */
const LONGEST_QUERY = 255

export class ListUsersUseCase extends UseCase<'access' | 'clock' | 'domainNames' | 'reads', 'users'> {
  static readonly permission = 'users:read'
  static readonly action = 'user.read'

  /** @throws {InvalidInput} the limit, the query, the role or the day is not valid */
  async execute(
    { query, role, suspended, inactiveSince, ...request }: ListUsersCommand,
    caller: Caller,
  ): Promise<Page<User>> {
    const attempt = this.ports.access.require(caller, ListUsersUseCase)
    const problem = query === undefined ? undefined : problemWithText(query, LONGEST_QUERY)
    if (problem !== undefined) throw new InvalidInput([{ field: 'query', message: problem }])
    const { roles } = this.ports.access.policy
    if (role !== undefined && !roles.includes(role))
      throw new InvalidInput([{ field: 'role', message: `Use one of these roles: ${roles.join(', ')}.` }])
    const { users } = this.ports.readers
    // Addresses are stored in one spelling.
    const searched = asEmailAddress(query ?? '', this.ports.domainNames)?.value ?? (query || undefined)
    const filter = { ...stretchOf(request), role, suspended }
    const page =
      inactiveSince === undefined
        ? await users.list({ ...filter, query: searched })
        : await this.#listInactive(inactiveSince, { ...filter, query: searched })
    this.ports.reads.note(caller, attempt)
    if (suspended === undefined) return page
    // A host that does not know of suspensions lists all of them.
    return { ...page, items: page.items.filter(({ suspendedAt }) => (suspendedAt !== undefined) === suspended) }
  }

  async #listInactive(since: string, { query, ...filter }: UserFilter): Promise<Page<User>> {
    const refuse = (message: string) => new InvalidInput([{ field: 'inactive_since', message }])
    const before = parseDay(since, 'inactive_since', this.ports.clock.now())
    if (query !== undefined) throw refuse('Leave out the query: inactive users are not searched by a text.')
    const { users } = this.ports.readers
    if (users.listInactive === undefined)
      throw refuse('The host keeps these users itself, and does not keep when they were seen. Leave this out.')
    return await users.listInactive({ ...filter, before })
  }
}
