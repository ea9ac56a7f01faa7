import type { Caller } from '../access/caller.ts'
import type { Dependencies } from '../dependencies.ts'
import { type Page, type PageRequest, stretchOf } from '../page.ts'
import type { Readers } from '../storage/readers.ts'
import type { SuppressionRecord } from './suppression.ts'

type Needs = Pick<Dependencies, 'access'> & { readonly readers: Pick<Readers, 'suppressions'> }

export class ListSuppressionsUseCase {
  static readonly permission = 'suppressions:read'
  static readonly action = 'suppression.read'
  readonly #ports: Needs

  constructor(ports: Needs) {
    this.#ports = ports
  }

  async execute(request: PageRequest, caller: Caller): Promise<Page<SuppressionRecord>> {
    this.#ports.access.require(caller, ListSuppressionsUseCase)
    return await this.#ports.readers.suppressions.list(stretchOf(request))
  }
}
