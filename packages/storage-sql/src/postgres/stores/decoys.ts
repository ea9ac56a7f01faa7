import type { DecoyStore } from '@rollcall/core'
import { statement } from '../statement.ts'
import type { Transaction } from '../transaction.ts'
import { Reserve } from './new-rows.ts'
import { IDS } from './outbox.ts'

// Into the write-ahead log and nowhere else: in a table of few rows, transactions would wait for each other.
const WRITE = statement("SELECT pg_logical_emit_message(true, 'rollcall', content) FROM unnest($1::text[]) AS content")

export const writeDecoys = (unit: Transaction, contents: readonly string[]): void => {
  if (contents.length > 0) unit.write(WRITE, contents)
}

export const postgresDecoyStore = (unit: Transaction, ids = new Reserve(unit, IDS)): DecoyStore => ({
  write: async (content) => {
    // As a mail does.
    await ids.take()
    writeDecoys(unit, [content])
  },
})
