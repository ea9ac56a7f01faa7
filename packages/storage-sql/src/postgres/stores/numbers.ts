import type { NumberChange, NumberStore } from '@rollcall/core'
import { addToNumbers, DELTA_COLUMNS, deltaValues, NUMBER_DELTA, NUMBER_STORE } from '../../tables/numbers.ts'
import { keyOf } from '../lock-keys.ts'
import { arraysOf, rowStatement, statement, valueArrays } from '../statement.ts'
import type { Transaction } from '../transaction.ts'
import { lock, postgresStore } from './run-methods.ts'

const COLUMNS = DELTA_COLUMNS.join(', ')
// As few rows as say the same: what shares a commit is mostly alike.
const ADD = statement(
  `INSERT INTO number_delta (${COLUMNS})
    SELECT feed, day, what, sum(count) FROM unnest(${arraysOf(NUMBER_DELTA, DELTA_COLUMNS)}) AS new (${COLUMNS})
    GROUP BY feed, day, what`,
)
const FOLD = rowStatement<{ readonly count: number }>(
  `WITH taken AS (DELETE FROM number_delta
      WHERE id = ANY (ARRAY(SELECT id FROM number_delta ORDER BY id LIMIT $1)) RETURNING ${COLUMNS}),
    folded AS (${addToNumbers()})
    SELECT count(*) AS count FROM taken`,
)
// Nothing is folded meanwhile.
const store = postgresStore(NUMBER_STORE, { forget: lock(keyOf.sealing) })

/** Writes what was added to the numbers. */
export const writeNumbers = (unit: Transaction, changes: readonly NumberChange[]): void => {
  if (changes.length > 0) unit.write(ADD, ...valueArrays(DELTA_COLUMNS.length, changes.map(deltaValues)))
}

export const postgresNumberStore = (unit: Transaction): NumberStore => ({
  ...store(unit),
  add: async (changes) => writeNumbers(unit, changes),
  fold: async (limit) => {
    unit.lock(keyOf.sealing)
    const [row] = await unit.ask(FOLD, limit)
    return row?.count ?? 0
  },
})
