import type { Claim, Clock, LeasedEntries, OutboxStore, PendingMail } from '@rollcall/core'
import { FREE, GIVE_BACK, type LeasedTable } from '../../tables/leases.ts'
import { mailValues, NEW_MAIL, OUTBOX_READ, OUTBOX_STORE, type OutboxRow, toOutboxEntry } from '../../tables/mails.ts'
import { insertInto } from '../../tables/table.ts'
import type { Synchronous } from '../asynchronous.ts'
import type { Writer } from '../writer.ts'
import { sqliteStore } from './run-methods.ts'

export const FREE_NOW = FREE.replaceAll('@now', '?')

/** Leases what is free, and counts the attempts. */
export const leaser = (writer: Writer, table: LeasedTable) => {
  const lease = writer.connection.prepare(
    `UPDATE ${table} SET owner = ?, leased_until = ?, attempts = attempts + 1 WHERE id = ?`,
  )
  return <Item extends { readonly id: number; readonly attempts: number }>(
    items: readonly Item[],
    { owner, leaseFor }: Claim,
    now: number,
  ): Item[] =>
    items.map((item) => {
      writer.write(lease, owner, now + leaseFor, item.id)
      return { ...item, attempts: item.attempts + 1 }
    })
}

/** `giveBack` in the table. */
export const giverBack = (writer: Writer, table: LeasedTable, clock: Clock): Synchronous<LeasedEntries>['giveBack'] => {
  const giveBack = writer.connection.prepare(
    `UPDATE ${table} SET ${GIVE_BACK}, not_before = coalesce(?, not_before), parked_at = ?, attempts = max(0, attempts - ?),
      last_error = coalesce(?, last_error) WHERE id = ? AND owner = ?`,
  )
  return (owner, entries) => {
    for (const { id, notBefore, attempted, error } of entries) {
      const parkedAt = notBefore === undefined ? clock.now() : null
      writer.write(giveBack, notBefore ?? null, parkedAt, attempted ? 0 : 1, error ?? null, id, owner)
    }
  }
}

export const sqliteOutboxStore = (writer: Writer, clock: Clock): Synchronous<OutboxStore> => {
  const { connection } = writer
  const insert = connection.prepare(insertInto('outbox', NEW_MAIL))
  const free = connection.prepare<[number, number, string, number], OutboxRow>(
    `SELECT ${OUTBOX_READ.join(', ')} FROM outbox WHERE ${FREE_NOW} AND owner IS NOT ? ORDER BY not_before, id LIMIT +?`,
  )
  const lease = leaser(writer, 'outbox')
  const add = (mail: PendingMail): number => writer.write(insert, ...mailValues(mail)).lastInsertRowid
  return {
    ...sqliteStore(OUTBOX_STORE, writer, clock),
    add,
    addMany: (mails) => mails.map(add),
    giveBack: giverBack(writer, 'outbox', clock),
    claim: (claim) => {
      const now = clock.now()
      return lease(free.all(now, now, claim.owner, claim.limit).map(toOutboxEntry), claim, now)
    },
  }
}
