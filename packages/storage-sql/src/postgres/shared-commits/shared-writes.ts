import type { ConsentRecord, DomainEvent, Instant, OwedMail, SignUpOutcome, Subscription } from '@rollcall/core'
import { CONSENT_COLUMNS } from '../../rows/consent-row.ts'
import { STATUS_CODE, SUBSCRIPTION_COLUMNS } from '../../rows/subscription-row.ts'
import { statement, type Value } from '../statement.ts'
import { writeEvents } from '../stores/events.ts'
import { ADD_COUNT } from '../stores/sign-up-counts.ts'
import { SPEND_MANY } from '../stores/spent-challenges.ts'
import type { Transaction } from '../transaction.ts'

/** A subscription that there was none of before. */
export interface NewSubscription {
  subscription: Subscription
  readonly consents: ConsentRecord[]
}

/** What one unit writes, once it is known that it may. */
export class SharedWrites {
  readonly subscriptions = new Map<number, NewSubscription>()
  readonly mails: { readonly id: number; readonly mail: OwedMail }[] = []
  readonly events: DomainEvent[] = []
  readonly counts: { readonly outcome: SignUpOutcome; readonly count: number }[] = []
  readonly challenges: { readonly id: string; readonly expiresAt: Instant }[] = []
  /** Of mails that nobody owes any more. */
  readonly settled: number[] = []
}

// Both in one statement: what hangs on a subscription goes by its place, which it is only now given.
const INSERT_SUBSCRIPTIONS = statement(
  `WITH begun AS (INSERT INTO subscription (${SUBSCRIPTION_COLUMNS}) SELECT * FROM unnest($1::bigint[], $2::text[],
      $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::bigint[], $10::bigint[],
      $11::bigint[], $12::bigint[], $13::bigint[]) RETURNING id, seq)
    INSERT INTO consent (subscription, n, ${CONSENT_COLUMNS})
      SELECT begun.seq, ${['n', ...CONSENT_COLUMNS.split(', ')].map((column) => `new.${column}`).join(', ')}
      FROM unnest($14::bigint[], $15::integer[], $16::bigint[], $17::text[], $18::text[], $19::text[], $20::text[],
        $21::text[], $22::text[], $23::bigint[]) AS new (id, n, ${CONSENT_COLUMNS}) JOIN begun USING (id)`,
)
const INSERT_MAILS = statement(
  `INSERT INTO outbox (id, kind, subscription_id, address, message_id, created_at, not_before, expires_at)
    SELECT * FROM unnest($1::bigint[], $2::text[], $3::bigint[], $4::text[], $5::text[], $6::bigint[], $7::bigint[],
    $8::bigint[])`,
)
const SETTLE_MANY = statement('DELETE FROM outbox WHERE id = ANY ($1::bigint[])')

type Cell = string | number | null

/** Rows of so many cells as the columns that `unnest` takes. */
const columns = (width: number, rows: readonly (readonly Cell[])[]): Value[] =>
  Array.from({ length: width }, (_, column) => rows.map((row) => row[column] ?? null))

/** Writes what all of them have to write, each table in one statement. */
export const writeTogether = (unit: Transaction, all: readonly SharedWrites[]): void => {
  const begun = all.flatMap(({ subscriptions }) => [...subscriptions.values()])
  const mails = all.flatMap((writes) => writes.mails)
  if (begun.length > 0) {
    const subscriptions = columns(13, begun.map(toSubscriptionCells))
    unit.write(INSERT_SUBSCRIPTIONS, ...subscriptions, ...columns(10, begun.flatMap(toConsentCells)))
  }
  if (mails.length > 0) unit.write(INSERT_MAILS, ...columns(8, mails.map(toMailCells)))
  const challenges = all.flatMap((writes) => writes.challenges.map(({ id, expiresAt }) => [id, expiresAt]))
  if (challenges.length > 0) unit.write(SPEND_MANY, ...columns(2, challenges))
  const settled = all.flatMap((writes) => writes.settled)
  if (settled.length > 0) unit.write(SETTLE_MANY, settled)
  for (const [outcome, count] of sums(all)) unit.write(ADD_COUNT, outcome, count)
  writeEvents(
    unit,
    all.flatMap(({ events }) => events),
  )
}

const toSubscriptionCells = ({ subscription }: NewSubscription): Cell[] => {
  const { id, feed, email, addressKey, name, locale = null, status, episode, createdAt } = subscription
  const { confirmedAt = null, endedAt = null, expiresAt = null, lastMail = null } = subscription
  const head = [id, feed, email, addressKey, name, locale, STATUS_CODE[status], episode, createdAt]
  return [...head, confirmedAt, endedAt, expiresAt, lastMail]
}

const toConsentCells = ({ subscription, consents }: NewSubscription): Cell[][] =>
  consents.map(({ at, deed, via, clientAddress = null, userAgent = null, wording, language = null, count }, index) => [
    subscription.id,
    index + 1,
    at,
    deed,
    via,
    clientAddress,
    userAgent,
    wording,
    language,
    count,
  ])

const toMailCells = ({ id, mail }: SharedWrites['mails'][number]): Cell[] => {
  const { kind, subscriptionId, address, messageId, createdAt, notBefore, expiresAt = null } = mail
  return [id, kind, subscriptionId, address, messageId, createdAt, notBefore, expiresAt]
}

// In one order for all who add to the same.
const sums = (all: readonly SharedWrites[]): [SignUpOutcome, number][] => {
  const sum = new Map<SignUpOutcome, number>()
  for (const { counts } of all)
    for (const { outcome, count } of counts) sum.set(outcome, (sum.get(outcome) ?? 0) + count)
  return [...sum].sort(([a], [b]) => (a < b ? -1 : 1))
}
