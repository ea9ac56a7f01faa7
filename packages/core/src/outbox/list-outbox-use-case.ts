import type { Caller } from '../access/caller.ts'
import { type Page, type PageRequest, stretchOf } from '../page.ts'
import { UseCase } from '../use-case.ts'
import type { OutboxEntry } from './outbox-store.ts'

export interface ListOutboxCommand extends PageRequest {
  /** Only those that wait for a person. */
  readonly parked?: boolean | undefined
}

export class ListOutboxUseCase extends UseCase<'access', 'outbox'> {
  static readonly permission = 'outbox:read'
  static readonly action = 'outbox.read'

  async execute({ parked, ...request }: ListOutboxCommand, caller: Caller): Promise<Page<OutboxEntry>> {
    await this.ports.access.require(caller, ListOutboxUseCase)
    return await this.ports.readers.outbox.list({ ...stretchOf(request), parked })
  }
}
