import {
  type AddressHash,
  type BlockCause,
  isBlock,
  type StoredSuppression,
  type SuppressionCause,
  type SuppressionReader,
  type SuppressionRecord,
  type SuppressionStore,
} from '@rollcall/core'
import { PREFIXES, prefixes } from './hash-prefixes.ts'
import { changeOne, type Methods, page, write } from './methods.ts'
import { columnsOf, countedTable, type RowOf, text, whole } from './table.ts'

/** What the owner asked for, in `cause`, and what stops every mail, in `block`. Where there is a block alone, both say so. */
export const SUPPRESSION = countedTable('suppression', {
  seq: whole(),
  address: text<AddressHash>(),
  cause: text<SuppressionCause>(),
  since: whole(),
  block: text<BlockCause | null>(),
  block_since: whole<number | null>(),
})

type SuppressionRow = RowOf<typeof SUPPRESSION>

const SUPPRESSION_COLUMNS = columnsOf(SUPPRESSION).join(', ')

const toSuppression = ({ cause, since, block, block_since }: Omit<SuppressionRow, 'seq'>): StoredSuppression => ({
  cause,
  since,
  block: block === null ? undefined : { cause: block, since: block_since ?? since },
})

const toRecord = (row: SuppressionRow): SuppressionRecord => ({ address: row.address, ...toSuppression(row) })

export const SUPPRESSION_READER: Methods<SuppressionReader> = {
  findMany: {
    gives: 'all',
    text: `SELECT ${SUPPRESSION_COLUMNS} FROM suppression WHERE address IN @texts`,
    values: (addresses) => [addresses],
    answer: (rows: readonly SuppressionRow[]) => new Map(rows.map((row) => [row.address, toSuppression(row)])),
  },
  list: page(`SELECT ${SUPPRESSION_COLUMNS} FROM suppression WHERE seq > ? ORDER BY seq LIMIT +?`, 'seq', toRecord),
  blockedPrefixes: prefixes(
    'address',
    `SELECT address FROM suppression WHERE block IS NOT NULL AND address > ? ORDER BY address LIMIT ${PREFIXES}`,
  ),
}

/** Of a row: its owner asked for nothing. */
const BLOCK_ALONE = "suppression.cause IN ('blocked', 'complaint')"

/** Adds what owners asked for; `rows` has address, cause and since. */
const addOwners = (rows: string): string => `INSERT INTO suppression (address, cause, since) ${rows}
  ON CONFLICT (address) DO UPDATE SET cause = excluded.cause, since = excluded.since
    WHERE ${BLOCK_ALONE} OR (excluded.cause = 'never-again' AND suppression.cause <> 'never-again')`

/** Adds blocks; `rows` has address, cause and since, and the last two again. */
const addBlocks = (rows: string): string => `INSERT INTO suppression (address, cause, since, block, block_since) ${rows}
  ON CONFLICT (address) DO UPDATE SET block = excluded.block, block_since = excluded.block_since,
      cause = CASE WHEN ${BLOCK_ALONE} THEN excluded.cause ELSE suppression.cause END,
      since = CASE WHEN ${BLOCK_ALONE} THEN excluded.since ELSE suppression.since END
    WHERE suppression.block IS NULL OR (excluded.block = 'complaint' AND suppression.block <> 'complaint')`

const ADD_OWNER = addOwners('VALUES (?, ?, ?)')
const ADD_BLOCK = addBlocks('VALUES (?, ?, ?, ?, ?)')

/** Adds the suppressions of another schema of SQLite's: each kind by itself, as the store does. */
export const mergeSuppressions = (schema: string): readonly string[] => [
  addOwners(`SELECT address, cause, since FROM ${schema}.suppression WHERE cause NOT IN ('blocked', 'complaint')`),
  addBlocks(`SELECT address, block, coalesce(block_since, since), block, coalesce(block_since, since)
    FROM ${schema}.suppression WHERE block IS NOT NULL`),
]

export const SUPPRESSION_STORE: Methods<SuppressionStore> = {
  ...SUPPRESSION_READER,
  add: write(
    (_, { cause }) => (isBlock(cause) ? ADD_BLOCK : ADD_OWNER),
    (address, { cause, since }) => (isBlock(cause) ? [address, cause, since, cause, since] : [address, cause, since]),
  ),
  remove: changeOne('DELETE FROM suppression WHERE address = ?', (address) => [address]),
}
