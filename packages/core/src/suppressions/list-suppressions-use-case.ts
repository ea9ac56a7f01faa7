import type { Caller } from '../access/caller.ts'
import { type Page, type PageRequest, stretchOf } from '../page.ts'
import { UseCase } from '../use-case.ts'
import type { SuppressionRecord } from './suppression-store.ts'

export class ListSuppressionsUseCase extends UseCase<'access' | 'reads', 'suppressions'> {
  static readonly permission = 'suppressions:read'
  static readonly action = 'suppression.read'

  async execute(request: PageRequest, caller: Caller): Promise<Page<SuppressionRecord>> {
    const attempt = await this.ports.access.require(caller, ListSuppressionsUseCase)
    const page = await this.ports.readers.suppressions.list(stretchOf(request))
    this.ports.reads.note(caller, attempt)
    return page
  }
}
