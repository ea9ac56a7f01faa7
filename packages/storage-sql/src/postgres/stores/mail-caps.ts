import type { MailCapStore, MailSlot } from '@rollcall/core'
import { keyOf } from '../lock-keys.ts'
import { rowStatement, statement } from '../statement.ts'
import type { Transaction } from '../transaction.ts'

const LOOK = rowStatement<{ slots: string }>('SELECT slots FROM mail_cap WHERE address = $1 FOR UPDATE')
const PUT = statement(
  `INSERT INTO mail_cap (address, last_at, slots) VALUES ($1, $2, $3)
    ON CONFLICT (address) DO UPDATE SET last_at = excluded.last_at, slots = excluded.slots`,
)
const REMOVE = statement('DELETE FROM mail_cap WHERE address = $1')
const PRUNE = statement(
  `DELETE FROM mail_cap WHERE address IN
    (SELECT address FROM mail_cap WHERE last_at < $1 ORDER BY last_at LIMIT $2 FOR UPDATE)`,
)

export const postgresMailCapStore = (unit: Transaction): MailCapStore => ({
  slots: async (address) => {
    const row = await unit.firm(keyOf.address(address), LOOK, address)
    return row === undefined ? [] : (JSON.parse(row.slots) as readonly MailSlot[])
  },
  put: async (address, all) => {
    unit.lock(keyOf.address(address))
    if (all.length === 0) unit.write(REMOVE, address)
    else unit.write(PUT, address, Math.max(...all.map(({ at }) => at)), JSON.stringify(all))
  },
  prune: (before, limit) => unit.change(PRUNE, before, limit),
})
