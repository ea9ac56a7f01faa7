import {
  type AccessTokenReader,
  type TombstoneReader,
  type TombstoneStore,
  UserDeleted,
  type UserId,
  type UserReader,
  type UserStore,
} from '@rollcall/core'
import {
  type CreateUserRepository,
  hostUsers,
  refuseToChange,
  type Sql,
  type SqlValue,
  UniqueViolation,
} from '../../user-repository.ts'
import { keyOf } from '../lock-keys.ts'
import { violatesUniqueness } from '../postgres-error.ts'
import { type Ask, type RowStatement, rowStatement } from '../statement.ts'
import type { Transaction } from '../transaction.ts'

/** The users of a unit of work, where the host keeps them. The locks are the same that guard Rollcall's own users. */
export const hostUserStore = (
  create: CreateUserRepository,
  {
    unit,
    tombstones,
    accessTokens: { isRevoked },
  }: { unit: Transaction; tombstones: TombstoneStore; accessTokens: AccessTokenReader },
): UserStore => {
  const run = async (text: string, ...values: SqlValue[]): Promise<number> => {
    try {
      return await unit.change(prepared(text), ...values)
    } catch (error) {
      throw violatesUniqueness(error) ? new UniqueViolation((error as Error).message, { cause: error }) : error
    }
  }
  const users = create({ all: selectingWith(unit.ask), run })
  const reader = hostUsers(users, { isDeleted: (id) => tombstones.has(id), isRevoked })
  return {
    ...reader,
    find: async (id) => {
      unit.lock(keyOf.user(id))
      return await reader.find(id)
    },
    countWithRole: async (role) => {
      unit.lock(keyOf.roles)
      return await reader.countWithRole(role)
    },
    accountStatus: async (subject, tokenId) => {
      unit.lock(keyOf.user(subject))
      return await reader.accountStatus(subject, tokenId)
    },
    callerStatus: async (subject, tokenId) => {
      await unit.shareNow(keyOf.user(subject))
      return await reader.accountStatus(subject, tokenId)
    },
    put: async (user) => {
      if (await tombstones.has(user.id)) throw new UserDeleted()
      await users.put(user)
    },
    // A host keeps users as it wants them, and not what becomes of them by themselves.
    noteSeen: async () => undefined,
    erase: async (id) => {
      unit.lock(keyOf.user(id))
      await users.erase(id)
    },
  }
}

/** The same outside of a unit. */
export const hostUserReader = (
  create: CreateUserRepository,
  {
    ask,
    tombstones,
    accessTokens: { isRevoked },
  }: { ask: Ask; tombstones: TombstoneReader; accessTokens: AccessTokenReader },
): UserReader => {
  const users = create({ all: selectingWith(ask), run: refuseToChange })
  const isDeleted = async (id: UserId) => (await tombstones.find(id)) !== undefined
  return hostUsers(users, { isDeleted, isRevoked })
}

const statements = new Map<string, RowStatement<object>>()

/** A statement by its text, named once for all connections. */
const prepared = (text: string): RowStatement<object> => {
  const known = statements.get(text) ?? rowStatement(text)
  statements.set(text, known)
  return known
}

const selectingWith =
  (ask: Ask): Sql['all'] =>
  async <Found extends object>(text: string, ...values: SqlValue[]) =>
    (await ask(prepared(text), ...values)) as Found[]
