import type { Caller } from '../access/caller.ts'
import { stillFor } from '../access/run-for.ts'
import type { Feed } from '../feeds/feed.ts'
import { type Page, sortableCursorOf } from '../page.ts'
import { timestamp } from '../published/timestamp.ts'
import type { Recipient } from '../subscriptions/subscription.ts'
import { UseCase } from '../use-case.ts'
import { recipientFeed } from './recipient-feed.ts'
import { recipientLines } from './recipient-lines.ts'
import { filteredLookUp, type LookUp } from './unmailable.ts'

export interface ListRecipientsCommand {
  readonly feed: string
}

/** So many are in memory at a time; twice if the next ones are read while these are written. */
const STRETCH = 400
/** So many lines are made at a time: a server has other requests to answer in between. */
const PIECE = 50

/** The people that a sender may write to: the confirmed subscriptions of a feed whose address is neither blocked nor undeliverable. */
export class ListRecipientsUseCase extends UseCase<
  'access' | 'unitOfWork' | 'trail' | 'clock' | 'digests' | 'tokens' | 'transport' | 'publicUrl',
  'feeds' | 'subscriptions' | 'events' | 'suppressions' | 'deliverability' | 'users'
> {
  static readonly permission = 'recipients:read'
  static readonly action = 'recipient.read'

  /**
   * Resolves once it is audited, with the lines of NDJSON piece by piece: as long as the next piece is not taken, nothing
   * but the next stretch is read. The first line says behind which event changes are that may be missing in the
   * others; the last one how many recipients there are. Without that line the list is incomplete: it breaks off if the
   * caller may not have it any more.
   * @throws {FeedNotFound} also if it is being deleted, or if the caller is bound to others
   */
  async execute({ feed: name }: ListRecipientsCommand, caller: Caller): Promise<AsyncIterable<string>> {
    const attempt = await this.ports.access.require(caller, ListRecipientsUseCase, name)
    const feed = await recipientFeed(this.ports.readers.feeds, name, caller)
    await this.ports.unitOfWork.run(({ audit }) => this.ports.trail.done(audit, caller, attempt))
    return this.#lines(feed, caller)
  }

  async *#lines(feed: Feed, caller: Caller): AsyncGenerator<string> {
    const { readers, clock, digests, publicUrl, tokens, transport } = this.ports
    const line = recipientLines(feed, { tokens, publicUrl, domain: transport.domain })
    const at = timestamp(clock.now())
    yield `${JSON.stringify({ feed: feed.name, at, events_after: sortableCursorOf(await readers.events.last()) })}\n`
    const requireStill = stillFor(this.ports, ListRecipientsUseCase, caller, feed.name)
    let recipients = 0
    for await (const items of this.#stretches(feed, await filteredLookUp(readers, digests))) {
      await requireStill()
      for (let from = 0; from < items.length; from += PIECE) {
        const piece = items.slice(from, from + PIECE)
        let text = ''
        for (const one of piece) text += line(one)
        recipients += piece.length
        yield text
      }
    }
    yield `{"recipients":${recipients}}\n`
  }

  /** If units go on side by side, the next stretch is on its way while one is in hand; elsewhere that would only take memory. */
  async *#stretches(feed: Feed, lookUp: LookUp): AsyncGenerator<readonly Recipient[]> {
    const { sideBySide = false } = this.ports.unitOfWork
    let stretch = await this.#stretch(feed, lookUp, 0)
    while (stretch.next !== undefined) {
      const { next } = stretch
      const ahead = sideBySide ? this.#stretch(feed, lookUp, next) : undefined
      // If no further stretch is taken, what became of it is never seen.
      ahead?.catch(() => undefined)
      yield stretch.items
      stretch = await (ahead ?? this.#stretch(feed, lookUp, next))
    }
    yield stretch.items
  }

  async #stretch(feed: Feed, lookUp: LookUp, after: number): Promise<Page<Recipient>> {
    const { subscriptions } = this.ports.readers
    const { items, next } = await subscriptions.recipients({ feed: feed.name, after, limit: STRETCH })
    const problemOf = await lookUp(items.map(({ addressKey }) => addressKey))
    return { items: items.filter(({ addressKey }) => problemOf(addressKey) === undefined), next }
  }
}
