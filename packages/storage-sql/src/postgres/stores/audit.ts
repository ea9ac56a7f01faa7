import { type AuditStore, sealText } from '@rollcall/core'
import { ADD_SEAL, AUDIT_STORE, ENTRY_COLUMNS, entryValues, HEAD, SET_VALUE, sealValues } from '../../tables/audit.ts'
import { insertInto } from '../../tables/table.ts'
import { keyOf } from '../lock-keys.ts'
import { statement } from '../statement.ts'
import type { Transaction } from '../transaction.ts'
import { inPostgres, lock, postgresStore } from './run-methods.ts'

const INSERT = statement(inPostgres(`${insertInto('audit_record', ENTRY_COLUMNS)} RETURNING id`))
const ADD = statement(inPostgres(ADD_SEAL))
const HEAD_IS = statement(inPostgres(SET_VALUE))
// The place of an id among all of them, which are in order. Without a join, as in what sign-ups change.
const NUMBER = statement(
  `UPDATE audit_record SET sequence = $1::bigint - 1 + width_bucket(id, $2::bigint[])
    WHERE id = ANY ($2::bigint[]) AND sequence IS NULL`,
)

const store = postgresStore(AUDIT_STORE, { newestSeal: lock(keyOf.sealing) })

export const postgresAuditStore = (unit: Transaction): AuditStore => ({
  ...store(unit),
  append: async (entry) => {
    const [row] = await unit.ask<[id: number]>(INSERT, ...entryValues(entry))
    if (row === undefined) throw new RangeError('An audit record got no id.')
    return row[0]
  },
  seal: async (seal, ids) => {
    unit.lock(keyOf.sealing)
    unit.write(ADD, ...sealValues(seal))
    unit.write(HEAD_IS, HEAD, sealText(seal))
    if ((await unit.change(NUMBER, seal.first, ids)) !== ids.length)
      throw new RangeError('A record is not there, or sealed already.')
  },
})
