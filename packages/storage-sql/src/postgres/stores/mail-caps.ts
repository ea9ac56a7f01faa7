import type { MailCapStore } from '@rollcall/core'
import { capValues, MAIL_CAP, MAIL_CAP_STORE } from '../../tables/abuse.ts'
import { columnsOf } from '../../tables/table.ts'
import { Loader } from '../loader.ts'
import { keyOf } from '../lock-keys.ts'
import { arraysOf, statement, valueArrays } from '../statement.ts'
import type { Transaction } from '../transaction.ts'
import { firmEach, postgresStore } from './run-methods.ts'

// As an array, what is to go is looked for once. A join may look again for each row, where `FOR UPDATE` skips those that
// are deleted already and finds others, beyond the limit.
const PRUNE_CAPS = statement(
  `DELETE FROM mail_cap WHERE address = ANY
    (ARRAY(SELECT address FROM mail_cap WHERE last_at < $1 ORDER BY last_at LIMIT $2 FOR UPDATE))`,
)
const CAP_COLUMNS = columnsOf(MAIL_CAP)
const PUT_CAPS = statement(
  `INSERT INTO mail_cap (${CAP_COLUMNS.join(', ')}) SELECT * FROM unnest(${arraysOf(MAIL_CAP, CAP_COLUMNS)})
    ON CONFLICT (address) DO UPDATE SET last_at = excluded.last_at, slots = excluded.slots`,
)
const REMOVE_CAPS = statement('DELETE FROM mail_cap WHERE address = ANY ($1::text[])')
const store = postgresStore<Pick<MailCapStore, 'slotsOf'>>(
  { slotsOf: MAIL_CAP_STORE.slotsOf },
  { slotsOf: firmEach(keyOf.address) },
)

export const postgresMailCapStore = (unit: Transaction): MailCapStore => {
  // A set locks the plainer forms of its addresses with what is suppressed, which it looks for before in the same tick.
  const slots = new Loader(store(unit).slotsOf)
  return {
    slotsOf: (addresses) => slots.findMany(addresses),
    put: async (changed) => {
      const all = [...changed]
      const kept = all.filter(([, slots]) => slots.length > 0)
      const gone = all.filter(([, slots]) => slots.length === 0).map(([address]) => address)
      unit.lock(...all.map(([address]) => keyOf.address(address)))
      if (gone.length > 0) unit.write(REMOVE_CAPS, gone)
      const values = kept.map(([address, slots]) => capValues(address, slots))
      if (kept.length > 0) unit.write(PUT_CAPS, ...valueArrays(CAP_COLUMNS.length, values))
    },
    prune: (before, limit) => unit.change(PRUNE_CAPS, before, limit),
  }
}
