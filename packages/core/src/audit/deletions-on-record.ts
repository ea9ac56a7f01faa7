import type { AuditAction } from '../access/access-control.ts'
import type { Readers } from '../readers.ts'
import { asUserId, type OwnedTombstone, type UserId } from '../users/user.ts'
import { type AuditRecord, DONE } from './audit-store.ts'

const STRETCH = 1_000

/** The two places that record a deletion: the trail, and the tombstones. */
type DeletionReaders = Pick<Readers, 'audit' | 'tombstones'>

const isDone = ({ action, outcome }: AuditRecord, wanted: AuditAction): boolean => action === wanted && outcome === DONE

export interface DeletionMismatch {
  /** The number of the record; undefined if there is none, or it is not sealed. */
  readonly sequence: number | undefined
  readonly user: UserId
}

/**
 * Compares recorded deletions with the tombstones of their users, in both directions: neither exists without
 * the other, unless the user was restored, and both are of the same moment. How much was erased is only in the tombstone.
 */
export class DeletionsOnRecord {
  readonly #readers: DeletionReaders
  /** Users without a tombstone, by the record of their deletion, until their restoration is found on record. */
  readonly #unrestored = new Map<UserId, AuditRecord>()

  constructor(readers: DeletionReaders) {
    this.#readers = readers
  }

  /** To be called with every record of the trail in turn; returns whether what it says of a user is true. */
  async agrees(record: AuditRecord): Promise<boolean> {
    const id = record.target === undefined ? undefined : asUserId(record.target)
    if (id === undefined) return true
    if (isDone(record, 'user.restore')) this.#unrestored.delete(id)
    return !isDone(record, 'user.delete') || (await this.#agreesWithTombstone(id, record))
  }

  /** The first deletion that is not as tombstones say; to be asked at the end of the trail, in pieces. */
  async *firstMismatch(): AsyncGenerator<void, DeletionMismatch | undefined> {
    const [unrestored] = this.#unrestored
    if (unrestored !== undefined) return { user: unrestored[0], sequence: unrestored[1].sequence }
    let after: UserId | undefined
    for (;;) {
      const items = await this.#readers.tombstones.list({ after, limit: STRETCH })
      if (items.length === 0) return undefined
      const records = await Promise.all(items.map(({ tombstone }) => this.#readers.audit.find(tombstone.audit)))
      for (const [n, owned] of items.entries())
        if (!isRecordOf(owned, records[n])) return { user: owned.id, sequence: records[n]?.sequence }
      after = items.at(-1)?.id
      yield
    }
  }

  /** A later deletion of the same user, after a restoration, has replaced the tombstone: it is looked at in its turn. */
  async #agreesWithTombstone(id: UserId, record: AuditRecord): Promise<boolean> {
    const tombstone = await this.#readers.tombstones.find(id)
    if (tombstone !== undefined) return tombstone.audit >= record.id
    this.#unrestored.set(id, record)
    return true
  }
}

/** What was deleted after a backup was made goes with the restoration of the backup, if its own record is lost. */
const isRecordOf = ({ id, tombstone }: OwnedTombstone, record: AuditRecord | undefined): boolean => {
  if (record === undefined) return false
  const isDeletion = isDone(record, 'user.delete') && record.target === id && record.at === tombstone.deletedAt
  return isDeletion || isDone(record, 'database.restore')
}
