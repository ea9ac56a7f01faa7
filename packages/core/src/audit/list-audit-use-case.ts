import type { AccessControl } from '../access/access-control.ts'
import type { Caller } from '../access/caller.ts'
import { type Page, type PageRequest, stretchOf } from '../page.ts'
import type { AuditReader } from '../ports/audit-store.ts'
import type { AuditRecord } from './audit-record.ts'

export class ListAuditUseCase {
  readonly #access: AccessControl
  readonly #audit: AuditReader

  constructor(access: AccessControl, audit: AuditReader) {
    this.#access = access
    this.#audit = audit
  }

  async execute(request: PageRequest, caller: Caller): Promise<Page<AuditRecord>> {
    this.#access.require(caller, 'audit:read', { action: 'audit.read' })
    return await this.#audit.list(stretchOf(request))
  }
}
