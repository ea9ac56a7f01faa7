import { existsSync } from 'node:fs'
import type { OutboxReader } from '@rollcall/core'
import Database from 'better-sqlite3'
import { newestOf, type StorageExamination } from '../storage-examination.ts'
import { StorageNotUsable } from '../storage-not-usable.ts'
import {
  AUDIT_COLUMNS,
  type AuditRow,
  CHECKPOINT_COLUMNS,
  type CheckpointRow,
  toAuditRecord,
  toCheckpoint,
} from '../tables/audit.ts'
import { asynchronous } from './asynchronous.ts'
import { type Connection, requireSqlite } from './connection.ts'
import { missing } from './migrate-sqlite.ts'
import { realName } from './private-file.ts'
import { retryWhileBusy } from './retry-while-busy.ts'
import { asNotUsable } from './sqlite-error.ts'
import { sqliteOutboxReader } from './stores/outbox.ts'
import { sqliteWebhookDeliveryReader } from './stores/webhook-deliveries.ts'
import { requireWholeFile } from './whole-file.ts'

/**
 * Looks at a database file, whether or not a server works on it.
 * @throws {StorageNotUsable} it is not there, cannot be read, or is of a newer version
 */
export const examineSqlite = async (file: string): Promise<StorageExamination> => {
  const name = realName(file)
  const guarded = async <T>(look: () => T): Promise<T> => {
    try {
      return await retryWhileBusy(look)
    } catch (error) {
      throw asNotUsable(error, name)
    }
  }
  if (!existsSync(name)) throw new StorageNotUsable('older-schema', `There is no database ${name} yet.`)
  const connection = await guarded(() => open(name))
  try {
    const lacks = await guarded(() => missing(connection))
    if (lacks.length === 0) await guarded(() => requireWholeFile(connection, name))
    return assemble(connection, lacks, guarded)
  } catch (error) {
    connection.close()
    throw error
  }
}

type Guarded = <T>(look: () => T) => Promise<T>

const open = (file: string): Connection => {
  // Who only reads leaves the files beside it that were not there before; who may write takes them away when closing,
  // but would also take in the log of a server that died.
  const connection = new Database(file, { readonly: existsSync(`${file}-wal`), fileMustExist: true, timeout: 0 })
  try {
    requireSqlite(connection.prepare<[], string>('SELECT sqlite_version()').pluck().get() ?? '')
    connection.pragma('query_only = 1')
    connection.prepare('SELECT 1 FROM sqlite_schema').get()
    return connection
  } catch (error) {
    connection.close()
    throw error
  }
}

const LAST = 'ORDER BY sequence DESC LIMIT 1'

const assemble = (connection: Connection, lacks: readonly string[], guarded: Guarded): StorageExamination => {
  const record = (sql: string, ...parameters: readonly number[]) => {
    const row = connection.prepare<number[], AuditRow>(sql).get(...parameters)
    return row && toAuditRecord(row)
  }
  const last = () => record(`SELECT ${AUDIT_COLUMNS} FROM audit_record ${LAST}`)
  return {
    missing: lacks,
    outbox: outboxOf(connection, guarded),
    webhookDeliveries: webhookDeliveriesOf(connection, guarded),
    damage: () =>
      guarded(() => {
        const lines = connection.prepare<[], string>('PRAGMA quick_check').pluck().all()
        return lines.filter((line) => line !== 'ok')
      }),
    trailEnd: () =>
      guarded(() => {
        const sql = `SELECT ${CHECKPOINT_COLUMNS} FROM audit_checkpoint ${LAST}`
        const row = connection.prepare<[], CheckpointRow>(sql).get()
        const seal = row && toCheckpoint(row)
        const sealed = seal && record(`SELECT ${AUDIT_COLUMNS} FROM audit_record WHERE sequence = ?`, seal.sequence)
        return { last: last(), seal, sealed }
      }),
    newest: () =>
      guarded(() => {
        const event = connection.prepare<[], number>('SELECT at FROM event ORDER BY position DESC LIMIT 1').pluck()
        return newestOf([last()?.at, event.get()])
      }),
    recall: (name) =>
      guarded(() =>
        connection.prepare<[string], string>('SELECT value FROM instance WHERE name = ?').pluck().get(name),
      ),
    close: async () => {
      connection.close()
    },
  }
}

const CLOCK = { now: () => Date.now() }

/** Its statements are made when it is asked: before that, its table may not be there. */
const webhookDeliveriesOf = (connection: Connection, guarded: Guarded): StorageExamination['webhookDeliveries'] => ({
  health: () => guarded(() => sqliteWebhookDeliveryReader(connection, CLOCK).health()),
  depth: () => guarded(() => sqliteWebhookDeliveryReader(connection, CLOCK).depth()),
})

/** The same of mails. */
const outboxOf = (connection: Connection, guarded: Guarded): OutboxReader => {
  const reader = (): OutboxReader =>
    asynchronous(sqliteOutboxReader(connection, CLOCK), (call, ...parameters) => guarded(() => call(...parameters)))
  return {
    find: (id) => reader().find(id),
    list: (stretch) => reader().list(stretch),
    health: () => reader().health(),
    depth: () => reader().depth(),
  }
}
