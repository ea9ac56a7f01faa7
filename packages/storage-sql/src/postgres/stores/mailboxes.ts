import type { AddressHash, MailCapStore, SuppressionStore } from '@rollcall/core'
import { capValues, MAIL_CAP, slotsByAddress } from '../../tables/abuse.ts'
import { SUPPRESSION_COLUMNS, type SuppressionRow, toSuppression } from '../../tables/suppressions.ts'
import { columnsOf } from '../../tables/table.ts'
import { Loader } from '../loader.ts'
import { keyOf } from '../lock-keys.ts'
import { arraysOf, rowStatement, statement, valueArrays } from '../statement.ts'
import type { Transaction } from '../transaction.ts'

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
const SLOTS_OF = rowStatement<{ address: AddressHash; slots: string }>(
  'SELECT address, slots FROM mail_cap WHERE address = ANY ($1::text[]) FOR UPDATE',
)

export const postgresMailCapStore = (unit: Transaction): MailCapStore => {
  type Slots = Awaited<ReturnType<MailCapStore['slotsOf']>>
  // A set locks the plainer forms of its addresses with what is suppressed, which it looks for before in the same tick.
  const slots = new Loader<AddressHash, Slots>(async (addresses) => {
    unit.lock(...addresses.map(keyOf.address))
    const found = slotsByAddress(await unit.ask(SLOTS_OF, [...new Set(addresses)]))
    return () => found
  })
  return {
    slotsOf: async (addresses) => {
      const found = await Promise.all(
        addresses.map(async (address) => [address, (await slots.find(address)).get(address)] as const),
      )
      return new Map(found.flatMap(([address, own]) => (own === undefined ? [] : [[address, own] as const])))
    },
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

const LOOK_SUPPRESSIONS = rowStatement<SuppressionRow>(
  `SELECT ${SUPPRESSION_COLUMNS} FROM suppression WHERE address = ANY ($1::text[]) FOR UPDATE`,
)
/** Of the suppressions what is looked up for all who ask in one turn at once. */
export const lookingSuppressionsUp = (unit: Transaction): Pick<SuppressionStore, 'findMany'> => {
  const rows = new Loader<AddressHash, SuppressionRow | undefined>(async (addresses) => {
    unit.lock(...addresses.map(keyOf.address))
    const found = await unit.ask(LOOK_SUPPRESSIONS, [...new Set(addresses)])
    const byAddress = new Map(found.map((row) => [row.address, row]))
    return (address) => byAddress.get(address)
  })
  return {
    findMany: async (addresses) => {
      const found = await Promise.all(addresses.map((address) => rows.find(address)))
      return new Map(found.flatMap((row) => (row === undefined ? [] : [[row.address, toSuppression(row)] as const])))
    },
  }
}
