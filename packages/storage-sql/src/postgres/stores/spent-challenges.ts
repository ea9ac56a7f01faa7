import type { SpentChallengeStore } from '@rollcall/core'
import { keyOf } from '../lock-keys.ts'
import { statement } from '../statement.ts'
import type { Transaction } from '../transaction.ts'

const SPEND = statement('INSERT INTO spent_challenge (id, expires_at) VALUES ($1, $2) ON CONFLICT DO NOTHING')
export const SPEND_MANY = statement(
  'INSERT INTO spent_challenge (id, expires_at) SELECT * FROM unnest($1::text[], $2::bigint[]) ON CONFLICT DO NOTHING',
)
const PRUNE = statement(
  `DELETE FROM spent_challenge WHERE id IN
    (SELECT id FROM spent_challenge WHERE expires_at < $1 ORDER BY expires_at LIMIT $2)`,
)

export const postgresSpentChallengeStore = (unit: Transaction): SpentChallengeStore => ({
  spend: async (id, expiresAt) => {
    unit.lock(keyOf.challenge(id))
    return (await unit.change(SPEND, id, expiresAt)) === 1
  },
  prune: (before, limit) => unit.change(PRUNE, before, limit),
})
