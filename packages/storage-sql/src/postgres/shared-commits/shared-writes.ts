import type {
  AddressHash,
  AuditEntry,
  DomainEvent,
  HeldUser,
  NumberChange,
  OwnedTombstone,
  SubscriptionId,
  UserId,
} from '@rollcall/core'
import { AUDIT_RECORD, ENTRY_COLUMNS, entryValues } from '../../tables/audit.ts'
import { arraysOf, statement, valueArrays } from '../statement.ts'
import { writeEvents } from '../stores/events.ts'
import type { Transaction } from '../transaction.ts'
import { type UserWrite, writeUsers } from './user-writes.ts'

/** What one unit writes, once it is known that it may. */
export class SharedWrites {
  readonly events: DomainEvent[] = []
  readonly numbers: NumberChange[] = []
  /** Ids of mails that were withdrawn. */
  readonly settled: number[] = []
  readonly erasedSubscriptions: SubscriptionId[] = []
  /** Addresses of which nothing may be left. */
  readonly forgotten: AddressHash[] = []
  readonly users: UserWrite[] = []
  readonly erasedUsers: UserId[] = []
  /** Users whose access tokens are erased. */
  readonly erasedTokensOf: UserId[] = []
  readonly erasedSessionsOf: UserId[] = []
  readonly erasedLinksOf: UserId[] = []
  readonly heldUsers: HeldUser[] = []
  readonly tombstones: OwnedTombstone[] = []
  readonly records: { readonly id: number; readonly entry: AuditEntry }[] = []
}

const ERASE_SUBSCRIPTIONS = statement('DELETE FROM subscription WHERE id = ANY ($1::bigint[])')
const FORGET_DELIVERABILITY = statement('DELETE FROM deliverability WHERE address = ANY ($1::text[])')
const FORGET_FEEDBACK = statement('DELETE FROM waiting_feedback WHERE address = ANY ($1::text[])')
const SETTLE_MANY = statement('DELETE FROM outbox WHERE id = ANY ($1::bigint[])')

const RECORD_COLUMNS = ['id', ...ENTRY_COLUMNS]
const APPEND_RECORDS = statement(
  `INSERT INTO audit_record (${RECORD_COLUMNS.join(', ')}) SELECT * FROM unnest(${arraysOf(AUDIT_RECORD, RECORD_COLUMNS)})`,
)

/** Writes what all of them have to write, each table in one statement; records are in the order of `all`. */
export const writeTogether = (unit: Transaction, all: readonly SharedWrites[]): void => {
  const settled = all.flatMap((writes) => writes.settled)
  if (settled.length > 0) unit.write(SETTLE_MANY, settled)
  const erased = all.flatMap((writes) => writes.erasedSubscriptions)
  if (erased.length > 0) unit.write(ERASE_SUBSCRIPTIONS, erased)
  const forgotten = all.flatMap((writes) => writes.forgotten).sort()
  for (const forget of forgotten.length > 0 ? [FORGET_DELIVERABILITY, FORGET_FEEDBACK] : [])
    unit.write(forget, forgotten)
  writeUsers(unit, {
    users: all.flatMap(({ users }) => users),
    erasedUsers: all.flatMap(({ erasedUsers }) => erasedUsers),
    erasedTokensOf: all.flatMap(({ erasedTokensOf }) => erasedTokensOf),
    erasedSessionsOf: all.flatMap(({ erasedSessionsOf }) => erasedSessionsOf),
    erasedLinksOf: all.flatMap(({ erasedLinksOf }) => erasedLinksOf),
    heldUsers: all.flatMap(({ heldUsers }) => heldUsers),
    tombstones: all.flatMap(({ tombstones }) => tombstones),
  })
  const records = all.flatMap((writes) => writes.records)
  if (records.length > 0) {
    const rows = records.map(({ id, entry }) => [id, ...entryValues(entry)])
    unit.write(APPEND_RECORDS, ...valueArrays(RECORD_COLUMNS.length, rows))
  }
  writeEvents(
    unit,
    all.flatMap(({ events }) => events),
    all.flatMap(({ numbers }) => numbers),
  )
}
