import type { AccessControl } from '../access/access-control.ts'
import type { Caller } from '../access/caller.ts'
import { type Page, type PageRequest, stretchOf } from '../page.ts'
import type { Readers } from '../ports/readers.ts'
import { type Subjects, type ToldEvent, tellEvents } from './told-event.ts'

export class ListEventsUseCase {
  readonly #access: AccessControl
  readonly #readers: Pick<Readers, 'events'> & Subjects
  readonly #publicUrl: string

  constructor(ports: { access: AccessControl; readers: Pick<Readers, 'events'> & Subjects; publicUrl: string }) {
    this.#access = ports.access
    this.#readers = ports.readers
    this.#publicUrl = ports.publicUrl
  }

  /** In the order in which they came about, each with its subject as it is now. */
  async execute(request: PageRequest, caller: Caller): Promise<Page<ToldEvent>> {
    this.#access.require(caller, 'events:read', { action: 'event.read' })
    const { items, next } = await this.#readers.events.list(stretchOf(request))
    return { items: await tellEvents(items, this.#readers, this.#publicUrl), next }
  }
}
