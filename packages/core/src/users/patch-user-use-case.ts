import type { Caller } from '../access/caller.ts'
import { LastAdministrator, PreconditionFailed, UserDeleted, UserNotFound } from '../errors.ts'
import type { Precondition } from '../precondition.ts'
import { readGiven } from '../read-all.ts'
import { parsePersonName } from '../text.ts'
import type { Stores } from '../unit-of-work.ts'
import { UseCase } from '../use-case.ts'
import { PutUserUseCase, parseUserEmail, storeUser } from './put-user-use-case.ts'
import { asUserId, type User } from './user.ts'

/** A field that is not given stays as it is. */
export interface PatchUserCommand {
  readonly userId: string
  readonly email?: string | undefined
  readonly name?: string | undefined
  readonly roles?: readonly string[] | undefined
  readonly precondition?: Precondition<User> | undefined
}

export class PatchUserUseCase extends UseCase<'access' | 'unitOfWork' | 'trail' | 'clock' | 'domainNames'> {
  static readonly permission = PutUserUseCase.permission
  static readonly action = PutUserUseCase.action

  /**
   * Changes some fields of a user; where none of them is different, nothing is stored or recorded.
   * @throws {UserNotFound} there never was one
   * @throws {UserDeleted} the id belonged to a deleted user
   * @throws {PreconditionFailed} the caller's condition does not hold
   * @throws {InvalidInput} a field is not valid, or the id contains the e-mail address
   * @throws {LastAdministrator} it would take the role from the last stored administrator
   * @throws {EmailTaken} another user has this address
   */
  async execute(command: PatchUserCommand, caller: Caller): Promise<User> {
    const attempt = this.ports.access.require(caller, PatchUserUseCase, command.userId)
    try {
      return await this.ports.unitOfWork.run(async (stores) => {
        const current = await this.#find(stores, command)
        const changed = this.#changed(current, command)
        if (changed === undefined) return current
        await storeUser(stores, changed, current)
        await this.ports.trail.done(stores.audit, caller, attempt, undefined, changed)
        return changed
      })
    } catch (error) {
      if (error instanceof LastAdministrator) this.ports.access.refused(caller, attempt, error)
      throw error
    }
  }

  async #find({ users, tombstones }: Stores, { userId, precondition }: PatchUserCommand): Promise<User> {
    const id = asUserId(userId)
    if (id && (await tombstones.has(id))) throw new UserDeleted()
    const current = id && (await users.find(id))
    if (!current) throw new UserNotFound()
    if (precondition?.(current) === false) throw new PreconditionFailed()
    return current
  }

  #changed(current: User, given: PatchUserCommand): User | undefined {
    const { email, ...fields } = readGiven(given, {
      email: (text) => parseUserEmail(current.id, text, this.ports.domainNames),
      name: parsePersonName,
      roles: (roles) => this.ports.access.policy.parseRoles(roles),
    })
    const user = { ...current, ...email, ...fields }
    return JSON.stringify(user) === JSON.stringify(current) ? undefined : { ...user, updatedAt: this.ports.clock.now() }
  }
}
