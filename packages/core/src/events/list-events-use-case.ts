import { type Caller, mayKnowOfFeed } from '../access/caller.ts'
import { type Page, type PageRequest, type Position, type Stretch, stretchOf } from '../page.ts'
import { UseCase } from '../use-case.ts'
import { type EnrichedEvent, enrichEvents } from './enriched-event.ts'
import type { EventRecord } from './event-store.ts'

/** How many events are looked through for one page at most: there may be many that are not for the caller. */
const MOST_LOOKED_AT = 2_000
const STRETCH = 200

export class ListEventsUseCase extends UseCase<
  'access' | 'publicUrl' | 'requests',
  'events' | 'feeds' | 'moves' | 'subscriptions' | 'users'
> {
  static readonly permission = 'events:read'
  static readonly action = 'event.read'

  /**
   * In the order in which they came about, each with its subject as it is now. Who may not read users gets those of
   * subscriptions alone, and who is bound to feeds those of its feeds: one of before the second release whose feed
   * cannot be found any more goes to all, with its id alone. Such a page may have fewer events than `limit`, or none,
   * while `next` leads on.
   */
  async execute(request: PageRequest, caller: Caller): Promise<Page<EnrichedEvent>> {
    await this.ports.access.require(caller, ListEventsUseCase)
    const stretch = stretchOf(request)
    await this.ports.requests.settled()
    const { readers, publicUrl, access } = this.ports
    const users = await access.allows(caller, 'users:read')
    if (!users || caller.feeds !== undefined) return await this.#sifted(stretch, caller, users)
    const { items, next } = await readers.events.list(stretch)
    return { items: await enrichEvents(items, readers, publicUrl), next }
  }

  async #sifted({ after, limit }: Stretch, caller: Caller, users: boolean): Promise<Page<EnrichedEvent>> {
    const { readers, publicUrl } = this.ports
    const found: EnrichedEvent[] = []
    let seen: Position = after
    const end = after + MOST_LOOKED_AT
    while (seen < end) {
      const { items, next } = await readers.events.list({ after: seen, limit: STRETCH })
      const concerned = items.filter((event) => mayConcern(event, caller, users))
      for (const enriched of await enrichEvents(concerned, readers, publicUrl)) {
        if (!concerns(enriched, caller)) continue
        found.push(enriched)
        if (found.length === limit) return { items: found, next: enriched.event.position }
      }
      if (next === undefined) return { items: found, next: undefined }
      seen = next
    }
    return { items: found, next: seen }
  }
}

const mayConcern = ({ type, feed }: EventRecord, caller: Caller, users: boolean): boolean =>
  type.startsWith('user.') ? users : feed === undefined || mayKnowOfFeed(caller, feed)

const concerns = ({ event, subject }: EnrichedEvent, caller: Caller): boolean =>
  event.feed !== undefined || subject?.kind !== 'subscription' || mayKnowOfFeed(caller, subject.subscription.feed)
