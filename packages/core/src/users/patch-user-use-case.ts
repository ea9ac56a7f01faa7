import type { Caller } from '../access/caller.ts'
import { UserNotFound } from '../errors.ts'
import type { Precondition } from '../precondition.ts'
import { readGiven } from '../read-all.ts'
import { parsePersonName } from '../text.ts'
import { UseCase } from '../use-case.ts'
import { type ChangePort, changeUser } from './change-user.ts'
import { decidePatch, type UserFacts } from './decide-user-change.ts'
import { type Provisioned, parseProvisioned } from './provisioned.ts'
import { PutUserUseCase, parseUserEmail } from './put-user-use-case.ts'
import type { User } from './user.ts'

/** A field that is not given stays as it is. */
export interface PatchUserCommand {
  readonly userId: string
  readonly email?: string | undefined
  readonly name?: string | undefined
  readonly roles?: readonly string[] | undefined
  /** All that a directory says of it. */
  readonly provisioned?: Provisioned | undefined
  readonly precondition?: Precondition<User> | undefined
}

export class PatchUserUseCase extends UseCase<ChangePort | 'clock' | 'domainNames'> {
  static readonly permission = PutUserUseCase.permission
  static readonly action = PutUserUseCase.action

  /**
   * Changes some fields of a user; if none of them is different, nothing is stored or recorded.
   * @throws {InvalidInput} a field is not valid, or the id contains the e-mail address
   * @throws {UserNotFound} there never was one
   * @throws {UserDeleted} the id belonged to a deleted user
   * @throws {PreconditionFailed} the caller's condition does not hold
   * @throws {LastAdministrator} it would take the role from the last stored administrator
   * @throws {EmailTaken} another user has this address
   * @throws {UserNameTaken} another user has this name in the directory
   */
  async execute(command: PatchUserCommand, caller: Caller): Promise<User> {
    const { access, clock, domainNames } = this.ports
    const { precondition } = command
    const { user } = await changeUser(this.ports, PatchUserUseCase, caller, command.userId, (id) => {
      if (id === undefined) throw new UserNotFound()
      const read = () => {
        const { email, ...others } = readGiven(command, {
          email: (text) => parseUserEmail(id, text, domainNames),
          name: parsePersonName,
          roles: (roles) => access.table.parseRoles(roles),
          provisioned: parseProvisioned,
        })
        return { ...email, ...others }
      }
      const decide = (facts: UserFacts) => decidePatch(facts, { read, precondition }, clock.now())
      return { decide, inUnit: command.provisioned !== undefined }
    })
    return user
  }
}
