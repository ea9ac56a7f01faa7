import type { Caller } from '../access/caller.ts'
import { InvalidInput } from '../errors.ts'
import { type Page, type PageRequest, stretchOf } from '../page.ts'
import { asEmailAddress } from '../subscriptions/email-address.ts'
import { problemWithText } from '../text.ts'
import { UseCase } from '../use-case.ts'
import type { User } from './user.ts'

export interface ListUsersCommand extends PageRequest {
  /** Part of the id, the name or the e-mail address. */
  readonly query?: string | undefined
  readonly role?: string | undefined
  /** Only those that are suspended, or only those that are not. */
  readonly suspended?: boolean | undefined
}

/** As long as the longest id. */
const LONGEST_QUERY = 255

export class ListUsersUseCase extends UseCase<'access' | 'domainNames' | 'reads', 'users'> {
  static readonly permission = 'users:read'
  static readonly action = 'user.read'

  /** @throws {InvalidInput} the limit, the query or the role is not valid */
  async execute({ query, role, suspended, ...request }: ListUsersCommand, caller: Caller): Promise<Page<User>> {
    const attempt = this.ports.access.require(caller, ListUsersUseCase)
    const problem = query === undefined ? undefined : problemWithText(query, LONGEST_QUERY)
    if (problem !== undefined) throw new InvalidInput([{ field: 'query', message: problem }])
    const { roles } = this.ports.access.policy
    if (role !== undefined && !roles.includes(role))
      throw new InvalidInput([{ field: 'role', message: `Use one of these roles: ${roles.join(', ')}.` }])
    const { users } = this.ports.readers
    // Addresses are stored in one spelling.
    const searched = asEmailAddress(query ?? '', this.ports.domainNames)?.value ?? (query || undefined)
    const page = await users.list({ ...stretchOf(request), query: searched, role, suspended })
    this.ports.reads.note(caller, attempt)
    if (suspended === undefined) return page
    // A host that does not know of suspensions lists all of them.
    return { ...page, items: page.items.filter(({ suspendedAt }) => (suspendedAt !== undefined) === suspended) }
  }
}
