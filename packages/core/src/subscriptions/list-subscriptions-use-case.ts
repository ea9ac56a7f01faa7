import type { Caller } from '../access/caller.ts'
import { type Page, type PageRequest, stretchOf } from '../page.ts'
import { readAll } from '../read-all.ts'
import { UseCase } from '../use-case.ts'
import { parseEmailAddress } from './email-address.ts'
import { parseFeedFilter, requireFeed } from './feed-named.ts'
import type { Subscription } from './subscription.ts'
import { parseStatus } from './subscription-status.ts'
import { subscriptionsOfPage } from './subscriptions-of-page.ts'

export interface ListSubscriptionsCommand extends PageRequest {
  readonly feed?: string | undefined
  readonly status?: string | undefined
  /** An address, in any spelling; over all feeds if none is named. */
  readonly email?: string | undefined
}

export class ListSubscriptionsUseCase extends UseCase<'access' | 'digests' | 'domainNames', 'feeds' | 'subscriptions'> {
  static readonly permission = 'subscriptions:read'
  static readonly action = 'subscription.read'

  /**
   * Oldest first. Those of one address come feed by feed, where they are more than the limit.
   * @throws {InvalidInput} there is no such feed or status, or the address is not valid
   */
  async execute(command: ListSubscriptionsCommand, caller: Caller): Promise<Page<Subscription>> {
    this.ports.access.require(caller, ListSubscriptionsUseCase)
    const { stretch, feed, status, address } = readAll({
      stretch: () => stretchOf(command),
      feed: () => parseFeedFilter(command.feed),
      status: () => parseStatus(command.status),
      address: () =>
        command.email === undefined ? undefined : parseEmailAddress(command.email, this.ports.domainNames),
    })
    await requireFeed(this.ports.readers.feeds, feed)
    const filter = { ...stretch, feed, status }
    if (address === undefined) return await this.ports.readers.subscriptions.list(filter)
    const { items, next } = await subscriptionsOfPage(this.ports.readers, this.ports.digests, address.key, filter)
    return { items: items.toSorted((a, b) => a.createdAt - b.createdAt), next }
  }
}
