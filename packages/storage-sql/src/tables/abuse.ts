import type { AddressHash, MailCapStore, MailSlot, SpentChallengeStore } from '@rollcall/core'
import { changeOne, type Methods, pruneBefore } from './methods.ts'
import { columnsOf, insertInto, type RowOf, table, text, whole } from './table.ts'

export const MAIL_CAP = table('mail_cap', 1, { address: text<AddressHash>(), last_at: whole(), slots: text() })

export const PUT_CAP = `${insertInto('mail_cap', columnsOf(MAIL_CAP))}
  ON CONFLICT (address) DO UPDATE SET last_at = excluded.last_at, slots = excluded.slots`
/** In the order of the columns. */
export const capValues = (address: AddressHash, slots: readonly MailSlot[]) => [
  address,
  Math.max(...slots.map(({ at }) => at)),
  JSON.stringify(slots),
]
export const REMOVE_CAP = 'DELETE FROM mail_cap WHERE address = ?'

export const MAIL_CAP_STORE: Methods<Omit<MailCapStore, 'put'>> = {
  slotsOf: {
    gives: 'all',
    text: 'SELECT address, slots FROM mail_cap WHERE address IN @texts',
    values: (addresses) => [addresses],
    answer: (rows: readonly Pick<RowOf<typeof MAIL_CAP>, 'address' | 'slots'>[]) =>
      new Map(rows.map(({ address, slots }): [AddressHash, readonly MailSlot[]] => [address, JSON.parse(slots)])),
  },
  prune: pruneBefore('mail_cap', 'address', 'last_at'),
}

export const SPENT_CHALLENGE = table('spent_challenge', 1, { id: text(), expires_at: whole() })

export const SPENT_CHALLENGE_STORE: Methods<SpentChallengeStore> = {
  spend: changeOne(
    'INSERT INTO spent_challenge (id, expires_at) VALUES (?, ?) ON CONFLICT DO NOTHING',
    (id, expiresAt) => [id, expiresAt],
  ),
  prune: pruneBefore('spent_challenge', 'id', 'expires_at'),
}
