import type { Caller } from '../access/caller.ts'
import { InvalidInput, LastAdministrator, PreconditionFailed, UserDeleted } from '../errors.ts'
import type { EventType } from '../events/event-store.ts'
import type { DomainNames } from '../platform/domain-names.ts'
import type { Precondition } from '../precondition.ts'
import { readAll } from '../read-all.ts'
import { type EmailAddress, parseEmailAddress } from '../subscriptions/email-address.ts'
import { parsePersonName } from '../text.ts'
import type { Stores } from '../unit-of-work.ts'
import { UseCase } from '../use-case.ts'
import { isLastAdministrator } from './last-administrator.ts'
import { isAdministrator, parseUserId, type User, type UserId } from './user.ts'

export interface PutUserCommand {
  readonly userId: string
  readonly email: string
  readonly name: string
  readonly roles: readonly string[]
  readonly precondition?: Precondition<User> | undefined
}

export interface PutUserResult {
  readonly user: User
  readonly created: boolean
}

export class PutUserUseCase extends UseCase<'access' | 'unitOfWork' | 'trail' | 'clock' | 'domainNames'> {
  static readonly permission = 'users:write'
  static readonly action = 'user.put'

  /**
   * Creates the user, or replaces the one with this id.
   * @throws {UserDeleted} the id belonged to a deleted user
   * @throws {PreconditionFailed} the caller's condition does not hold
   * @throws {InvalidInput} a field is not valid, or the id contains the e-mail address
   * @throws {LastAdministrator} it would take the role from the last stored administrator
   * @throws {EmailTaken} another user has this address
   */
  async execute(command: PutUserCommand, caller: Caller): Promise<PutUserResult> {
    const attempt = this.ports.access.require(caller, PutUserUseCase, command.userId)
    try {
      return await this.ports.unitOfWork.run(async (stores) => {
        const result = await this.#put(stores, command)
        await this.ports.trail.done(stores.audit, caller, attempt, undefined, result.user)
        return result
      })
    } catch (error) {
      if (error instanceof LastAdministrator) this.ports.access.refused(caller, attempt, error)
      throw error
    }
  }

  async #put(stores: Stores, command: PutUserCommand): Promise<PutUserResult> {
    const { users, tombstones } = stores
    const id = parseUserId(command.userId)
    if (await tombstones.has(id)) throw new UserDeleted()
    const current = await users.find(id)
    if (command.precondition?.(current) === false) throw new PreconditionFailed()
    const { email, ...fields } = readAll({
      email: () => parseUserEmail(id, command.email, this.ports.domainNames),
      name: () => parsePersonName(command.name),
      roles: () => this.ports.access.policy.parseRoles(command.roles),
    })
    const now = this.ports.clock.now()
    const user: User = { ...(current ?? { id, createdAt: now }), ...email, ...fields, updatedAt: now }
    await storeUser(stores, user, current)
    return { user, created: current === undefined }
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

/**
 * Stores the user in place of `current`, with the event of that.
 * @throws {LastAdministrator} the last stored administrator would not be one any more
 * @throws {EmailTaken} another user has this address
 */
export const storeUser = async (
  { users, events }: Pick<Stores, 'users' | 'events'>,
  user: User,
  current: User | undefined,
  type: EventType = current ? 'user.updated' : 'user.created',
): Promise<void> => {
  if (current && !isAdministrator(user) && (await isLastAdministrator(users, current))) throw new LastAdministrator()
  await users.put(user)
  await events.append({ type, subject: user.id, at: user.updatedAt })
}
