import type { ConsentDeed, ConsentRecord } from '@rollcall/core'

export const CONSENT_COLUMNS = 'at, deed, via, client_address, user_agent, wording, language, count'

export type ConsentRow = [
  at: number,
  deed: ConsentDeed,
  via: string,
  clientAddress: string | null,
  userAgent: string | null,
  wording: string,
  language: string | null,
  count: number,
]

export const toConsentRecord = (row: ConsentRow): ConsentRecord => ({
  at: row[0],
  deed: row[1],
  via: row[2],
  clientAddress: row[3] ?? undefined,
  userAgent: row[4] ?? undefined,
  wording: row[5],
  language: row[6] ?? undefined,
  count: row[7],
})
