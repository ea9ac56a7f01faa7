import type { Caller } from '../access/caller.ts'
import { withMoves } from '../moves/moved-subscriptions.ts'
import { type Page, type PageRequest, stretchOf } from '../page.ts'
import { readAll } from '../read-all.ts'
import { UseCase } from '../use-case.ts'
import { addressHash, parseEmailAddress } from './email-address.ts'
import { parseKnownFeedName, requireFeed } from './feed.ts'
import { parseStatus, type Subscription } from './subscription.ts'
import { fieldsMadeVisible } from './visible-fields.ts'

export interface ListSubscriptionsCommand extends PageRequest {
  readonly feed?: string | undefined
  readonly status?: string | undefined
  /** An address, in any spelling; over all feeds if none is named. */
  readonly email?: string | undefined
}

export class ListSubscriptionsUseCase extends UseCase<
  'access' | 'digests' | 'domainNames' | 'reads',
  'feeds' | 'moves' | 'subscriptions'
> {
  static readonly permission = 'subscriptions:read'
  static readonly action = 'subscription.read'

  /**
   * Oldest first.
   * @throws {InvalidInput} there is no such feed or status, or the address is not valid
   */
  async execute(command: ListSubscriptionsCommand, caller: Caller): Promise<Page<Subscription>> {
    const attempt = this.ports.access.require(caller, ListSubscriptionsUseCase)
    const { stretch, feed, status, address } = readAll({
      stretch: () => stretchOf(command),
      feed: () => (command.feed === undefined ? undefined : parseKnownFeedName(command.feed)),
      status: () => parseStatus(command.status),
      address: () =>
        command.email === undefined ? undefined : parseEmailAddress(command.email, this.ports.domainNames),
    })
    await requireFeed(this.ports.readers.feeds, feed)
    this.ports.reads.note(caller, attempt)
    const { readers, digests } = this.ports
    const hash = address && addressHash(digests, address.key)
    const { items, next } = await readers.subscriptions.list({ ...stretch, feed, status, address: hash })
    const moved = await withMoves(readers.moves, items)
    return { items: await Promise.all(moved.map(fieldsMadeVisible(readers.feeds))), next }
  }
}
