import type { Caller } from '../access/caller.ts'
import type { Precondition } from '../precondition.ts'
import { UseCase } from '../use-case.ts'
import { type ChangePort, changeUser } from './change-user.ts'
import { decideRoles } from './decide-user-change.ts'
import { PutUserUseCase } from './put-user-use-case.ts'
import type { User } from './user.ts'
import type { MadeUserChange } from './user-changes.ts'

export interface ChangeUserRolesCommand {
  readonly userId: string
  readonly add?: readonly string[] | undefined
  /** One that is added as well stays. */
  readonly remove?: readonly string[] | undefined
  /** Why, for the trail; must not contain the user's name or address. */
  readonly reason?: string | undefined
  readonly precondition?: Precondition<User> | undefined
}

/** Gives a user some roles and takes others, and keeps the rest. */
export class ChangeUserRolesUseCase extends UseCase<ChangePort | 'clock'> {
  static readonly permission = PutUserUseCase.permission
  static readonly action = PutUserUseCase.action

  /**
   * If nothing is different, nothing is stored or recorded.
   * @throws {InvalidInput} there is no such role, or the reason identifies the user
   * @throws {UserNotFound} there never was one
   * @throws {UserDeleted} it is deleted
   * @throws {PreconditionFailed} the caller's condition does not hold
   * @throws {LastAdministrator} it would take the role from the last stored administrator
   */
  async change(command: ChangeUserRolesCommand, caller: Caller): Promise<MadeUserChange> {
    const { access, clock } = this.ports
    return await changeUser(this.ports, ChangeUserRolesUseCase, caller, command.userId, () => {
      const { table } = access
      const { add = [], remove = [] } = command
      const order = { ...command, add: table.parseRoles(add, 'add'), remove: table.parseRoles(remove, 'remove') }
      return { reason: command.reason, decide: (facts) => decideRoles(facts, order, clock.now()) }
    })
  }
}
