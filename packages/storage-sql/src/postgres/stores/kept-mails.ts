import type { KeptMailStore } from '@rollcall/core'
import { statement } from '../statement.ts'
import type { Transaction } from '../transaction.ts'
import type { RowCache } from './row-cache.ts'

const INSERT = statement('INSERT INTO kept_mail (subscription, message_id) VALUES ($1, $2) ON CONFLICT DO NOTHING')
const LIST = statement('SELECT message_id FROM kept_mail WHERE subscription = $1 ORDER BY message_id')

export const postgresKeptMailStore = (unit: Transaction, cache: RowCache): KeptMailStore => ({
  add: async (id, messageId) => {
    const { seq } = await cache.of(id)
    if (seq === undefined) throw new RangeError('There is no subscription for this kept mail.')
    unit.write(INSERT, seq, messageId)
  },
  list: async (id) => {
    const { seq } = await cache.of(id)
    return seq === undefined ? [] : (await unit.ask<[messageId: string]>(LIST, seq)).map(([messageId]) => messageId)
  },
})
