import type { Caller } from '../access/caller.ts'
import { type Page, type PageRequest, stretchOf } from '../page.ts'
import { UseCase } from '../use-case.ts'
import type { AuditRecord } from './audit-store.ts'

export class ListAuditUseCase extends UseCase<'access', 'audit'> {
  static readonly permission = 'audit:read'
  static readonly action = 'audit.read'

  async execute(request: PageRequest, caller: Caller): Promise<Page<AuditRecord>> {
    this.ports.access.require(caller, ListAuditUseCase)
    return await this.ports.readers.audit.list(stretchOf(request))
  }
}
