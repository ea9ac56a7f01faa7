import type { AuditSeal, Clock, Instant, Readers, SealedRecord } from '@rollcall/core'
import { AUDIT_COLUMNS, type AuditRow, SEAL_COLUMNS, type SealRow, toAuditRecord, toSeal } from './tables/audit.ts'

/** The end of the audit trail, and how far it is sealed. */
export interface TrailEnd {
  /** The newest seal, and the one before it. */
  readonly seal: AuditSeal | undefined
  readonly before: AuditSeal | undefined
  /** The records that the newest seal is on, as far as they are there. */
  readonly sealed: readonly SealedRecord[]
  /** The last record that has a number; 0 if there is none. */
  readonly last: number
  /** How many have none yet, and the time of the first of these. */
  readonly unsealed: number
  readonly unsealedSince: Instant | undefined
}

/** A look at a database that changes nothing in it. */
export interface StorageExamination {
  /** The migrations that it lacks; if it lacks any, nothing else can be asked. */
  readonly missing: readonly string[]
  /** The migrations of a newer version, on which this one works. */
  readonly newer: readonly string[]
  /** The one that it goes by; undefined if that is this machine's. */
  readonly clock?: Clock | undefined
  readonly outbox: Pick<Readers['outbox'], 'depth' | 'health' | 'underWay'>
  readonly requests: Pick<Readers['requests'], 'backlog' | 'count'>
  readonly webhooks: Pick<Readers['webhooks'], 'list'>
  readonly webhookDeliveries: Pick<Readers['webhookDeliveries'], 'depth' | 'failing' | 'health' | 'underWay'>
  /**
   * What is wrong with its structure; undefined if it cannot be checked. Of a newer version, its tables are not compared.
   * @throws {StorageNotUsable} too much of it
   */
  damage(): Promise<readonly string[] | undefined>
  trailEnd(): Promise<TrailEnd>
  /** Whether an access token of this id is refused. */
  isRevoked(tokenId: string): Promise<boolean>
  /** The time of the newest entry of the trail or of the events. */
  newest(): Promise<Instant | undefined>
  /** A value that was settled, such as the fingerprint of a secret. */
  recall(name: string): Promise<string | undefined>
  close(): Promise<void>
}

/** Looks at the trail and the events by `find`, which gives the rows of a query. */
export const trailExamination = (
  find: <Row extends object>(sql: string) => Promise<readonly Row[]>,
): Pick<StorageExamination, 'trailEnd' | 'newest'> => ({
  trailEnd: async () => {
    // First: what is sealed meanwhile must not be taken for records whose seal is gone.
    const [counted] = await find<Pick<TrailEnd, 'last' | 'unsealed'> & { readonly since: Instant | null }>(
      `SELECT (SELECT coalesce(max(sequence), 0) FROM audit_record) AS last, count(*) AS unsealed, min(at) AS since
        FROM audit_record WHERE sequence IS NULL`,
    )
    const [seal, before] = await find<SealRow>(`SELECT ${SEAL_COLUMNS} FROM audit_seal ORDER BY last DESC LIMIT 2`)
    const under = seal && `sequence >= ${seal.first} AND sequence <= ${seal.last}`
    const sealed = under
      ? await find<AuditRow>(`SELECT ${AUDIT_COLUMNS} FROM audit_record WHERE ${under} ORDER BY sequence`)
      : []
    return {
      seal: seal && toSeal(seal),
      before: before && toSeal(before),
      sealed: sealed.map((row) => toAuditRecord(row) as SealedRecord),
      last: counted?.last ?? 0,
      unsealed: counted?.unsealed ?? 0,
      unsealedSince: counted?.since ?? undefined,
    }
  },
  newest: async () => {
    const known = await Promise.all(
      ['audit_record', 'event'].map((name) => find<{ at: Instant }>(`SELECT at FROM ${name} ORDER BY id DESC LIMIT 1`)),
    )
    const times = known.flat().map(({ at }) => at)
    return times.length === 0 ? undefined : Math.max(...times)
  },
})
