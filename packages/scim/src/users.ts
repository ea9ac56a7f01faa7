import { randomUUID } from 'node:crypto'
import {
  asUserId,
  type Caller,
  GetUserUseCase,
  PreconditionFailed,
  SECOND,
  Unavailable,
  type UseCases,
  type User,
  UserDeleted,
} from '@rollcall/core'
import { type Changes, type Draft, draftOf, type Settled, settle } from './draft.ts'
import { parseUserFilter } from './filter.ts'
import { versionOf } from './record.ts'
import { MOST_RESULTS } from './schemas.ts'
import { badRequest, ScimError } from './scim-error.ts'

export type ScimUseCases = Pick<
  UseCases,
  | 'access'
  | 'authenticate'
  | 'deleteUser'
  | 'getUser'
  | 'listProvisionedUsers'
  | 'patchUser'
  | 'putUser'
  | 'resumeUser'
  | 'suspendUser'
> & { readonly readers: { readonly users: Pick<UseCases['readers']['users'], 'keptByHost'> } }

/** Whether what is stored is what the client knows; by the user's version. */
export type Condition = (version: string) => boolean

/** How often a user that changes meanwhile is read again. */
const MOST_ATTEMPTS = 5
const BUSY = 'Others change this user all the time. Send this again in a second.'

/** Users over the use cases, for one caller. */
export class Users {
  readonly #useCases: ScimUseCases
  readonly #caller: Caller

  constructor(useCases: ScimUseCases, caller: Caller) {
    this.#useCases = useCases
    this.#caller = caller
  }

  async find(userId: string): Promise<User> {
    // The use case shows everybody itself: over SCIM nobody reads without the role.
    await this.#useCases.access.require(this.#caller, GetUserUseCase, userId)
    return await this.#useCases.getUser.execute({ userId }, this.#caller)
  }

  /** @throws {ScimError} a parameter is not valid */
  async list(query: URLSearchParams): Promise<{ items: readonly User[]; total: number; startIndex: number }> {
    const startIndex = Math.max(1, wholeNumber(query, 'startIndex', 1))
    const limit = Math.min(MOST_RESULTS, Math.max(0, wholeNumber(query, 'count', 100)))
    const filter = query.get('filter')
    const found = await this.#useCases.listProvisionedUsers.execute(
      { ...(filter === null ? {} : parseUserFilter(filter)), offset: startIndex - 1, limit },
      this.#caller,
    )
    return { ...found, startIndex }
  }

  /**
   * The id is what the directory calls the user, so that it is that of the user's tokens; if that can be no id, one is made.
   * @throws {ScimError} another user has the name or the id, or somebody had the id who was deleted
   */
  async create(changes: Changes): Promise<User> {
    const { email, name, provisioned, active } = settle({}, changes)
    const { userName, externalId = '' } = provisioned
    const named = await this.#useCases.listProvisionedUsers.execute({ userName, offset: 0, limit: 0 }, this.#caller)
    if (named.total > 0) throw taken(`There is a user with the userName '${userName}'. Match the two by it.`)
    // An address is no id: ids outlive their users.
    const userId = externalId.includes('@') ? randomUUID() : (asUserId(externalId) ?? randomUUID())
    const command = {
      userId,
      email,
      name,
      roles: [],
      provisioned,
      suspended: active === false,
      precondition: (current?: User) => current === undefined,
    }
    try {
      return (await this.#useCases.putUser.execute(command, this.#caller)).user
    } catch (error) {
      if (error instanceof PreconditionFailed)
        throw taken(`There is a user with the id '${userId}'. Match the two by externalId, or send another.`)
      if (error instanceof UserDeleted)
        throw taken(
          `The user with the id '${userId}' was deleted, and the id is never used again. Send another externalId.`,
        )
      throw error
    }
  }

  /**
   * Changes what the request says, of the user as it is then. Whoever loses access loses it first, and whoever gets it back
   * gets it last: what is refused on the way leaves nobody with more than before.
   */
  async change(
    userId: string,
    holds: Condition,
    changesOf: (before: Draft) => Changes,
    isWhole: boolean,
  ): Promise<User> {
    for (let attempt = 1; ; attempt++) {
      const user = await this.find(userId)
      const before = draftOf(user)
      // Read at once: nothing is changed if a part is wrong.
      const settled = settle(isWhole ? {} : before, changesOf(before))
      const version = versionOf(user)
      if (!holds(version)) throw new PreconditionFailed()
      try {
        return await this.#store(userId, user.suspendedAt !== undefined, settled, isAt(version))
      } catch (error) {
        if (!(error instanceof PreconditionFailed)) throw error
        // The condition of the client held, if it sent one.
        if (attempt === MOST_ATTEMPTS) throw new Unavailable({ message: BUSY, cause: error, retryAfter: SECOND })
      }
    }
  }

  async #store(
    userId: string,
    isSuspended: boolean,
    { email, name, provisioned, active }: Settled,
    precondition: (current: User | undefined) => boolean,
  ): Promise<User> {
    const { patchUser, resumeUser, suspendUser } = this.#useCases
    const suspends = active === false && !isSuspended
    const suspended = suspends ? await suspendUser.execute({ userId, precondition }, this.#caller) : undefined
    const held = suspended ? isAt(versionOf(suspended)) : precondition
    const command = { userId, email, name, provisioned, precondition: held }
    const changed = await patchUser.execute(command, this.#caller)
    return active === true && isSuspended ? await resumeUser.execute({ userId }, this.#caller) : changed
  }

  async remove(userId: string, holds: Condition): Promise<void> {
    const precondition = (current: User | undefined) => current !== undefined && holds(versionOf(current))
    await this.#useCases.deleteUser.execute({ userId, precondition }, this.#caller)
  }
}

const isAt =
  (version: string) =>
  (current: User | undefined): boolean =>
    current !== undefined && versionOf(current) === version

const taken = (message: string): ScimError => new ScimError(409, message, 'uniqueness')

const wholeNumber = (query: URLSearchParams, name: string, otherwise: number): number => {
  const text = query.get(name)
  if (text === null) return otherwise
  const number = /^[+-]?\d{1,15}$/.test(text) ? Number(text) : Number.NaN
  if (Number.isNaN(number)) throw badRequest('invalidValue', `Give a whole number as '${name}'.`)
  return number
}
