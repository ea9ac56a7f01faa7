import { asUserId, type UserId } from '../users/user.ts'
import type { OwnedTombstone, TombstoneReader } from '../users/user-store.ts'
import { type AuditAction, type AuditRecord, DONE } from './audit-record.ts'
import type { AuditReader } from './audit-store.ts'

const STRETCH = 1_000

/** The two places that record a deletion: the trail, and the tombstones. */
export interface DeletionReaders {
  readonly audit: AuditReader
  readonly tombstones: TombstoneReader
}

const isDone = ({ action, outcome }: AuditRecord, wanted: AuditAction): boolean => action === wanted && outcome === DONE

/**
 * Compares recorded deletions with the tombstones of their users, in both directions: neither exists without
 * the other, unless the user was restored, and both are of the same moment. How much was erased is only in the tombstone.
 */
export class DeletionsOnRecord {
  readonly #readers: DeletionReaders
  /** Users without a tombstone, by the record of their deletion, until their restoration is found on record. */
  readonly #back = new Map<UserId, number>()

  constructor(readers: DeletionReaders) {
    this.#readers = readers
  }

  /** To be called with every record of the trail in turn; returns whether what it says of a user is true. */
  async holds(record: AuditRecord): Promise<boolean> {
    const id = record.target === undefined ? undefined : asUserId(record.target)
    if (id === undefined) return true
    if (isDone(record, 'user.restore')) this.#back.delete(id)
    return !isDone(record, 'user.delete') || (await this.#holdsDeletion(id, record.sequence))
  }

  /** The record of the first deletion that is not as tombstones say; to be asked at the end of the trail. */
  async firstAmiss(stop?: { readonly aborted: boolean } | undefined): Promise<number | undefined> {
    const [unrestored] = this.#back.values()
    if (unrestored !== undefined) return unrestored
    let after: UserId | undefined
    while (!stop?.aborted) {
      const items = await this.#readers.tombstones.list({ after, limit: STRETCH })
      if (items.length === 0) return undefined
      for (const owned of items) if (!(await this.#isOnRecord(owned))) return owned.tombstone.audit
      after = items.at(-1)?.id
    }
    return undefined
  }

  /** A later deletion of the same user, after a restoration, has replaced the tombstone: it is looked at in its turn. */
  async #holdsDeletion(id: UserId, sequence: number): Promise<boolean> {
    const tombstone = await this.#readers.tombstones.find(id)
    if (tombstone !== undefined) return tombstone.audit >= sequence
    this.#back.set(id, sequence)
    return true
  }

  /** What was deleted after a backup was made goes with the restoration of the backup, where its own record is lost. */
  async #isOnRecord({ id, tombstone }: OwnedTombstone): Promise<boolean> {
    const { items } = await this.#readers.audit.list({ after: tombstone.audit - 1, limit: 1 })
    const [record] = items
    if (record?.sequence !== tombstone.audit) return false
    const isDeletion = isDone(record, 'user.delete') && record.target === id && record.at === tombstone.deletedAt
    return isDeletion || isDone(record, 'database.restore')
  }
}
