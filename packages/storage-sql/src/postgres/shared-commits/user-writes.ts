import type { HeldUser, OwnedTombstone, User, UserId } from '@rollcall/core'
import {
  BURIED,
  HELD_USER,
  HELD_VALUES,
  heldValues,
  IDENTITY,
  TOMBSTONE_VALUES,
  tombstoneValues,
} from '../../tables/identities.ts'
import { USER_ACCOUNT, USER_VALUES, userValues } from '../../tables/users.ts'
import { arraysOf, type Cell, statement, valueArrays } from '../statement.ts'
import type { Transaction } from '../transaction.ts'

/** A user to be stored; `seq` is its place where it is stored already. */
export interface UserWrite {
  readonly seq: number | undefined
  readonly user: User
}

/** What units that share a transaction write about users. No user occurs twice. */
export interface UserWrites {
  readonly users: readonly UserWrite[]
  readonly erasedUsers: readonly UserId[]
  readonly erasedTokensOf: readonly UserId[]
  readonly erasedSessionsOf: readonly UserId[]
  readonly erasedLinksOf: readonly UserId[]
  readonly heldUsers: readonly HeldUser[]
  readonly tombstones: readonly OwnedTombstone[]
}

const COLUMNS = ['id', ...USER_VALUES]
const NEW_USERS = `unnest(${arraysOf(USER_ACCOUNT, COLUMNS)})`
const ROLES_FROM = COLUMNS.length + 1

// Each was looked at under its lock, and is not deleted.
const CLAIM = statement(
  `INSERT INTO identity (id) SELECT * FROM unnest($1::text[])
    ON CONFLICT (id) DO UPDATE SET version = identity.version + 1`,
)
const ERASE = statement('DELETE FROM user_account WHERE id = ANY ($1::text[])')
const ERASE_TOKENS = statement('DELETE FROM access_token WHERE subject = ANY ($1::text[])')
const ERASE_SESSIONS = statement('DELETE FROM console_session WHERE subject = ANY ($1::text[])')
const ERASE_LINKS = statement('DELETE FROM login_link WHERE subject = ANY ($1::text[])')
// With their roles in one statement: a role refers to the user's place, which is assigned only now.
const INSERT = statement(
  `WITH added AS (INSERT INTO user_account (${COLUMNS.join(', ')}) SELECT * FROM ${NEW_USERS} RETURNING id, seq)
    INSERT INTO user_role (user_seq, role)
      SELECT added.seq, granted.role
      FROM unnest($${ROLES_FROM}::text[], $${ROLES_FROM + 1}::text[]) AS granted (id, role) JOIN added USING (id)`,
)
const UPDATE = statement(
  `UPDATE user_account SET ${USER_VALUES.map((column) => `${column} = new.${column}`).join(', ')}
    FROM ${NEW_USERS} AS new (${COLUMNS.join(', ')}) WHERE user_account.id = new.id`,
)
const REVOKE_ALL = statement('DELETE FROM user_role WHERE user_seq = ANY ($1::bigint[])')
const GRANT = statement('INSERT INTO user_role (user_seq, role) SELECT * FROM unnest($1::bigint[], $2::text[])')
const HOLD = statement(
  `INSERT INTO held_user (${HELD_VALUES.join(', ')}) SELECT * FROM unnest(${arraysOf(HELD_USER, HELD_VALUES)})`,
)
const PUT_TOMBSTONES = statement(
  `INSERT INTO identity (${TOMBSTONE_VALUES.join(', ')}) SELECT * FROM unnest(${arraysOf(IDENTITY, TOMBSTONE_VALUES)})
    ${BURIED}`,
)

/** Each table in one statement. */
export const writeUsers = (
  unit: Transaction,
  { users, erasedUsers, erasedTokensOf, erasedSessionsOf, erasedLinksOf, heldUsers, tombstones }: UserWrites,
): void => {
  if (erasedUsers.length > 0) unit.write(ERASE, erasedUsers)
  if (erasedTokensOf.length > 0) unit.write(ERASE_TOKENS, erasedTokensOf)
  if (erasedSessionsOf.length > 0) unit.write(ERASE_SESSIONS, erasedSessionsOf)
  if (erasedLinksOf.length > 0) unit.write(ERASE_LINKS, erasedLinksOf)
  if (users.length > 0)
    unit.write(
      CLAIM,
      users.map(({ user }) => user.id),
    )
  const added = users.filter(({ seq }) => seq === undefined)
  const known = users.filter(({ seq }) => seq !== undefined)
  if (added.length > 0) {
    const roles = grantsOf(added, ({ user }) => user.id)
    unit.write(INSERT, ...valueArrays(COLUMNS.length, added.map(toValues)), ...valueArrays(2, roles))
  }
  if (known.length > 0) {
    const roles = grantsOf(known, ({ seq = null }) => seq)
    unit.write(UPDATE, ...valueArrays(COLUMNS.length, known.map(toValues)))
    unit.write(
      REVOKE_ALL,
      known.map(({ seq = null }) => seq),
    )
    if (roles.length > 0) unit.write(GRANT, ...valueArrays(2, roles))
  }
  if (heldUsers.length > 0) unit.write(HOLD, ...valueArrays(HELD_VALUES.length, heldUsers.map(heldValues)))
  if (tombstones.length > 0)
    unit.write(
      PUT_TOMBSTONES,
      ...valueArrays(
        TOMBSTONE_VALUES.length,
        tombstones.map(({ id, tombstone }) => tombstoneValues(id, tombstone)),
      ),
    )
}

const toValues = ({ user }: UserWrite): Cell[] => [user.id, ...userValues(user)]

const grantsOf = (written: readonly UserWrite[], holderOf: (write: UserWrite) => Cell): Cell[][] =>
  written.flatMap((write) => [...new Set(write.user.roles)].map((role) => [holderOf(write), role]))
