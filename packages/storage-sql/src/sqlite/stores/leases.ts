import type { Clock, OutboxStore } from '@rollcall/core'
import type { Synchronous } from '../asynchronous.ts'
import type { Writer } from '../writer.ts'

export const FREE = 'parked_at IS NULL AND not_before <= ? AND leased_until <= ?'
/** Due at once, as if it had never been tried. */
export const AGAIN = 'not_before = ?, attempts = 0, parked_at = NULL'

type Leases = Synchronous<Pick<OutboxStore, 'renew' | 'settle' | 'postpone' | 'park' | 'retry'>>

/** What is done with what somebody has claimed, in a table whose rows can be leased. */
export const sqliteLeases = (writer: Writer, clock: Clock, table: 'outbox' | 'webhook_delivery') => {
  const prepare = (text: string) => writer.connection.prepare(text)
  const lease = prepare(`UPDATE ${table} SET owner = ?, leased_until = ?, attempts = attempts + 1 WHERE id = ?`)
  const renew = prepare(`UPDATE ${table} SET leased_until = ? WHERE owner = ? AND leased_until > ?`)
  const settle = prepare(`DELETE FROM ${table} WHERE id = ? AND owner = ?`)
  const postpone = prepare(
    `UPDATE ${table} SET owner = NULL, leased_until = 0, not_before = ?, attempts = attempts - ?,
      last_error = coalesce(?, last_error) WHERE id = ? AND owner = ?`,
  )
  const park = prepare(
    `UPDATE ${table} SET owner = NULL, leased_until = 0, parked_at = ?, last_error = ? WHERE id = ? AND owner = ?`,
  )
  const retry = prepare(`UPDATE ${table} SET ${AGAIN} WHERE id = ?`)

  const leases: Leases = {
    renew: (owner, leaseFor) => {
      const now = clock.now()
      writer.write(renew, now + leaseFor, owner, now)
    },
    settle: (id, owner) => writer.write(settle, id, owner).changes === 1,
    postpone: (id, owner, { notBefore, attempted, error }) => {
      writer.write(postpone, notBefore, attempted ? 0 : 1, error ?? null, id, owner)
    },
    park: (id, owner, error) => {
      writer.write(park, clock.now(), error, id, owner)
    },
    retry: (id) => writer.write(retry, clock.now(), id).changes === 1,
  }
  return {
    leases,
    /** Leases a row that is free, and counts the attempt. */
    take: (id: number, owner: string, until: number): void => {
      writer.write(lease, owner, until, id)
    },
  }
}
