import type { SignUpCountReader, SignUpCountStore } from '@rollcall/core'
import { type Ask, rowStatement, statement } from '../statement.ts'
import type { Transaction } from '../transaction.ts'

const BY_OUTCOME = 'SELECT count FROM sign_up_count WHERE outcome = $1'
const COUNT = rowStatement<{ count: number }>(BY_OUTCOME)
const LOOK = rowStatement<{ count: number }>(`${BY_OUTCOME} FOR UPDATE`)
export const ADD_COUNT = statement(
  `INSERT INTO sign_up_count AS known (outcome, count) VALUES ($1, $2)
    ON CONFLICT (outcome) DO UPDATE SET count = known.count + excluded.count`,
)

export const postgresSignUpCountReader = (ask: Ask): SignUpCountReader => ({
  count: async (outcome) => (await ask(COUNT, outcome))[0]?.count ?? 0,
})

export const postgresSignUpCountStore = (unit: Transaction): SignUpCountStore => ({
  count: async (outcome) => (await unit.firm(`count ${outcome}`, LOOK, outcome))?.count ?? 0,
  add: async (outcome, count = 1) => unit.write(ADD_COUNT, outcome, count),
})
