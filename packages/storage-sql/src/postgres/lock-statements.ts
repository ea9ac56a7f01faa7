import { DURABLE, statement } from './statement.ts'

// With the number of the transaction, by which one can ask what became of it; the commit may be all that follows.
const NUMBER = 'pg_current_xact_id()::text'
const HASH = 'hashtextextended(key COLLATE "C", 0)'

const locking = (take: string) =>
  statement(`SELECT ${NUMBER}, count(${take}(${HASH})), ${DURABLE} FROM unnest($1::text[]) AS key`)

export const LOCKS = { lock: locking('pg_advisory_xact_lock'), share: locking('pg_advisory_xact_lock_shared') }

const taken = (n: number, take: string) =>
  `to_json(ARRAY(SELECT key FROM unnest($${n}::text[]) AS key WHERE ${take}(${HASH})))::text`
// What follows finds its rows in one way: a plan for these very values is never better, and making it costs more than its use.
export const TAKE_FREE = statement(
  `SELECT ${NUMBER}, ${taken(1, 'pg_try_advisory_xact_lock')}, ${taken(2, 'pg_try_advisory_xact_lock_shared')},
    ${DURABLE}, set_config('plan_cache_mode', 'force_generic_plan', true)`,
)
