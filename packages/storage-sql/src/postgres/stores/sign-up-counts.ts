import type { SignUpCountReader, SignUpCountStore } from '@rollcall/core'
import { type Ask, statement } from '../statement.ts'
import type { Transaction } from '../transaction.ts'

const BY_OUTCOME = 'SELECT count FROM sign_up_count WHERE outcome = $1'
const COUNT = statement(BY_OUTCOME)
const LOOK = statement(`${BY_OUTCOME} FOR UPDATE`)
export const ADD_COUNT = statement(
  `INSERT INTO sign_up_count AS known (outcome, count) VALUES ($1, $2)
    ON CONFLICT (outcome) DO UPDATE SET count = known.count + excluded.count`,
)

export const postgresSignUpCountReader = (ask: Ask): SignUpCountReader => ({
  count: async (outcome) => (await ask<[count: number]>(COUNT, outcome))[0]?.[0] ?? 0,
})

export const postgresSignUpCountStore = (unit: Transaction): SignUpCountStore => ({
  count: async (outcome) => (await unit.firm<[count: number]>(`count ${outcome}`, LOOK, outcome))?.[0] ?? 0,
  add: async (outcome, count = 1) => unit.write(ADD_COUNT, outcome, count),
})
