import type { AccessTokenReader, TombstoneStore, UserStore } from '@rollcall/core'
import {
  type CreateUserRepository,
  hostUserStore,
  refuseToChange,
  type Sql,
  type SqlValue,
  UniqueViolation,
} from '../../user-repository.ts'
import { keyOf, keysOfCaller } from '../lock-keys.ts'
import { violatesUniqueness } from '../postgres-error.ts'
import { type Ask, type RowStatement, rowStatement } from '../statement.ts'
import type { Transaction } from '../transaction.ts'

/** The users of a unit of work, if the host keeps them. The locks are the same that guard Rollcall's own users. */
export const postgresHostUserStore = (
  create: CreateUserRepository,
  unit: Transaction,
  tombstones: TombstoneStore,
  accessTokens: AccessTokenReader,
): UserStore => {
  const run = async (text: string, ...values: SqlValue[]): Promise<number> => {
    try {
      return await unit.change(prepared(text), ...values)
    } catch (error) {
      throw violatesUniqueness(error) ? new UniqueViolation((error as Error).message, { cause: error }) : error
    }
  }
  const store = hostUserStore(create({ all: selectingWith(unit.ask), run }), tombstones, accessTokens)
  return {
    ...store,
    find: async (id) => {
      unit.lock(keyOf.user(id))
      return await store.find(id)
    },
    countWithRole: async (role) => {
      unit.lock(keyOf.roles)
      return await store.countWithRole(role)
    },
    accountStatus: async (subject, tokenId) => {
      unit.lock(keyOf.user(subject))
      return await store.accountStatus(subject, tokenId)
    },
    callerStatus: async (subject, tokenId) => {
      await unit.shareNow(...keysOfCaller(subject, tokenId))
      return await store.accountStatus(subject, tokenId)
    },
    erase: async (id) => {
      unit.lock(keyOf.user(id))
      await store.erase(id)
    },
  }
}

/** Statements of a host outside of a unit. */
export const readingSqlOf = (ask: Ask): Sql => ({ all: selectingWith(ask), run: refuseToChange })

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
