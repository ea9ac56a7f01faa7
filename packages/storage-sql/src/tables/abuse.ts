import type {
  AddressHash,
  DecoyStore,
  MailCapStore,
  MailSlot,
  SignUpCountReader,
  SignUpCountStore,
  SpentChallengeStore,
} from '@rollcall/core'
import { byKey, changeOne, first, type Methods, pruneBefore, write } from './methods.ts'
import { columnsOf, insertInto, table, text, whole } from './table.ts'

export const MAIL_CAP = table('mail_cap', 1, { address: text<AddressHash>(), last_at: whole(), slots: text() })

const PUT_CAP = `${insertInto('mail_cap', columnsOf(MAIL_CAP))}
  ON CONFLICT (address) DO UPDATE SET last_at = excluded.last_at, slots = excluded.slots`
/** In the order of the columns. */
export const capValues = (address: AddressHash, slots: readonly MailSlot[]) => [
  address,
  Math.max(...slots.map(({ at }) => at)),
  JSON.stringify(slots),
]
const REMOVE_CAP = 'DELETE FROM mail_cap WHERE address = ?'

const toSlots = ({ slots }: { slots: string }) => JSON.parse(slots) as readonly MailSlot[]

export const MAIL_CAP_STORE: Methods<Omit<MailCapStore, 'putMany'>> = {
  slots: first(
    'SELECT slots FROM mail_cap WHERE address = ?',
    (address) => [address],
    (row: { slots: string } | undefined) => (row === undefined ? [] : toSlots(row)),
  ),
  slotsOf: byKey(
    'SELECT address, slots FROM mail_cap WHERE address IN @texts',
    (addresses) => [addresses],
    (row: { address: AddressHash; slots: string }) => row.address,
    toSlots,
  ),
  put: write(
    (_, slots) => (slots.length === 0 ? REMOVE_CAP : PUT_CAP),
    (address, slots) => (slots.length === 0 ? [address] : capValues(address, slots)),
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

export const SIGN_UP_COUNT = table('sign_up_count', 1, { outcome: text(), count: whole() })

export const SIGN_UP_COUNT_READER: Methods<SignUpCountReader> = {
  count: first(
    'SELECT count FROM sign_up_count WHERE outcome = ?',
    (outcome) => [outcome],
    (row: { count: number } | undefined) => row?.count ?? 0,
  ),
}

export const ADD_COUNT = `INSERT INTO sign_up_count AS known (outcome, count) VALUES (?, ?)
  ON CONFLICT (outcome) DO UPDATE SET count = known.count + excluded.count`

export const SIGN_UP_COUNT_STORE: Methods<SignUpCountStore> = {
  ...SIGN_UP_COUNT_READER,
  add: write(ADD_COUNT, (outcome, count = 1) => [outcome, count]),
}
