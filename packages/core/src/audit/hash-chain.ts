import type { Digests } from '../platform/digests.ts'
import type { AuditEntry, AuditRecord } from './audit-store.ts'

const GENESIS = '0'.repeat(64)

// The order and the number of these never change: every hash ever made depends on them. What came later is there only
// where a record has it.
const hashOf = (digests: Digests, previousHash: string, sequence: number, entry: AuditEntry): string =>
  digests.sha256(
    JSON.stringify([
      previousHash,
      sequence,
      entry.at,
      entry.actor,
      entry.roleSource,
      entry.tokenId ?? null,
      entry.channel,
      entry.requestId ?? null,
      entry.action,
      entry.target ?? null,
      entry.outcome,
      entry.reason ?? null,
      entry.count,
      ...(entry.rolesHash === undefined ? [] : [entry.rolesHash]),
    ]),
  )

/** The entry as the next record after `last`. */
export const chained = (digests: Digests, last: AuditRecord | undefined, entry: AuditEntry): AuditRecord => {
  const sequence = (last?.sequence ?? 0) + 1
  return { ...entry, sequence, hash: hashOf(digests, last?.hash ?? GENESIS, sequence, entry) }
}

/** Whether the record is the one that was written after `last`. */
export const follows = (digests: Digests, last: AuditRecord | undefined, record: AuditRecord): boolean => {
  const expected = chained(digests, last, record)
  return record.sequence === expected.sequence && record.hash === expected.hash
}
