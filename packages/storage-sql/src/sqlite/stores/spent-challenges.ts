import type { SpentChallengeStore } from '@rollcall/core'
import type { Synchronous } from '../asynchronous.ts'
import type { Writer } from '../writer.ts'

export const sqliteSpentChallengeStore = (writer: Writer): Synchronous<SpentChallengeStore> => {
  const spend = writer.connection.prepare(
    'INSERT INTO spent_challenge (id, expires_at) VALUES (?, ?) ON CONFLICT DO NOTHING',
  )
  const prune = writer.connection.prepare(
    `DELETE FROM spent_challenge WHERE id IN
      (SELECT id FROM spent_challenge WHERE expires_at < ? ORDER BY expires_at LIMIT +?)`,
  )
  return {
    spend: (id, expiresAt) => writer.write(spend, id, expiresAt).changes === 1,
    prune: (before, limit) => writer.write(prune, before, limit).changes,
  }
}
