import type { Caller } from '../access/caller.ts'
import { type Page, type PageRequest, stretchOf } from '../page.ts'
import { UseCase } from '../use-case.ts'
import type { AuditRecord } from './audit-store.ts'

export class ListAuditUseCase extends UseCase<'access', 'audit'> {
  static readonly permission = 'audit:read'
  static readonly action = 'audit.read'

  /** Oldest first. What could not be sealed is at the end, without a number. */
  async execute(request: PageRequest, caller: Caller): Promise<Page<AuditRecord>> {
    await this.ports.access.require(caller, ListAuditUseCase)
    const { audit } = this.ports.readers
    const stretch = stretchOf(request)
    const sealed = await audit.list(stretch)
    const room = stretch.limit - sealed.items.length
    if (sealed.next !== undefined || room === 0) return sealed
    const { items: unsealed } = await audit.unsealed({ after: 0, limit: room })
    return { items: [...sealed.items, ...unsealed], next: undefined }
  }
}
