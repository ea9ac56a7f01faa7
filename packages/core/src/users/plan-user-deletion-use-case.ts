import { ADMIN, type Caller } from '../access/caller.ts'
import { DomainError, InvalidInput } from '../errors.ts'
import { UseCase } from '../use-case.ts'
import { decideDeletion, type UserFacts } from './decide-user-change.ts'
import { asUserId, isAdministrator, type User } from './user.ts'

export interface PlanUserDeletionCommand {
  readonly userId: string
  readonly reason?: string | undefined
  /** How many administrators the same plan has deleted before this user. */
  readonly administratorsBefore?: number | undefined
}

export interface PlannedDeletion {
  readonly userId: string
  readonly user: User | undefined
  /** How many subscriptions have the same address: they stay, unless their erasure is requested. */
  readonly subscriptions: number
  /** Why the deletion would be refused as things stand. */
  readonly refusal: DomainError | undefined
}

/** What a deletion would do, without doing it: nothing waits for it, so no unit of work. */
export class PlanUserDeletionUseCase extends UseCase<
  'access' | 'erasure' | 'requests',
  'feeds' | 'subscriptions' | 'tombstones' | 'users'
> {
  static readonly permission = 'users:delete'
  static readonly action = 'user.delete'

  /** @throws {InvalidInput} the reason is too long, or identifies the user */
  async execute(
    { userId, reason, administratorsBefore = 0 }: PlanUserDeletionCommand,
    caller: Caller,
  ): Promise<PlannedDeletion> {
    await this.ports.access.require(caller, PlanUserDeletionUseCase, userId)
    const { users, tombstones } = this.ports.readers
    const id = asUserId(userId)
    const user = id && (await users.find(id))
    const isDeleted = user === undefined && id !== undefined && (await tombstones.find(id)) !== undefined
    const administrators = user && isAdministrator(user) ? (await users.countWithRole(ADMIN)) - administratorsBefore : 0
    const refusal = refusalOf({ user, isDeleted, administrators }, reason)
    if (!user) return { userId, user, subscriptions: 0, refusal }
    await this.ports.requests.settled()
    const subscriptions = await this.ports.erasure.countOfAddress(this.ports.readers, user.emailKey)
    return { userId, user, subscriptions, refusal }
  }
}

/** @throws {InvalidInput} the reason is too long, or identifies the user */
const refusalOf = (facts: UserFacts, reason: string | undefined): DomainError | undefined => {
  try {
    decideDeletion(facts, { reason })
    return undefined
  } catch (error) {
    if (error instanceof DomainError && !(error instanceof InvalidInput)) return error
    throw error
  }
}
