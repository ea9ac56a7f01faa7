import type { ConsentRecord, Subscription } from '@rollcall/core'
import {
  CONSENT,
  CONSENT_VALUES,
  consentRow,
  NEW_SUBSCRIPTION,
  SUBSCRIPTION,
  subscriptionRow,
} from '../../tables/subscriptions.ts'
import { arraysOf, columnArrays, statement } from '../statement.ts'
import type { Transaction } from '../transaction.ts'

/** What a sign-up changes of a subscription that is stored. */
export interface KnownWrites {
  readonly changed: Map<number, Subscription>
  /** By the place of the subscription, once each. */
  readonly consents: { readonly place: number; readonly record: ConsentRecord }[]
  readonly repetitions: number[]
}

// Without joins: a plan that is made while the tables are small, and kept, would read them whole when they are large.
const UPDATE_MANY = statement(
  `UPDATE subscription SET (${NEW_SUBSCRIPTION.join(', ')}) =
      (SELECT ${NEW_SUBSCRIPTION.map((column) => `new.${column}`).join(', ')}
        FROM unnest(${arraysOf(SUBSCRIPTION, NEW_SUBSCRIPTION)}) AS new (${NEW_SUBSCRIPTION.join(', ')})
        WHERE new.id = subscription.id)
    WHERE id = ANY ($${NEW_SUBSCRIPTION.indexOf('id') + 1}::bigint[])`,
)
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
  if (changed.length > 0) unit.write(UPDATE_MANY, ...columnArrays(NEW_SUBSCRIPTION, changed.map(subscriptionRow)))
  const consents = all.flatMap((writes) => writes.consents)
  if (consents.length > 0) {
    const rows = consents.map(({ place, record }) => ({ subscription: place, ...consentRow(record) }))
    unit.write(APPEND_MANY, ...columnArrays(APPENDED, rows))
  }
  const repetitions = all.flatMap((writes) => writes.repetitions)
  if (repetitions.length > 0) unit.write(COUNT_MANY, repetitions)
}
