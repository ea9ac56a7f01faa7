import type { Caller } from '../access/caller.ts'
import type { Dependencies } from '../dependencies.ts'
import { type Page, type PageRequest, stretchOf } from '../page.ts'
import type { Readers } from '../storage/readers.ts'
import { type EnrichedEvent, enrichEvents, type Subjects } from './enriched-event.ts'

type Needs = Pick<Dependencies, 'access' | 'publicUrl'> & { readonly readers: Pick<Readers, 'events'> & Subjects }

export class ListEventsUseCase {
  static readonly permission = 'events:read'
  static readonly action = 'event.read'
  readonly #ports: Needs

  constructor(ports: Needs) {
    this.#ports = ports
  }

  /** In the order in which they came about, each with its subject as it is now. */
  async execute(request: PageRequest, caller: Caller): Promise<Page<EnrichedEvent>> {
    this.#ports.access.require(caller, ListEventsUseCase)
    const { items, next } = await this.#ports.readers.events.list(stretchOf(request))
    return { items: await enrichEvents(items, this.#ports.readers, this.#ports.publicUrl), next }
  }
}
