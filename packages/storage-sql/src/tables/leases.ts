import type { LeasedEntries, OutboxDepth, OutboxHealth, Stretch } from '@rollcall/core'
import { changeOne, first, type Method, type Methods, write } from './methods.ts'

export type LeasedTable = 'outbox' | 'webhook_delivery'

/** Columns that say who works on a row. */
export const LEASE = ['owner', 'leased_until'] as const
export const FREE = 'parked_at IS NULL AND not_before <= @now AND leased_until <= @now'
/** Due at once, as if it had never been tried. */
const AGAIN = 'not_before = @now, attempts = 0, parked_at = NULL'
export const GIVE_BACK = 'owner = NULL, leased_until = 0'

/** What is done with claimed rows, in a table whose rows can be leased. */
export const leasesOf = (table: LeasedTable): Methods<Omit<LeasedEntries, 'giveBack'>> => ({
  renew: write(
    `UPDATE ${table} SET leased_until = @now + ? WHERE owner = ? AND leased_until > @now`,
    (owner, leaseFor) => [leaseFor, owner],
  ),
  retry: changeOne(`UPDATE ${table} SET ${AGAIN} WHERE id = ?`, (id) => [id]),
})

/** The same as `retry` for many rows. */
export const againWhere = (table: LeasedTable, condition: string): string =>
  `UPDATE ${table} SET ${AGAIN} WHERE ${condition}`

// Each number is answered from a partial index of its own.
export const depthOf = (table: LeasedTable): Method<[], OutboxDepth> =>
  first(
    `SELECT (SELECT count(*) FROM ${table} WHERE parked_at IS NULL) AS waiting,
      (SELECT count(*) FROM ${table} WHERE parked_at IS NOT NULL) AS parked`,
    () => [],
    (depth: OutboxDepth = { waiting: 0, parked: 0 }) => depth,
  )

export const underWayOf = (table: LeasedTable): Method<[], number> =>
  first(
    `SELECT count(*) AS count FROM ${table} WHERE owner IS NOT NULL AND leased_until > @now`,
    () => [],
    (row: { count: number } | undefined) => row?.count ?? 0,
  )

/** `parked`: a condition; `dueSince`: a query for one number. */
export const healthOf = (parked: string, dueSince: string): Method<[], OutboxHealth> =>
  first(
    `SELECT (${parked}) AS parked, (${dueSince}) AS since`,
    () => [],
    (row: { parked: number | boolean; since: number | null } | undefined) => ({
      parked: Boolean(row?.parked),
      dueSince: row?.since ?? undefined,
    }),
  )

/** The text for all rows, for those that are parked, or for those that are not. */
export const parkedOrNot = <Filter extends Stretch & { readonly parked?: boolean | undefined }>(
  begin: string,
  rest: string,
) => {
  const [every, parked, unparked] = ['TRUE', 'parked_at IS NOT NULL', 'parked_at IS NULL'].map(
    (condition) => `${begin} ${condition} AND ${rest}`,
  ) as [string, string, string]
  return ({ parked: wanted }: Filter): string => (wanted === undefined ? every : wanted ? parked : unparked)
}
