import type { Caller } from '../access/caller.ts'
import type { Dependencies } from '../dependencies.ts'
import { type Page, type PageRequest, stretchOf } from '../page.ts'
import type { Readers } from '../storage/readers.ts'
import type { OutboxEntry } from './outbox-entry.ts'

export interface ListOutboxCommand extends PageRequest {
  /** Only those that wait for a person. */
  readonly parked?: boolean | undefined
}

type Needs = Pick<Dependencies, 'access'> & { readonly readers: Pick<Readers, 'outbox'> }

export class ListOutboxUseCase {
  static readonly permission = 'outbox:read'
  static readonly action = 'outbox.read'
  readonly #ports: Needs

  constructor(ports: Needs) {
    this.#ports = ports
  }

  async execute({ parked, ...request }: ListOutboxCommand, caller: Caller): Promise<Page<OutboxEntry>> {
    this.#ports.access.require(caller, ListOutboxUseCase)
    return await this.#ports.readers.outbox.list({ ...stretchOf(request), parked })
  }
}
