import type { Caller, RecordedUserChange } from '@rollcall/core'
import { AUDIT_RECORD, ENTRY_COLUMNS, entryValues } from '../tables/audit.ts'
import { BURIED, TOMBSTONE_VALUES } from '../tables/identities.ts'
import { type Cell, columnsOf, excluded, rowFrom, type Table, table, text, whole } from '../tables/table.ts'
import { USER_ACCOUNT, USER_COLUMNS, USER_VALUES, type UserRow, userValues } from '../tables/users.ts'
import { arraysOf, columnArrays, rowStatement, statement, type Value } from './statement.ts'

/** A change that is made only if target and caller still have these versions; 0 if there is no identity yet. */
export interface GuardedChange {
  readonly change: RecordedUserChange
  readonly version: number
  readonly caller: Caller
  readonly traceContext: string | undefined
}

export const isOperator = ({ roleSource }: Caller): boolean => roleSource === 'operator'

// Where rows are looked up, by scalar subqueries, laterals and arrays: there is no join then that could go through a table.

/** A row for each id that is asked for. */
export const FACTS = rowStatement<FactsRow>(
  `SELECT asked.id AS asked, known.version, known.deleted_at IS NOT NULL AS deleted, stored.*
    FROM unnest($1::text[]) AS asked (id)
      LEFT JOIN LATERAL (SELECT version, deleted_at FROM identity WHERE id = asked.id LIMIT 1) AS known ON true
      LEFT JOIN LATERAL (SELECT ${USER_COLUMNS} FROM user_account WHERE id = asked.id LIMIT 1) AS stored ON true`,
)

export type FactsRow = (UserRow | { readonly seq: null }) & {
  readonly asked: string
  readonly version: number | null
  readonly deleted: boolean
}

const pick = (from: Table, names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, from.columns[name] ?? ('text' as const)]))
const GUARD = {
  id: text(),
  version: whole(),
  caller: text(),
  caller_version: whole(),
  caller_token: text(),
  trace_context: text(),
}
const ENTRY = pick(AUDIT_RECORD, ENTRY_COLUMNS)
const GIVEN_USERS = table('given', 1, { ...GUARD, event: text(), ...pick(USER_ACCOUNT, USER_VALUES), ...ENTRY })
const GIVEN_ERASURES = table('given', 1, { ...GUARD, address: text(), role_count: whole(), ...ENTRY })

const given = (rows: Table): string => {
  const columns = columnsOf(rows)
  return `given AS MATERIALIZED (SELECT * FROM unnest(${arraysOf(rows, columns)}) AS given (${columns.join(', ')}))`
}

// An operator has no name here. Who is known by a token alone must not have become a user since, deleted or not.
const CALLER_STANDS = `(caller IS NULL OR caller_version IS NOT DISTINCT FROM
    (SELECT CASE WHEN asking.deleted_at IS NULL THEN asking.version ELSE 0 END FROM identity AS asking WHERE asking.id = caller))
  AND (SELECT jti FROM revoked_token WHERE jti = caller_token) IS NULL`
const ADDRESS_IS_FREE = `coalesce((SELECT id FROM user_account AS other WHERE other.email_key = given.email_key), id) = id`

const RECORD = ENTRY_COLUMNS.join(', ')
const USER = USER_VALUES.join(', ')
const CHANGING = USER_VALUES.filter((column) => column !== 'created_at' && column !== 'last_seen_at')

/** The ids of those that are stored now. */
export const STORE = statement(
  `WITH ${given(GIVEN_USERS)},
    claimed AS (INSERT INTO identity (id, version)
      SELECT id, version + 1 FROM given WHERE ${CALLER_STANDS} AND ${ADDRESS_IS_FREE}
      ON CONFLICT (id) DO UPDATE SET version = excluded.version
        WHERE identity.deleted_at IS NULL AND identity.version + 1 = excluded.version
      RETURNING id),
    stored AS (INSERT INTO user_account (id, ${USER}) SELECT id, ${USER} FROM given JOIN claimed USING (id)
      ON CONFLICT (id) DO UPDATE SET ${excluded(CHANGING)}
      RETURNING seq, roles),
    granted AS MATERIALIZED (SELECT seq, json_array_elements_text(roles::json) COLLATE "C" AS role FROM stored),
    revoked AS (DELETE FROM user_role
      WHERE user_seq = ANY (ARRAY(SELECT seq FROM stored)) AND (user_seq, role) NOT IN (SELECT seq, role FROM granted)),
    kept AS (INSERT INTO user_role (user_seq, role) SELECT seq, role FROM granted ON CONFLICT DO NOTHING),
    recorded AS (INSERT INTO audit_record (${RECORD}) SELECT ${RECORD} FROM given JOIN claimed USING (id)),
    happened AS (INSERT INTO event (type, subject, at, trace_context)
      SELECT event, id, updated_at, trace_context FROM given JOIN claimed USING (id))
    SELECT id FROM claimed`,
)

export const storeValues = (changes: readonly GuardedChange[]): Value[] =>
  columnArrays(
    columnsOf(GIVEN_USERS),
    changes.flatMap((guarded) => {
      const { change } = guarded
      if (change.kind !== 'store') return []
      return [{ ...rowOf(guarded), event: change.event, ...rowFrom(USER_VALUES, userValues(change.user)) }]
    }),
  )

const BURIAL: Readonly<Record<string, string>> = {
  id: 'id',
  deleted_at: 'at',
  audit: 'record',
  users: '1',
  roles: 'role_count',
  subscriptions: '0',
  mails: '0',
  subscriptions_kept: 'kept',
  tokens: 'tokens',
}

/** The ids of those that are erased now, and how many subscriptions of their addresses there are. */
export const ERASE = statement(
  `WITH ${given(GIVEN_ERASURES)},
    standing AS MATERIALIZED (SELECT given.*, nextval('audit_record_id_seq') AS record,
        (SELECT count(*) FROM subscription WHERE subscription.address = given.address) AS kept,
        (SELECT count(*) FROM access_token WHERE subject = given.id) AS tokens
      FROM given
      WHERE ${CALLER_STANDS}
        AND version = (SELECT known.version FROM identity AS known WHERE known.id = given.id AND known.deleted_at IS NULL)),
    ${['user_account id', 'access_token subject', 'console_session subject', 'login_link subject']
      .map((place) => place.split(' '))
      .map(([from, by]) => `no_${from} AS (DELETE FROM ${from} WHERE ${by} = ANY (ARRAY(SELECT id FROM standing)))`)
      .join(',\n    ')},
    recorded AS (INSERT INTO audit_record (id, ${RECORD}) SELECT record, ${RECORD} FROM standing),
    buried AS (INSERT INTO identity (${TOMBSTONE_VALUES.join(', ')})
      SELECT ${TOMBSTONE_VALUES.map((column) => BURIAL[column] ?? 'NULL').join(', ')} FROM standing ${BURIED}),
    happened AS (INSERT INTO event (type, subject, at, trace_context)
      SELECT 'user.deleted', id, at, trace_context FROM standing)
    SELECT id, kept FROM standing`,
)

export const eraseValues = (changes: readonly GuardedChange[]): Value[] =>
  columnArrays(
    columnsOf(GIVEN_ERASURES),
    changes.flatMap((guarded) => {
      const { change } = guarded
      if (change.kind !== 'delete') return []
      return [{ ...rowOf(guarded), address: change.address, role_count: change.user.roles.length }]
    }),
  )

const rowOf = ({ change, version, caller, traceContext }: GuardedChange): Record<string, Cell> => ({
  ...rowFrom<Record<string, Cell>>(ENTRY_COLUMNS, entryValues(change.record)),
  id: change.user.id,
  version,
  caller: isOperator(caller) ? null : caller.id,
  caller_token: caller.tokenId ?? null,
  caller_version: caller.identityVersion ?? null,
  trace_context: traceContext ?? null,
})
