import {
  type AccessTokenReader,
  asUserId,
  eachOf,
  type TombstoneReader,
  type TombstoneStore,
  UserDeleted,
  type UserReader,
  type UserRepository,
  type UserStore,
} from '@rollcall/core'

export type SqlValue = string | number | null

/** Statements on the database in which Rollcall keeps its own tables, with placeholders as the database has them. */
export interface Sql {
  /** The rows that a `SELECT` finds, as objects by column name. */
  all<Row extends object>(text: string, ...values: SqlValue[]): Promise<Row[]>
  /**
   * Runs a statement that changes rows, inside a unit of work; how many it changed. The change is part of the unit: it
   * stays or goes with everything else that the unit does.
   * @throws {UniqueViolation} a unique index refused it; then the unit must fail, too
   */
  run(text: string, ...values: SqlValue[]): Promise<number>
}

/** A unique index of the database refused a change. */
export class UniqueViolation extends Error {
  override readonly name = 'UniqueViolation'
}

/**
 * Makes the repository of a host that keeps users on tables of its own. It is called with statements of a unit of work,
 * and once more with statements for reading outside of one.
 */
export type CreateUserRepository = (sql: Sql) => UserRepository

/** Changing outside of a unit of work. */
export const refuseToChange = async (): Promise<never> => {
  throw new Error('A user repository may change rows only inside a unit of work.')
}

/** The users of a host as a storage shows them. */
export const hostUserReader = (
  users: UserRepository,
  tombstones: TombstoneReader,
  accessTokens: AccessTokenReader,
): UserReader => ({
  keptByHost: true,
  find: (id) => users.find(id),
  list: (filter) => users.list(filter),
  countWithRole: async (role) => (await users.countWithRole(role)) - (await suspendedWithRole(users, role)),
  accountStatus: accountStatusOf(users, tombstones, accessTokens),
})

/** The users of a unit of work, if the host keeps them. */
export const hostUserStore = (
  users: UserRepository,
  tombstones: TombstoneStore,
  accessTokens: AccessTokenReader,
): UserStore => {
  const reader = hostUserReader(users, tombstones, accessTokens)
  return {
    ...reader,
    callerStatus: reader.accountStatus,
    put: async (user) => {
      if (await tombstones.has(user.id)) throw new UserDeleted()
      await users.put(user)
    },
    // A host keeps users as it wants them, and not what becomes of them by themselves.
    noteSeen: async () => undefined,
    erase: (id) => users.erase(id),
  }
}

/** Those who have a role that is worth counting are few. */
const suspendedWithRole = async (users: Pick<UserRepository, 'list'>, role: string): Promise<number> => {
  let count = 0
  for await (const { suspendedAt } of eachOf((stretch) => users.list({ ...stretch, role, suspended: true })))
    if (suspendedAt !== undefined) count++
  return count
}

/**
 * What a storage adds to the users of a host: a subject that was deleted has a tombstone, and no user. A deletion writes
 * one and removes the other at once, and a restore does the opposite; so users are looked at before and after.
 */
const accountStatusOf =
  (users: UserRepository, tombstones: TombstoneReader, accessTokens: AccessTokenReader): UserReader['accountStatus'] =>
  async (subject, tokenId) => {
    const id = asUserId(subject)
    const before = id && (await users.find(id))
    if (id !== undefined && (await tombstones.find(id)) !== undefined) return 'deleted'
    if (tokenId !== undefined && (await accessTokens.isRevoked(tokenId))) return 'revoked'
    if (id === undefined) return undefined
    const user = before ?? (await users.find(id))
    if (user === undefined) return undefined
    const { roles, tokensNotBefore, suspendedAt } = user
    if (suspendedAt !== undefined) return 'suspended'
    return tokensNotBefore === undefined ? { roles } : { roles, tokensNotBefore }
  }
