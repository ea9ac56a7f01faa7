import type {
  AddressHash,
  AuditEntry,
  ConsentRecord,
  DomainEvent,
  HeldUser,
  Instant,
  NumberChange,
  OwnedTombstone,
  PendingMail,
  Subscription,
  SubscriptionId,
  UserId,
} from '@rollcall/core'
import { AUDIT_RECORD, ENTRY_COLUMNS, entryValues } from '../../tables/audit.ts'
import {
  groupMailRow,
  isOfGroup,
  isTraced,
  mailRow,
  NEW_GROUP_MAIL,
  NEW_MAIL,
  NEW_TRACED_MAIL,
  OUTBOX,
  tracedMailRow,
} from '../../tables/mails.ts'
import { SIGN_UP_GROUP, type SignUpGroupRow } from '../../tables/sign-up-groups.ts'
import {
  CONSENT,
  CONSENT_VALUES,
  consentRow,
  NEW_SUBSCRIPTION,
  SUBSCRIPTION,
  subscriptionRow,
  WITH_FIELDS,
} from '../../tables/subscriptions.ts'
import { type Cell, columnsOf } from '../../tables/table.ts'
import { arraysOf, columnArrays, type ListStatement, statement, valueArrays } from '../statement.ts'
import { writeDecoys } from '../stores/decoys.ts'
import { writeEvents } from '../stores/events.ts'
import type { Transaction } from '../transaction.ts'
import { type KnownWrites, writeKnown } from './known-writes.ts'
import { type UserWrite, writeUsers } from './user-writes.ts'

/** A subscription that was not stored before. */
interface NewSubscription {
  subscription: Subscription
  readonly consents: ConsentRecord[]
}

/** What one unit writes, once it is known that it may. */
export class SharedWrites {
  readonly subscriptions = new Map<number, NewSubscription>()
  readonly mails: { readonly id: number; readonly mail: PendingMail }[] = []
  /** By the ids of their subscriptions. */
  readonly groupMembers: (Omit<SignUpGroupRow, 'subscription'> & { readonly id: SubscriptionId })[] = []
  readonly events: DomainEvent[] = []
  readonly numbers: NumberChange[] = []
  readonly challenges: { readonly id: string; readonly expiresAt: Instant }[] = []
  readonly decoys: string[] = []
  readonly known: KnownWrites = { changed: new Map(), consents: [], repetitions: [] }
  /** Ids of mails that were sent, or withdrawn. */
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

const NEW_CONSENT = ['n', ...CONSENT_VALUES]
// Both in one statement: dependent rows refer to the subscription's place, which is assigned only now.
const insertSubscriptions = (columns: readonly string[]) => {
  const consentsFrom = columns.length + 1
  return statement(
    `WITH begun AS (INSERT INTO subscription (${columns.join(', ')})
      SELECT * FROM unnest(${arraysOf(SUBSCRIPTION, columns)}) RETURNING id, seq)
    INSERT INTO consent (subscription, ${NEW_CONSENT.join(', ')})
      SELECT begun.seq, ${NEW_CONSENT.map((column) => `new.${column}`).join(', ')}
      FROM unnest($${consentsFrom}::bigint[], ${arraysOf(CONSENT, NEW_CONSENT, consentsFrom + 1)})
        AS new (id, ${NEW_CONSENT.join(', ')}) JOIN begun USING (id)`,
  )
}
const INSERT_SUBSCRIPTIONS = insertSubscriptions(NEW_SUBSCRIPTION)
const INSERT_WITH_FIELDS = insertSubscriptions(WITH_FIELDS)
const insertMails = (columns: readonly string[]) =>
  statement(`INSERT INTO outbox (${columns.join(', ')}) SELECT * FROM unnest(${arraysOf(OUTBOX, columns)})`)
const MAIL_COLUMNS = ['id', ...NEW_MAIL]
const INSERT_MAILS = insertMails(MAIL_COLUMNS)
const GROUP_MAIL_COLUMNS = ['id', ...NEW_GROUP_MAIL]
const INSERT_GROUP_MAILS = insertMails(GROUP_MAIL_COLUMNS)
const TRACED_MAIL_COLUMNS = ['id', ...NEW_TRACED_MAIL]
const INSERT_TRACED_MAILS = insertMails(TRACED_MAIL_COLUMNS)
const MEMBER_COLUMNS = columnsOf(SIGN_UP_GROUP, 'subscription')
// Their places are known only now. Without a join, as in what sign-ups change.
const INSERT_GROUP_MEMBERS = statement(
  `INSERT INTO sign_up_group (${MEMBER_COLUMNS.join(', ')}, subscription)
    SELECT ${MEMBER_COLUMNS.map((column) => `new.${column}`).join(', ')},
      (SELECT seq FROM subscription WHERE subscription.id = new.id)
    FROM unnest(${arraysOf(SIGN_UP_GROUP, MEMBER_COLUMNS)}, $${MEMBER_COLUMNS.length + 1}::bigint[])
      AS new (${MEMBER_COLUMNS.join(', ')}, id)`,
)
const SPEND_MANY = statement(
  'INSERT INTO spent_challenge (id, expires_at) SELECT * FROM unnest($1::text[], $2::bigint[]) ON CONFLICT DO NOTHING',
)
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
  const begun = all.flatMap(({ subscriptions }) => [...subscriptions.values()])
  const insert = (columns: readonly string[], statement: ListStatement, added: readonly NewSubscription[]) => {
    if (added.length === 0) return
    const subscriptions = added.map(({ subscription }) => subscriptionRow(subscription))
    const consents = added.flatMap(({ subscription: { id }, consents }) =>
      consents.map((record, index) => ({ id, n: index + 1, ...consentRow(record) })),
    )
    unit.write(statement, ...columnArrays(columns, subscriptions), ...columnArrays(['id', ...NEW_CONSENT], consents))
  }
  insert(
    NEW_SUBSCRIPTION,
    INSERT_SUBSCRIPTIONS,
    begun.filter(({ subscription }) => subscription.fields === undefined),
  )
  insert(
    WITH_FIELDS,
    INSERT_WITH_FIELDS,
    begun.filter(({ subscription }) => subscription.fields !== undefined),
  )
  writeKnown(
    unit,
    all.map(({ known }) => known),
  )
  writeMails(
    unit,
    all.flatMap(({ mails }) => mails),
  )
  const members = all.flatMap(({ groupMembers }) => groupMembers)
  if (members.length > 0) unit.write(INSERT_GROUP_MEMBERS, ...columnArrays([...MEMBER_COLUMNS, 'id'], members))
  const challenges = all.flatMap((writes) => writes.challenges)
  if (challenges.length > 0)
    unit.write(
      SPEND_MANY,
      challenges.map(({ id }) => id),
      challenges.map(({ expiresAt }) => expiresAt),
    )
  writeDecoys(
    unit,
    all.flatMap(({ decoys }) => decoys),
  )
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

type Row = Readonly<Record<string, Cell>>

// With one statement for each set of columns, and none where no mail has them.
const writeMails = (unit: Transaction, mails: SharedWrites['mails']): void => {
  const [plain, ofGroups, traced]: [Row[], Row[], Row[]] = [[], [], []]
  for (const { id, mail } of mails)
    if (isTraced(mail)) traced.push({ id, ...tracedMailRow(mail) })
    else if (isOfGroup(mail)) ofGroups.push({ id, ...groupMailRow(mail) })
    else plain.push({ id, ...mailRow(mail) })
  if (plain.length > 0) unit.write(INSERT_MAILS, ...columnArrays(MAIL_COLUMNS, plain))
  if (ofGroups.length > 0) unit.write(INSERT_GROUP_MAILS, ...columnArrays(GROUP_MAIL_COLUMNS, ofGroups))
  if (traced.length > 0) unit.write(INSERT_TRACED_MAILS, ...columnArrays(TRACED_MAIL_COLUMNS, traced))
}
