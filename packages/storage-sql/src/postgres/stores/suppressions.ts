import type { AddressHash, SuppressionCause, SuppressionReader, SuppressionStore } from '@rollcall/core'
import { pageOf } from '../../rows/page-of.ts'
import { Loader } from '../loader.ts'
import { keyOf } from '../lock-keys.ts'
import { type Ask, statement } from '../statement.ts'
import type { Transaction } from '../transaction.ts'

type SuppressionRow = [seq: number, address: string, cause: SuppressionCause, since: number]
type FoundRow = [cause: SuppressionCause, since: number]

const BY_ADDRESS = 'SELECT cause, since FROM suppression WHERE address = $1'
const FIND = statement(BY_ADDRESS)
const LOOK = statement('SELECT seq, address, cause, since FROM suppression WHERE address = ANY ($1::text[]) FOR UPDATE')
const LIST = statement('SELECT seq, address, cause, since FROM suppression WHERE seq > $1 ORDER BY seq LIMIT $2')
const INSERT = statement(
  `INSERT INTO suppression (address, cause, since) VALUES ($1, $2, $3)
    ON CONFLICT (address) DO UPDATE SET cause = excluded.cause, since = excluded.since
      WHERE excluded.cause = 'never-again' AND suppression.cause <> 'never-again'`,
)
const REMOVE = statement('DELETE FROM suppression WHERE address = $1')

const toSuppression = (row: FoundRow | undefined) => row && { cause: row[0], since: row[1] }

export const postgresSuppressionReader = (ask: Ask): SuppressionReader => ({
  find: async (address) => toSuppression((await ask<FoundRow>(FIND, address))[0]),
  list: async ({ after, limit }) =>
    pageOf(await ask<SuppressionRow>(LIST, after, limit + 1), limit, ([, address, cause, since]) => ({
      address: address as AddressHash,
      cause,
      since,
    })),
})

export const postgresSuppressionStore = (unit: Transaction): SuppressionStore => {
  const rows = new Loader<AddressHash, FoundRow | undefined>(async (addresses) => {
    unit.lock(...addresses.map(keyOf.address))
    const found = await unit.ask<SuppressionRow>(LOOK, [...new Set(addresses)])
    const byAddress = new Map(found.map(([, address, cause, since]): [string, FoundRow] => [address, [cause, since]]))
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
