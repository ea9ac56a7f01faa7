import type { OutboxStore } from '@rollcall/core'
import { statement } from '../statement.ts'
import type { Transaction } from '../transaction.ts'

/** The database's clock, the same for every instance. */
export const NOW = '(extract(epoch FROM clock_timestamp()) * 1000)::bigint'
export const FREE = `parked_at IS NULL AND not_before <= ${NOW} AND leased_until <= ${NOW}`
/** Due at once, as if it had never been tried. */
export const AGAIN = `not_before = ${NOW}, attempts = 0, parked_at = NULL`

/** What is done with what somebody has claimed, in a table whose rows can be leased. */
export const postgresLeases = (table: 'outbox' | 'webhook_delivery') => {
  const renew = statement(`UPDATE ${table} SET leased_until = ${NOW} + $2 WHERE owner = $1 AND leased_until > ${NOW}`)
  const settle = statement(`DELETE FROM ${table} WHERE id = $1 AND owner = $2`)
  const postpone = statement(
    `UPDATE ${table} SET owner = NULL, leased_until = 0, not_before = $3, attempts = attempts - $4,
      last_error = coalesce($5, last_error) WHERE id = $1 AND owner = $2`,
  )
  const park = statement(
    `UPDATE ${table} SET owner = NULL, leased_until = 0, parked_at = ${NOW}, last_error = $3
      WHERE id = $1 AND owner = $2`,
  )
  const retry = statement(`UPDATE ${table} SET ${AGAIN} WHERE id = $1`)

  return (unit: Transaction): Pick<OutboxStore, 'renew' | 'settle' | 'postpone' | 'park' | 'retry'> => ({
    renew: async (owner, leaseFor) => unit.write(renew, owner, leaseFor),
    settle: async (id, owner) => (await unit.change(settle, id, owner)) === 1,
    postpone: async (id, owner, { notBefore, attempted, error = null }) =>
      unit.write(postpone, id, owner, notBefore, attempted ? 0 : 1, error),
    park: async (id, owner, error) => unit.write(park, id, owner, error),
    retry: async (id) => (await unit.change(retry, id)) === 1,
  })
}
