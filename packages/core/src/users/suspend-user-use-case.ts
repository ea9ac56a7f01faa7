import type { Caller } from '../access/caller.ts'
import type { Precondition } from '../precondition.ts'
import { UseCase } from '../use-case.ts'
import { type ChangePort, changeUser } from './change-user.ts'
import { decideResumption, decideSuspension } from './decide-user-change.ts'
import type { User } from './user.ts'
import type { MadeUserChange } from './user-changes.ts'

export interface SuspendUserCommand {
  readonly userId: string
  /** Why, for the trail; must not contain the user's name or address. */
  readonly reason?: string | undefined
  readonly precondition?: Precondition<User> | undefined
}

/** Takes access from a user, and keeps everything else. */
export class SuspendUserUseCase extends UseCase<ChangePort | 'clock'> {
  static readonly permission = 'users:suspend'
  static readonly action = 'user.suspend'

  /**
   * From its end on, all tokens of the user are refused on every instance. One that is suspended already stays as it is.
   * @throws {UserNotFound} there never was one
   * @throws {UserDeleted} it is deleted
   * @throws {PreconditionFailed} the caller's condition does not hold
   * @throws {InvalidInput} the reason is too long, or identifies the user
   * @throws {LastAdministrator} no stored administrator would be left
   * @throws {SuspensionNotKept} the host that keeps the users does not keep suspensions
   */
  async execute(command: SuspendUserCommand, caller: Caller): Promise<User> {
    return (await this.change(command, caller)).user
  }

  /** The same; also whether it was so already. */
  async change(command: SuspendUserCommand, caller: Caller): Promise<MadeUserChange> {
    return await changeUser(this.ports, SuspendUserUseCase, caller, command.userId, () => ({
      reason: command.reason,
      decide: (facts) => decideSuspension(facts, command, this.ports.clock.now()),
    }))
  }
}

export class ResumeUserUseCase extends UseCase<ChangePort | 'clock'> {
  static readonly permission = SuspendUserUseCase.permission
  static readonly action = 'user.resume'

  /**
   * Tokens that were issued up to now stay refused. One that is not suspended stays as it is.
   * @throws as suspending one, but for the last administrator
   */
  async execute(command: SuspendUserCommand, caller: Caller): Promise<User> {
    return (await this.change(command, caller)).user
  }

  /** The same; also whether it was so already. */
  async change(command: SuspendUserCommand, caller: Caller): Promise<MadeUserChange> {
    return await changeUser(this.ports, ResumeUserUseCase, caller, command.userId, () => ({
      reason: command.reason,
      decide: (facts) => decideResumption(facts, command, this.ports.clock.now()),
    }))
  }
}
