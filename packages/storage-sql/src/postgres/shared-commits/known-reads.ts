import type { AddressHash, ConsentRecord, MailSlot, OutboxEntry, OutboxId } from '@rollcall/core'
import { OUTBOX_READ, type OutboxRow, toOutboxEntry } from '../../tables/mails.ts'
import { CONSENT_VALUES, type ConsentRow, toConsentRecord } from '../../tables/subscriptions.ts'
import { Loader } from '../loader.ts'
import { keyOf } from '../lock-keys.ts'
import { type ListStatement, type RowStatement, rowStatement, statement } from '../statement.ts'
import type { Transaction } from '../transaction.ts'

const MAILS = rowStatement<OutboxRow>(
  `SELECT ${OUTBOX_READ.join(', ')} FROM outbox WHERE id = ANY ($1::bigint[]) FOR UPDATE SKIP LOCKED`,
)
const MAILS_THERE = statement('SELECT id FROM outbox WHERE id = ANY ($1::bigint[])')
const SLOTS = rowStatement<{ address: AddressHash; slots: string }>(
  'SELECT address, slots FROM mail_cap WHERE address = ANY ($1::text[]) FOR UPDATE',
)
const LAST_CONSENTS = rowStatement<ConsentRow & { subscription: number }>(
  `SELECT asked.subscription, ${CONSENT_VALUES.map((column) => `last.${column}`).join(', ')}
    FROM unnest($1::bigint[]) AS asked (subscription)
    CROSS JOIN LATERAL (SELECT * FROM consent WHERE consent.subscription = asked.subscription ORDER BY n DESC LIMIT 1)
      AS last`,
)

/** A row that another transaction has locked: waiting for it would make the whole batch wait. */
export const LOCKED = Symbol('locked')

/** The rows that `lock` gets and others do not hold, and the ids of all: what `there` gives. */
export const freeRows = async <Row extends { readonly id: number }>(
  unit: Transaction,
  lock: RowStatement<Row>,
  there: ListStatement,
  ids: readonly number[],
): Promise<{ readonly rows: ReadonlyMap<number, Row>; readonly there: ReadonlySet<number> }> => {
  // In this order: what goes away in between is seen by neither.
  const [rows, all] = await Promise.all([unit.ask(lock, ids), unit.ask<[id: number]>(there, ids)])
  return { rows: new Map(rows.map((row) => [row.id, row])), there: new Set(all.flat()) }
}

/** What sign-ups that share a transaction ask about addresses that are known, and just as well about others. */
export const knownReads = (unit: Transaction) => ({
  freeMails: new Loader(async (ids: readonly OutboxId[]) => {
    unit.lock(...ids.map(keyOf.outboxEntry))
    const { rows, there } = await freeRows(unit, MAILS, MAILS_THERE, [...new Set(ids)])
    return (id): OutboxEntry | undefined | typeof LOCKED => {
      const row = rows.get(id)
      if (row !== undefined) return toOutboxEntry(row)
      return there.has(id) ? LOCKED : undefined
    }
  }),
  slots: new Loader(async (addresses: readonly AddressHash[]) => {
    unit.lock(...addresses.map(keyOf.address))
    const found = await unit.ask(SLOTS, [...new Set(addresses)])
    const byAddress = new Map(found.map(({ address, slots }) => [address, JSON.parse(slots) as readonly MailSlot[]]))
    return (address) => byAddress.get(address) ?? []
  }),
  /** Of the ledger of the subscription in this place. */
  lastConsents: new Loader(async (places: readonly number[]) => {
    const found = await unit.ask(LAST_CONSENTS, [...new Set(places)])
    const byPlace = new Map<number, ConsentRecord>(found.map((row) => [row.subscription, toConsentRecord(row)]))
    return (place) => byPlace.get(place)
  }),
})
