import { setImmediate as nextTurnOfTheLoop, setTimeout as sleep } from 'node:timers/promises'
import {
  type AccountStatus,
  EmailTaken,
  type User,
  UserDeleted,
  type UserFilter,
  UserNameTaken,
  type UserReader,
  type UserStore,
} from '@rollcall/core'
import { type Searched, searchedIn, searching } from '../../tables/finding.ts'
import { CLAIM_IDENTITY } from '../../tables/identities.ts'
import {
  COUNT_OF_USERS,
  NOTE_SEEN,
  statusKey,
  USER_VALUES,
  type UserRow,
  userReader,
  userValues,
} from '../../tables/users.ts'
import { keyOf, keysOfCaller } from '../lock-keys.ts'
import { violates } from '../postgres-error.ts'
import { placeholders, rowStatement, statement } from '../statement.ts'
import type { Transaction } from '../transaction.ts'
import { type Asked, firm, inPostgres, lock, postgresReader, postgresStore } from './run-methods.ts'

const COLUMNS = USER_VALUES.join(', ')
const ID = `$${USER_VALUES.length + 1}`
const EMAIL_KEY = `$${USER_VALUES.indexOf('email_key') + 1}`
const INSERT = rowStatement<Pick<UserRow, 'seq'>>(
  `INSERT INTO user_account (${COLUMNS}, id) VALUES (${placeholders(USER_VALUES.length + 1)})
    ON CONFLICT (email_key) DO NOTHING RETURNING seq`,
)
const UPDATE = rowStatement<Pick<UserRow, 'seq'>>(
  `UPDATE user_account SET (${COLUMNS}) = ROW (${placeholders(USER_VALUES.length)})
    WHERE id = ${ID} AND NOT EXISTS
      (SELECT 1 FROM user_account AS other WHERE other.email_key = ${EMAIL_KEY} AND other.id <> ${ID}) RETURNING seq`,
)
const CLAIM = statement(inPostgres(CLAIM_IDENTITY))
const ERASE = statement('DELETE FROM user_account WHERE id = $1')
const GRANT = statement(
  'INSERT INTO user_role (user_seq, role) SELECT $1::bigint, role FROM unnest($2::text[]) AS role',
)
const REVOKE_ALL = statement('DELETE FROM user_role WHERE user_seq = $1')

const reader = postgresReader(userReader('postgres'))
const searched = postgresReader<Searched<UserFilter>>(searchedIn('user_account', COUNT_OF_USERS))

export const postgresUserReader = (asked: Asked): UserReader => {
  const users = reader(asked)
  const list = searching(users.list, searched(asked))
  return { ...users, list, accountStatus: askedTogether(users.accountStatus) }
}

/** Milliseconds from a question that several have asked to the next for the same. */
const PAUSE = 1

/**
 * Asks once for all who ask for the same in one turn of the event loop, while it is asked already, or, where several
 * have asked, in a moment after that: most requests come from a few callers. It is asked after all of them have, so that
 * no answer is older than the question.
 */
const askedTogether = (ask: UserReader['accountStatus']): UserReader['accountStatus'] => {
  const gathered = new Map<string, { readonly found: Promise<AccountStatus>; askers: number }>()
  const pauses = new Map<string, Promise<unknown>>()
  const askFor = async (key: string, subject: string, tokenId: string | undefined): Promise<AccountStatus> => {
    // Not the next tick: each request comes in by a callback of its own, with ticks in between.
    await (pauses.get(key) ?? nextTurnOfTheLoop())
    const isShared = (gathered.get(key)?.askers ?? 0) > 1
    gathered.delete(key)
    const found = ask(subject, tokenId)
    const pause = Promise.allSettled([found, isShared && sleep(PAUSE)]).then(() => {
      if (pauses.get(key) === pause) pauses.delete(key)
    })
    pauses.set(key, pause)
    return await found
  }
  return (subject, tokenId) => {
    const key = statusKey(subject, tokenId)
    const known = gathered.get(key)
    if (known !== undefined) {
      known.askers++
      return known.found
    }
    const found = askFor(key, subject, tokenId)
    gathered.set(key, { found, askers: 1 })
    return found
  }
}

const statusOf = postgresReader<Pick<UserReader, 'accountStatus'>>({
  accountStatus: userReader('postgres').accountStatus,
})
const store = postgresStore<UserReader & Pick<UserStore, 'noteSeen'>>(
  { ...userReader('postgres'), ...NOTE_SEEN },
  {
    find: firm(keyOf.user),
    accountStatus: lock((subject) => keyOf.user(subject)),
    countWithRole: lock(keyOf.roles),
  },
)

export const postgresUserStore = (unit: Transaction): UserStore => {
  const users = store(unit)

  const save = async (user: User, known: boolean): Promise<number> => {
    try {
      const [row] = await unit.ask(known ? UPDATE : INSERT, ...userValues(user), user.id)
      if (row === undefined) throw new EmailTaken()
      return row.seq
    } catch (error) {
      if (violates(error, 'user_account_user_name_key')) throw new UserNameTaken({ cause: error })
      throw violates(error, 'user_account_email_key') ? new EmailTaken({ cause: error }) : error
    }
  }

  return {
    ...users,
    callerStatus: async (subject, tokenId) => {
      await unit.shareNow(...keysOfCaller(subject, tokenId))
      return await statusOf(unit).accountStatus(subject, tokenId)
    },
    put: async (user) => {
      unit.lock(keyOf.user(user.id))
      if ((await unit.change(CLAIM, user.id)) === 0) throw new UserDeleted()
      const known = (await users.find(user.id)) !== undefined
      const seq = await save(user, known)
      if (known) unit.write(REVOKE_ALL, seq)
      if (user.roles.length > 0) unit.write(GRANT, seq, [...new Set(user.roles)])
    },
    erase: async (id) => {
      await users.find(id)
      unit.write(ERASE, id)
    },
  }
}
