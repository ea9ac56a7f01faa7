import type { AccessControl } from '../access/access-control.ts'
import type { Caller } from '../access/caller.ts'
import type { AuditRecord } from '../audit/audit-record.ts'
import { ReceiptNotFound } from '../errors.ts'
import type { AuditReader } from '../ports/audit-store.ts'
import type { TombstoneReader } from '../ports/tombstone-store.ts'
import type { Tombstone } from './tombstone.ts'
import { asUserId, type UserId } from './user-id.ts'

/** What a deletion did: for whoever must prove it later. */
export interface ErasureReceipt {
  readonly userId: UserId
  readonly tombstone: Tombstone
  /** Who did it, when, by which way, and why. */
  readonly record: AuditRecord | undefined
}

export class GetErasureReceiptUseCase {
  readonly #access: AccessControl
  readonly #tombstones: TombstoneReader
  readonly #audit: Pick<AuditReader, 'list'>

  constructor(ports: { access: AccessControl; tombstones: TombstoneReader; audit: Pick<AuditReader, 'list'> }) {
    this.#access = ports.access
    this.#tombstones = ports.tombstones
    this.#audit = ports.audit
  }

  /** @throws {ReceiptNotFound} no user of this id was deleted */
  async execute({ userId }: { readonly userId: string }, caller: Caller): Promise<ErasureReceipt> {
    this.#access.require(caller, 'users:read', { action: 'user.read', target: userId })
    const id = asUserId(userId)
    const tombstone = id && (await this.#tombstones.find(id))
    if (!tombstone) throw new ReceiptNotFound()
    const { items } = await this.#audit.list({ after: tombstone.audit - 1, limit: 1 })
    return { userId: id, tombstone, record: items[0] }
  }
}
