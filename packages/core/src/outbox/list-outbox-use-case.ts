import type { AccessControl } from '../access/access-control.ts'
import type { Caller } from '../access/caller.ts'
import { type Page, type PageRequest, stretchOf } from '../page.ts'
import type { OutboxReader } from '../ports/outbox-store.ts'
import type { OutboxEntry } from './outbox-entry.ts'

export interface ListOutboxCommand extends PageRequest {
  /** Only those that wait for a person. */
  readonly parked?: boolean | undefined
}

export class ListOutboxUseCase {
  readonly #access: AccessControl
  readonly #outbox: OutboxReader

  constructor(access: AccessControl, outbox: OutboxReader) {
    this.#access = access
    this.#outbox = outbox
  }

  async execute({ parked, ...request }: ListOutboxCommand, caller: Caller): Promise<Page<OutboxEntry>> {
    this.#access.require(caller, 'outbox:read', { action: 'outbox.read' })
    return await this.#outbox.list({ ...stretchOf(request), parked })
  }
}
