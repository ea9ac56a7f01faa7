import type { Caller } from '../access/caller.ts'
import { InvalidInput } from '../errors.ts'
import type { DomainNames } from '../platform/domain-names.ts'
import type { Precondition } from '../precondition.ts'
import { readAll } from '../read-all.ts'
import { type EmailAddress, parseEmailAddress } from '../subscriptions/email-address.ts'
import { parsePersonName } from '../text.ts'
import { UseCase } from '../use-case.ts'
import { type ChangePort, changeUser } from './change-user.ts'
import { decidePut, type UserFacts } from './decide-user-change.ts'
import { type Provisioned, parseProvisioned } from './provisioned.ts'
import { parseUserId, type User, type UserId } from './user.ts'

export interface PutUserCommand {
  readonly userId: string
  readonly email: string
  readonly name: string
  readonly roles: readonly string[]
  /** What a directory says of it; kept if left out. */
  readonly provisioned?: Provisioned | undefined
  /** Whether a user that it creates is suspended from the first moment; one that is there stays as it is. */
  readonly suspended?: boolean | undefined
  readonly precondition?: Precondition<User> | undefined
}

export interface PutUserResult {
  readonly user: User
  readonly created: boolean
}

export class PutUserUseCase extends UseCase<ChangePort | 'clock' | 'domainNames'> {
  static readonly permission = 'users:write'
  static readonly action = 'user.put'

  /**
   * Creates the user, or replaces the one with this id.
   * @throws {InvalidInput} a field is not valid, or the id contains the e-mail address
   * @throws {UserDeleted} the id belonged to a deleted user
   * @throws {PreconditionFailed} the caller's condition does not hold
   * @throws {LastAdministrator} it would take the role from the last stored administrator
   * @throws {EmailTaken} another user has this address
   * @throws {UserNameTaken} another user has this name in the directory
   */
  async execute(command: PutUserCommand, caller: Caller): Promise<PutUserResult> {
    const { access, clock, domainNames } = this.ports
    const { userId, precondition, provisioned, suspended } = command
    let created = false
    const { user } = await changeUser(this.ports, PutUserUseCase, caller, userId, () => {
      const id = parseUserId(userId)
      const read = () => {
        const { email, directory, ...others } = readAll({
          email: () => parseUserEmail(id, command.email, domainNames),
          name: () => parsePersonName(command.name),
          roles: () => access.table.parseRoles(command.roles),
          directory: () => provisioned && { provisioned: parseProvisioned(provisioned) },
        })
        return { ...email, ...others, ...directory }
      }
      const decide = (facts: UserFacts) => {
        created = facts.user === undefined
        return decidePut(facts, { id, read, suspended, precondition }, clock.now())
      }
      return { decide, inUnit: provisioned !== undefined }
    })
    return { user, created }
  }
}

/**
 * The e-mail address of the user with this id.
 * @throws {InvalidInput} it is not valid, or the id contains it
 */
export const parseUserEmail = (
  id: UserId,
  text: string,
  domainNames: DomainNames,
): Pick<User, 'email' | 'emailKey'> => {
  const address = parseEmailAddress(text, domainNames)
  requireIdWithout(id, address)
  return { email: address.value, emailKey: address.key }
}

/**
 * An id outlives its user; an address inside it would, too.
 * @throws {InvalidInput} the id contains the address
 */
export const requireIdWithout = (id: UserId, { key }: EmailAddress): void => {
  const message = "Choose an id that does not contain the user's e-mail address."
  if (id.toLowerCase().includes(key)) throw new InvalidInput([{ field: 'id', message }])
}
