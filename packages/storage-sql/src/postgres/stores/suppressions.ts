import type { AddressHash, SuppressionReader, SuppressionStore } from '@rollcall/core'
import { SUPPRESSION_COLUMNS, type SuppressionRow, toSuppressionRecord } from '../../tables/subscriptions.ts'
import { pageOf } from '../../tables/table.ts'
import { Loader } from '../loader.ts'
import { keyOf } from '../lock-keys.ts'
import { type Ask, rowStatement, statement } from '../statement.ts'
import type { Transaction } from '../transaction.ts'

const select = (rest: string) => rowStatement<SuppressionRow>(`SELECT ${SUPPRESSION_COLUMNS} FROM suppression ${rest}`)
const FIND = select('WHERE address = $1')
const LOOK = select('WHERE address = ANY ($1::text[]) FOR UPDATE')
const LIST = select('WHERE seq > $1 ORDER BY seq LIMIT $2')
const INSERT = statement(
  `INSERT INTO suppression (address, cause, since) VALUES ($1, $2, $3)
    ON CONFLICT (address) DO UPDATE SET cause = excluded.cause, since = excluded.since
      WHERE excluded.cause = 'never-again' AND suppression.cause <> 'never-again'`,
)
const REMOVE = statement('DELETE FROM suppression WHERE address = $1')

const toSuppression = (row: SuppressionRow | undefined) => row && { cause: row.cause, since: row.since }

export const postgresSuppressionReader = (ask: Ask): SuppressionReader => ({
  find: async (address) => toSuppression((await ask(FIND, address))[0]),
  list: async ({ after, limit }) =>
    pageOf(await ask(LIST, after, limit + 1), { limit, by: ({ seq }) => seq }, toSuppressionRecord),
})

export const postgresSuppressionStore = (unit: Transaction): SuppressionStore => {
  const rows = new Loader<AddressHash, SuppressionRow | undefined>(async (addresses) => {
    unit.lock(...addresses.map(keyOf.address))
    const found = await unit.ask(LOOK, [...new Set(addresses)])
    const byAddress = new Map(found.map((row) => [row.address, row]))
    return (address) => byAddress.get(address)
  })
  return {
    ...postgresSuppressionReader(unit.ask),
    find: async (address) => toSuppression(await rows.find(address)),
    add: async (address, { cause, since }) => {
      unit.lock(keyOf.address(address))
      unit.write(INSERT, address, cause, since)
    },
    remove: async (address) => {
      unit.lock(keyOf.address(address))
      return (await unit.change(REMOVE, address)) > 0
    },
  }
}
