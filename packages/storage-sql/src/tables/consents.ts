import type { ConsentAction, ConsentRecord, ConsentStore, KeptMailStore } from '@rollcall/core'
import { all, find, type Methods, write } from './methods.ts'
import { columnsOf, insertInto, mapping, type RowOf, table, text, whole } from './table.ts'

export const CONSENT = table('consent', 2, {
  subscription: whole(),
  n: whole(),
  at: whole(),
  deed: text<ConsentAction>(),
  via: text(),
  client_address: text<string | null>(),
  user_agent: text<string | null>(),
  wording: text(),
  language: text<string | null>(),
  count: whole(),
})

/** Without the key: a record is read as a part of its ledger. */
export type ConsentRow = Omit<RowOf<typeof CONSENT>, 'subscription' | 'n'>

const RECORD = mapping(CONSENT, 'subscription', 'n')

export const CONSENT_VALUES = RECORD.columns
export const CONSENT_COLUMNS = CONSENT_VALUES.join(', ')
export const { toRow: consentRow, toValues: consentValues } = RECORD

// By hand, as `toSubscription`: exports and imports do this for millions of rows.
export const toConsentRecord = (row: ConsentRow): ConsentRecord => ({
  at: row.at,
  deed: row.deed,
  via: row.via,
  clientAddress: row.client_address ?? undefined,
  userAgent: row.user_agent ?? undefined,
  wording: row.wording,
  language: row.language ?? undefined,
  count: row.count,
})

const CONSENTS = `SELECT ${CONSENT_COLUMNS} FROM consent WHERE subscription = +? ORDER BY n`

interface Ledger extends Pick<ConsentStore, 'countRepetition' | 'list'> {
  last(place: number): Promise<ConsentRecord | undefined>
}

/** What is asked of a ledger, by the place of its subscription. */
export const LEDGER: Methods<Ledger> = {
  last: find(`${CONSENTS} DESC LIMIT 1`, (place) => [place], toConsentRecord),
  list: all(CONSENTS, (place) => [place], toConsentRecord),
  countRepetition: write(
    `UPDATE consent SET count = count + CAST(? AS bigint)
      WHERE subscription = +? AND n = (SELECT max(n) FROM consent WHERE subscription = +?)`,
    (place, times = 1) => [times, place, place],
  ),
}

export const KEPT_MAIL = table('kept_mail', 2, { subscription: whole(), message_id: text() })

/** By the place of the subscription. */
export const KEPT_MAILS: Methods<KeptMailStore> = {
  add: write(`${insertInto('kept_mail', columnsOf(KEPT_MAIL))} ON CONFLICT DO NOTHING`, (place, id) => [place, id]),
  list: all(
    'SELECT message_id FROM kept_mail WHERE subscription = +? ORDER BY message_id',
    (place) => [place],
    (row: { message_id: string }) => row.message_id,
  ),
}
