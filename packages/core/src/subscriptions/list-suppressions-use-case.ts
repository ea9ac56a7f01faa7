import type { AccessControl } from '../access/access-control.ts'
import type { Caller } from '../access/caller.ts'
import { type Page, type PageRequest, stretchOf } from '../page.ts'
import type { SuppressionReader } from '../ports/suppression-store.ts'
import type { SuppressionRecord } from './suppression.ts'

export class ListSuppressionsUseCase {
  readonly #access: AccessControl
  readonly #suppressions: Pick<SuppressionReader, 'list'>

  constructor(access: AccessControl, suppressions: Pick<SuppressionReader, 'list'>) {
    this.#access = access
    this.#suppressions = suppressions
  }

  async execute(request: PageRequest, caller: Caller): Promise<Page<SuppressionRecord>> {
    this.#access.require(caller, 'suppressions:read', { action: 'suppression.read' })
    return await this.#suppressions.list(stretchOf(request))
  }
}
