import type { AddressHash, OutboxId, SubscriptionId, Tombstone, User, UserId } from '@rollcall/core'
import { TOMBSTONE_VALUES, type TombstoneRow, toTombstone } from '../../tables/identities.ts'
import { OUTBOX_READ, type OutboxRow, toOutboxEntry } from '../../tables/mails.ts'
import { toUser, USER_COLUMNS, type UserRow } from '../../tables/users.ts'
import { Loader } from '../loader.ts'
import { keyOf } from '../lock-keys.ts'
import { rowStatement, statement } from '../statement.ts'
import type { Transaction } from '../transaction.ts'
import { ofAddresses } from './of-addresses.ts'

// A deletion removes tokens and logins, too: how many tokens there are, and whether there are logins, comes with the user.
const USERS = rowStatement<UserRow & Pick<Account, 'hasLogins' | 'tokens'>>(
  `SELECT ${USER_COLUMNS}, (SELECT count(*) FROM access_token WHERE subject = user_account.id) AS tokens,
      id IN (SELECT subject FROM console_session UNION ALL SELECT subject FROM login_link) AS "hasLogins"
    FROM user_account WHERE id = ANY ($1::text[]) FOR UPDATE`,
)
const IDENTITIES = rowStatement<Omit<TombstoneRow, 'deleted_at'> & { readonly deleted_at: number | null }>(
  `SELECT ${TOMBSTONE_VALUES.join(', ')} FROM identity WHERE id = ANY ($1::text[]) FOR UPDATE`,
)
const EMAILS = statement('SELECT email_key FROM user_account WHERE email_key = ANY ($1::text[])')
const KEPT_MAILS = statement(
  'SELECT subscription, message_id FROM kept_mail WHERE subscription = ANY ($1::bigint[]) ORDER BY message_id',
)
const MAILS = rowStatement<OutboxRow>(
  `SELECT ${OUTBOX_READ.join(', ')} FROM outbox WHERE id = ANY ($1::bigint[]) FOR UPDATE`,
)
const MOVED_ONES = statement(
  `SELECT id FROM unnest($1::bigint[]) AS wanted (id)
    WHERE EXISTS (SELECT 1 FROM address_move AS m WHERE m.id = wanted.id)
      OR EXISTS (SELECT 1 FROM moved_subscription AS m WHERE m.old_id = wanted.id)
      OR EXISTS (SELECT 1 FROM moved_subscription AS m WHERE m.new_id = wanted.id)`,
)
const ASKED = statement(
  'SELECT DISTINCT address FROM sign_up_request WHERE address IS NOT NULL AND address = ANY ($1::text[])',
)
const RECORD_IDS = statement("SELECT nextval('audit_record_id_seq') FROM generate_series(1, $1::integer)")

/** What is stored under the id of a user. */
export interface Account {
  /** The user's place in the list. */
  readonly seq: number | undefined
  readonly user: User | undefined
  readonly tombstone: Tombstone | undefined
  /** How many access tokens of the user are listed. */
  readonly tokens: number
  /** Whether there are sessions of the console that are the user's, or links to log in to it. */
  readonly hasLogins: boolean
  /** For one record about the user: drawn when it was locked, so that records about it are in the order of its changes. */
  readonly recordId: number
}

export type AuditedReads = ReturnType<typeof auditedReads>

/** What units that change users look for, each kind in one statement for all of them. What is found stays so. */
export const auditedReads = (unit: Transaction) => {
  const accounts = new Loader((ids: readonly UserId[]) => accountsIn(unit, [...new Set(ids)]))
  return {
    accounts: { find: once((id: UserId) => accounts.find(id)) },
    /** Whether the public has asked for something about the address that is not carried out yet. */
    asked: new Loader(async (addresses: readonly AddressHash[]) => {
      const asked = new Set((await unit.ask<[address: string]>(ASKED, addresses)).flat())
      return (address) => asked.has(address)
    }),
    /** Whether a user has the address. It does not stay so: a unique index decides at the end. */
    emails: new Loader(async (keys: readonly string[]) => {
      const taken = new Set((await unit.ask<[key: string]>(EMAILS, [...new Set(keys)])).flat())
      return (key) => taken.has(key)
    }),
    ofAddress: ofAddresses(unit),
    /** Message-IDs, by the place of the subscription. */
    keptMails: new Loader(async (places: readonly number[]) => {
      const rows = await unit.ask<[place: number, messageId: string]>(KEPT_MAILS, places)
      const byPlace = Map.groupBy(rows, ([place]) => place)
      return (place) => byPlace.get(place)?.map(([, messageId]) => messageId) ?? []
    }),
    /** Whether a change of address names the subscription. It stays so: who changes that locks the subscription. */
    movedOnes: new Loader(async (ids: readonly SubscriptionId[]) => {
      const moved = new Set((await unit.ask<[id: number]>(MOVED_ONES, ids)).flat())
      return (id) => moved.has(id)
    }),
    mails: new Loader(async (ids: readonly OutboxId[]) => {
      unit.lock(...ids.map(keyOf.outboxEntry))
      const rows = new Map((await unit.ask(MAILS, ids)).map((row) => [row.id, row]))
      return (id) => {
        const row = rows.get(id)
        return row && toOutboxEntry(row)
      }
    }),
    /** Ids for records, each given out once: for what is not about an account that was looked for. */
    recordIds: new Loader<void, number>(async (wanted) => {
      const ids = await drawRecordIds(unit, wanted.length)
      return () => ids.pop() ?? 0
    }),
  }
}

const accountsIn = async (unit: Transaction, ids: readonly UserId[]): Promise<(id: UserId) => Account> => {
  unit.lock(...ids.map(keyOf.user))
  const [users, identities, recordIds] = await Promise.all([
    unit.ask(USERS, ids),
    unit.ask(IDENTITIES, ids),
    drawRecordIds(unit, ids.length),
  ])
  const recordIdOf = new Map(ids.map((id, n) => [id, recordIds[n] ?? 0]))
  const userRows = new Map(users.map((row) => [row.id, row]))
  const tombstoneRows = new Map(
    identities.flatMap((row) => (row.deleted_at === null ? [] : [[row.id, row as TombstoneRow]])),
  )
  return (id) => {
    const [user, tombstone] = [userRows.get(id), tombstoneRows.get(id)]
    return {
      seq: user?.seq,
      user: user && toUser(user),
      tombstone: tombstone && toTombstone(tombstone),
      tokens: user?.tokens ?? 0,
      hasLogins: user?.hasLogins ?? false,
      recordId: recordIdOf.get(id) ?? 0,
    }
  }
}

const drawRecordIds = async (unit: Transaction, count: number): Promise<number[]> =>
  (await unit.ask<[id: number]>(RECORD_IDS, count)).flat()

/** Looks once for each key. */
const once = <Key, Found>(look: (key: Key) => Promise<Found>): ((key: Key) => Promise<Found>) => {
  const known = new Map<Key, Promise<Found>>()
  return (key) => {
    const found = known.get(key) ?? look(key)
    known.set(key, found)
    return found
  }
}
