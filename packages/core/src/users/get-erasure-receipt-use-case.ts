import type { Caller } from '../access/caller.ts'
import type { AuditRecord } from '../audit/audit-store.ts'
import { ReceiptNotFound } from '../errors.ts'
import { UseCase } from '../use-case.ts'
import { asUserId, type UserId } from './user.ts'
import type { Tombstone } from './user-store.ts'

/** The result of a deletion: for those who must prove it later. */
export interface ErasureReceipt {
  readonly userId: UserId
  readonly tombstone: Tombstone
  /** Who did it, when, by which way, and why; its number once it is sealed. */
  readonly record: AuditRecord | undefined
}

export class GetErasureReceiptUseCase extends UseCase<'access', 'audit' | 'tombstones'> {
  static readonly permission = 'users:read'
  static readonly action = 'user.read'

  /** @throws {ReceiptNotFound} no user of this id was deleted */
  async execute({ userId }: { readonly userId: string }, caller: Caller): Promise<ErasureReceipt> {
    await this.ports.access.require(caller, GetErasureReceiptUseCase, userId)
    const id = asUserId(userId)
    const tombstone = id && (await this.ports.readers.tombstones.find(id))
    if (!tombstone) throw new ReceiptNotFound()
    return { userId: id, tombstone, record: await this.ports.readers.audit.find(tombstone.audit) }
  }
}
