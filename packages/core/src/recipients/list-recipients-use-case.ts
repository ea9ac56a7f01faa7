import type { Caller } from '../access/caller.ts'
import { type Page, sortableCursorOf } from '../page.ts'
import { timestamp } from '../published/timestamp.ts'
import type { Feed } from '../subscriptions/feed.ts'
import type { Recipient } from '../subscriptions/subscription-store.ts'
import { UseCase } from '../use-case.ts'
import { recipientFeed } from './recipient-feed.ts'
import { recipientLines } from './recipient-lines.ts'
import { unmailable } from './unmailable.ts'

export interface ListRecipientsCommand {
  readonly feed: string
  /** Called with the number so far, before each piece. */
  readonly onProgress?: ((recipients: number) => void) | undefined
}

/** So many are in memory at a time, twice: the next ones are read while these are written. */
const STRETCH = 200

/** To whom a sender may write: the confirmed subscriptions of a feed whose address is neither blocked nor undeliverable. */
export class ListRecipientsUseCase extends UseCase<
  'access' | 'unitOfWork' | 'trail' | 'clock' | 'digests' | 'tokens' | 'transport' | 'publicUrl',
  'feeds' | 'subscriptions' | 'events' | 'suppressions' | 'deliverability'
> {
  static readonly permission = 'recipients:read'
  static readonly action = 'recipient.read'

  /**
   * Resolves once it is audited, with the lines of NDJSON piece by piece: as long as the next piece is not taken, nothing
   * but the next stretch is read. The first line says behind which event changes are that may be missing in the
   * others; the last one how many recipients there are. Without that line the list is incomplete.
   * @throws {FeedNotFound} also if it is being deleted, or if the caller is bound to others
   */
  async execute({ feed: name, onProgress }: ListRecipientsCommand, caller: Caller): Promise<AsyncIterable<string>> {
    const attempt = this.ports.access.require(caller, ListRecipientsUseCase, name)
    const feed = await recipientFeed(this.ports.readers.feeds, name, caller)
    await this.ports.unitOfWork.run(({ audit }) => this.ports.trail.done(audit, caller, attempt))
    return this.#lines(feed, onProgress)
  }

  async *#lines(feed: Feed, onProgress: ListRecipientsCommand['onProgress']): AsyncGenerator<string> {
    const { readers, clock, digests, publicUrl, tokens, transport } = this.ports
    const line = recipientLines(feed, { tokens, publicUrl, domain: transport.domain })
    const at = timestamp(clock.now())
    yield `${JSON.stringify({ feed: feed.name, at, events_after: sortableCursorOf(await readers.events.last()) })}\n`
    let recipients = 0
    for await (const items of this.#stretches(feed)) {
      const keys = items.map(({ addressKey }) => addressKey)
      const problemOf = await unmailable(readers, digests, keys)
      let text = ''
      for (const one of items) {
        if (problemOf(one.addressKey) !== undefined) continue
        text += line(one)
        recipients++
      }
      onProgress?.(recipients)
      if (text !== '') yield text
    }
    yield `{"recipients":${recipients}}\n`
  }

  /** The next stretch is on its way while one is in hand. */
  async *#stretches(feed: Feed): AsyncGenerator<readonly Recipient[]> {
    let next = this.#stretch(feed, 0)
    for (;;) {
      const page = await next
      if (page.next === undefined) return yield page.items
      next = this.#stretch(feed, page.next)
      // Whoever takes no further stretch never sees what became of it.
      next.catch(() => undefined)
      yield page.items
    }
  }

  #stretch(feed: Feed, after: number): Promise<Page<Recipient>> {
    return this.ports.readers.subscriptions.recipients({ feed: feed.name, after, limit: STRETCH })
  }
}
