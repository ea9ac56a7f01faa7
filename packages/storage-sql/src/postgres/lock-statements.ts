import { DURABLE, statement } from './statement.ts'

// With the number of the transaction, by which one can ask what became of it; the commit may be all that follows.
const locking = (take: string, also = '') =>
  statement(
    `SELECT pg_current_xact_id()::text, count(${take}(hashtextextended(key COLLATE "C", 0))), ${DURABLE}${also}
      FROM unnest($1::text[]) AS key`,
  )
const locks = (also?: string) => ({
  lock: locking('pg_advisory_xact_lock', also),
  share: locking('pg_advisory_xact_lock_shared', also),
})
export const LOCKS = locks()
// Where there is one way to find rows, a plan for these very values is never better: making it costs more than its use.
export const LOCKS_BY_INDEX = locks(", set_config('plan_cache_mode', 'force_generic_plan', true)")
