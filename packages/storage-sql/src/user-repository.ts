import { asUserId, type UserId, type UserReader, type UserRepository } from '@rollcall/core'

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
export const hostUsers = (users: UserRepository, isDeleted: (id: UserId) => Promise<boolean>): UserReader => ({
  keptByHost: true,
  find: (id) => users.find(id),
  list: (filter) => users.list(filter),
  countWithRole: (role) => users.countWithRole(role),
  accountStatus: accountStatusOf(users, isDeleted),
})

/**
 * What a storage adds to the users of a host: a subject that was deleted has a tombstone, and no user. A deletion writes
 * one and removes the other at once, and a restore does the opposite; so users are looked at before and after.
 */
const accountStatusOf =
  (users: Pick<UserRepository, 'find'>, isDeleted: (id: UserId) => Promise<boolean>): UserReader['accountStatus'] =>
  async (subject) => {
    const id = asUserId(subject)
    if (id === undefined) return undefined
    const before = await users.find(id)
    if (await isDeleted(id)) return 'deleted'
    const user = before ?? (await users.find(id))
    if (user === undefined) return undefined
    const { roles, tokensNotBefore } = user
    return tokensNotBefore === undefined ? { roles } : { roles, tokensNotBefore }
  }
