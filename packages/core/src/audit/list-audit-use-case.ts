import type { Caller } from '../access/caller.ts'
import type { Dependencies } from '../dependencies.ts'
import { type Page, type PageRequest, stretchOf } from '../page.ts'
import type { Readers } from '../storage/readers.ts'
import type { AuditRecord } from './audit-store.ts'

type Needs = Pick<Dependencies, 'access'> & { readonly readers: Pick<Readers, 'audit'> }

export class ListAuditUseCase {
  static readonly permission = 'audit:read'
  static readonly action = 'audit.read'
  readonly #ports: Needs

  constructor(ports: Needs) {
    this.#ports = ports
  }

  async execute(request: PageRequest, caller: Caller): Promise<Page<AuditRecord>> {
    this.#ports.access.require(caller, ListAuditUseCase)
    return await this.#ports.readers.audit.list(stretchOf(request))
  }
}
