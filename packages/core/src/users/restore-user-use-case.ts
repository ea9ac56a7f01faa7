import type { Caller } from '../access/caller.ts'
import { runFor } from '../access/run-for.ts'
import { EmailTaken, UserDeleted, UserNameTaken, UserNotFound } from '../errors.ts'
import { type Precondition, requireCondition } from '../precondition.ts'
import { subscriptionTerms } from '../search-terms.ts'
import type { Stores } from '../unit-of-work.ts'
import { UseCase } from '../use-case.ts'
import { requireKept } from './change-user.ts'
import { userNameKey } from './provisioned.ts'
import { asUserId, type HeldUser, parseDeletionReason, refusedUpTo, type User } from './user.ts'
import type { MadeUserChange } from './user-changes.ts'

export interface RestoreUserCommand {
  readonly userId: string
  /** Why, for the trail; must not contain the user's name or address. */
  readonly reason?: string | undefined
  readonly precondition?: Precondition<User> | undefined
}

/** Addresses that contain another's are few. */
const MOST_ALIKE = 200

const inTheWay = (holder: User | undefined, what: string): string =>
  `${holder === undefined ? 'Another user' : `User '${holder.id}'`} has ${what}, or delete it with \`rollcall user delete\`; then restore this one.`

/** Undoes a deletion within its grace. */
export class RestoreUserUseCase extends UseCase<'access' | 'unitOfWork' | 'trail' | 'clock', 'users'> {
  static readonly permission = 'users:restore'
  static readonly action = 'user.restore'

  /**
   * The user as it was, with its roles; tokens that were issued up to the deletion stay refused. One who is there
   * already is left as it is.
   * @throws {UserNotFound} there never was one
   * @throws {UserDeleted} it is erased: the grace is over, or there was none
   * @throws {EmailTaken} another user has the address by now
   * @throws {UserNameTaken} the same of the name in the directory
   * @throws {SuspensionNotKept} the application that keeps the users would let old tokens in
   */
  async execute(command: RestoreUserCommand, caller: Caller): Promise<User> {
    return (await this.change(command, caller)).user
  }

  /** The same; also whether it was there already. */
  async change(
    { userId, reason, precondition }: RestoreUserCommand,
    caller: Caller,
  ): Promise<Pick<MadeUserChange, 'user' | 'isSame'>> {
    const attempt = await this.ports.access.require(caller, RestoreUserUseCase, userId)
    let [email, userName] = ['', '']
    try {
      return await runFor(this.ports, RestoreUserUseCase, caller, userId, async (stores, requireSame) => {
        const id = asUserId(userId)
        const current = id && (await stores.users.find(id))
        if (current) {
          requireCondition(precondition, current)
          return { user: current, isSame: true }
        }
        const held = id && (await stores.heldUsers.find(id))
        // Its erasure may be late: the grace is over all the same.
        const isOver = held !== undefined && held.erasesAt <= this.ports.clock.now()
        if (!held || isOver) throw id && (await stores.tombstones.has(id)) ? new UserDeleted() : new UserNotFound()
        requireCondition(precondition, held.user)
        parseDeletionReason(reason, held.user)
        await requireSame()
        email = held.user.emailKey
        userName = userNameKey(held.user.provisioned?.userName ?? '')
        const user = await this.#restore(stores, held)
        await this.ports.trail.done(stores.audit, caller, attempt, reason, user)
        return { user }
      })
    } catch (error) {
      if (error instanceof EmailTaken) throw await this.#addressTaken(error, email)
      if (error instanceof UserNameTaken) throw await this.#nameTaken(error, userName)
      throw error
    }
  }

  /** Names the user in the way: the caller does not know the address, which is hidden. */
  async #addressTaken(cause: EmailTaken, address: string): Promise<EmailTaken> {
    const words = subscriptionTerms({ email: address, name: '' })
    const { items } = await this.ports.readers.users.list({ after: 0, limit: MOST_ALIKE, words })
    const message = inTheWay(
      items.find(({ emailKey }) => emailKey === address),
      'its e-mail address by now. Give that user another one with `rollcall user put`',
    )
    return new EmailTaken({ message, cause })
  }

  async #nameTaken(cause: UserNameTaken, userName: string): Promise<UserNameTaken> {
    const [holder] = (await this.ports.readers.users.listProvisioned?.({ userName }, 0, 1)) ?? []
    const message = inTheWay(holder, 'its userName by now. Give that user another one in the directory')
    return new UserNameTaken({ message, cause })
  }

  async #restore(stores: Stores, held: HeldUser): Promise<User> {
    const now = this.ports.clock.now()
    const user: User = { ...held.user, updatedAt: now, tokensNotBefore: refusedUpTo(held.deletedAt, held.user) }
    await stores.heldUsers.remove(user.id)
    await stores.tombstones.remove(user.id)
    await stores.users.put(user)
    await requireKept(stores, user)
    await stores.events.append({ type: 'user.created', subject: user.id, at: now })
    return user
  }
}
