import type { AddressHash, DecoyStore, MailCapStore, MailSlot, SpentChallengeStore } from '@rollcall/core'
import { changeOne, first, type Methods, pruneBefore, write } from './methods.ts'
import { columnsOf, insertInto, table, text, whole } from './table.ts'

export const MAIL_CAP = table('mail_cap', 1, { address: text<AddressHash>(), last_at: whole(), slots: text() })

const PUT_CAP = `${insertInto('mail_cap', columnsOf(MAIL_CAP))}
  ON CONFLICT (address) DO UPDATE SET last_at = excluded.last_at, slots = excluded.slots`
const REMOVE_CAP = 'DELETE FROM mail_cap WHERE address = ?'

export const MAIL_CAP_STORE: Methods<MailCapStore> = {
  slots: first(
    'SELECT slots FROM mail_cap WHERE address = ?',
    (address) => [address],
    (row: { slots: string } | undefined) => (row === undefined ? [] : (JSON.parse(row.slots) as readonly MailSlot[])),
  ),
  put: write(
    (_, slots) => (slots.length === 0 ? REMOVE_CAP : PUT_CAP),
    (address, slots) =>
      slots.length === 0 ? [address] : [address, Math.max(...slots.map(({ at }) => at)), JSON.stringify(slots)],
  ),
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

/** In one row, whose content changes: what changes nothing is not written to the disk. */
export const ROW_OF_DECOYS: Methods<DecoyStore> = {
  write: write(
    `INSERT INTO instance (name, value) VALUES ('decoy', ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
    (content) => [content],
  ),
}
