import type { ConsentRecord, Subscription } from '@rollcall/core'
import {
  CONSENT,
  CONSENT_VALUES,
  consentRow,
  NEW_SUBSCRIPTION,
  SUBSCRIPTION,
  type SubscriptionRow,
  subscriptionRow,
  WITH_FIELDS,
} from '../../tables/subscriptions.ts'
import { arraysOf, columnArrays, statement } from '../statement.ts'
import type { Transaction } from '../transaction.ts'

interface ChangedSubscription {
  readonly subscription: Subscription
  /** Whether it has values of fields, or had: only then is that column written. */
  readonly hasFields: boolean
}

type NewRow = Omit<SubscriptionRow, 'seq'>

/** What a sign-up changes of a subscription that is stored. */
export interface KnownWrites {
  readonly changed: Map<number, ChangedSubscription>
  /** By the place of the subscription, once each. */
  readonly consents: { readonly place: number; readonly record: ConsentRecord }[]
  readonly repetitions: number[]
}

// Without joins: a plan that is made while the tables are small, and kept, would read them whole when they are large.
const updateMany = (columns: readonly string[]) =>
  statement(
    `UPDATE subscription SET (${columns.join(', ')}) =
      (SELECT ${columns.map((column) => `new.${column}`).join(', ')}
        FROM unnest(${arraysOf(SUBSCRIPTION, columns)}) AS new (${columns.join(', ')})
        WHERE new.id = subscription.id)
    WHERE id = ANY ($${columns.indexOf('id') + 1}::bigint[])`,
  )
const UPDATE_MANY = updateMany(NEW_SUBSCRIPTION)
const UPDATE_MANY_WITH_FIELDS = updateMany(WITH_FIELDS)
const APPENDED = ['subscription', ...CONSENT_VALUES]
const APPEND_MANY = statement(
  `INSERT INTO consent (subscription, n, ${CONSENT_VALUES.join(', ')})
    SELECT new.subscription,
      coalesce((SELECT max(n) FROM consent WHERE consent.subscription = new.subscription), 0) + 1,
      ${CONSENT_VALUES.map((column) => `new.${column}`).join(', ')}
    FROM unnest(${arraysOf(CONSENT, APPENDED)}) AS new (${APPENDED.join(', ')})`,
)
const COUNT_MANY = statement(
  `UPDATE consent SET count = count + 1
    WHERE subscription = ANY ($1::bigint[])
      AND n = (SELECT max(n) FROM consent AS own WHERE own.subscription = consent.subscription)`,
)

/** Writes what all of them change, each table in one statement. */
export const writeKnown = (unit: Transaction, all: readonly KnownWrites[]): void => {
  const changed = all.flatMap((writes) => [...writes.changed.values()])
  const update = (columns: readonly string[], statement: typeof UPDATE_MANY, rows: readonly NewRow[]) => {
    if (rows.length > 0) unit.write(statement, ...columnArrays(columns, rows))
  }
  const rowsOf = (wanted: boolean) =>
    changed.filter(({ hasFields }) => hasFields === wanted).map(({ subscription }) => subscriptionRow(subscription))
  update(NEW_SUBSCRIPTION, UPDATE_MANY, rowsOf(false))
  update(WITH_FIELDS, UPDATE_MANY_WITH_FIELDS, rowsOf(true))
  const consents = all.flatMap((writes) => writes.consents)
  if (consents.length > 0) {
    const rows = consents.map(({ place, record }) => ({ subscription: place, ...consentRow(record) }))
    unit.write(APPEND_MANY, ...columnArrays(APPENDED, rows))
  }
  const repetitions = all.flatMap((writes) => writes.repetitions)
  if (repetitions.length > 0) unit.write(COUNT_MANY, repetitions)
}
