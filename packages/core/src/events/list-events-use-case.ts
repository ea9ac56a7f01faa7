import type { Caller } from '../access/caller.ts'
import { type Page, type PageRequest, stretchOf } from '../page.ts'
import { UseCase } from '../use-case.ts'
import { type EnrichedEvent, enrichEvents } from './enriched-event.ts'

export class ListEventsUseCase extends UseCase<'access' | 'publicUrl', 'events' | 'subscriptions' | 'users'> {
  static readonly permission = 'events:read'
  static readonly action = 'event.read'

  /** In the order in which they came about, each with its subject as it is now. */
  async execute(request: PageRequest, caller: Caller): Promise<Page<EnrichedEvent>> {
    this.ports.access.require(caller, ListEventsUseCase)
    const { items, next } = await this.ports.readers.events.list(stretchOf(request))
    return { items: await enrichEvents(items, this.ports.readers, this.ports.publicUrl), next }
  }
}
