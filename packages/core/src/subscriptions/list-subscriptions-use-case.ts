import type { Caller } from '../access/caller.ts'
import { withMoves } from '../moves/moved-subscriptions.ts'
import { totalOf } from '../numbers/number-store.ts'
import { type Page, type PageRequest, stretchOf } from '../page.ts'
import type { Digests } from '../platform/digests.ts'
import { readAll } from '../read-all.ts'
import type { Readers } from '../readers.ts'
import { UseCase } from '../use-case.ts'
import { parseEmailAddress } from './email-address.ts'
import { type FeedName, parseKnownFeedName, requireFeed } from './feed.ts'
import { parseStatus, type Subscription, type SubscriptionStatus, subscriptionIdentity } from './subscription.ts'
import type { SubscriptionFilter } from './subscription-store.ts'
import { fieldsMadeVisible } from './visible-fields.ts'

export interface ListSubscriptionsCommand extends PageRequest {
  readonly feed?: string | undefined
  readonly status?: string | undefined
  /** An address, in any spelling; over all feeds if none is named. */
  readonly email?: string | undefined
}

export class ListSubscriptionsUseCase extends UseCase<
  'access' | 'requests' | 'digests' | 'domainNames' | 'reads',
  'feeds' | 'moves' | 'numbers' | 'subscriptions'
> {
  static readonly permission = 'subscriptions:read'
  static readonly action = 'subscription.read'

  /**
   * Oldest first. Those of one address come feed by feed, where they are more than the limit.
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
    await this.ports.requests.settled()
    const filter = { ...stretch, feed, status }
    const { readers, digests } = this.ports
    const total = address === undefined ? await this.#total(feed, status) : undefined
    const { items, next } =
      address === undefined
        ? await readers.subscriptions.list(filter)
        : await subscriptionsOfPage(readers, digests, address.key, filter)
    const moved = await withMoves(readers.moves, items)
    const shown = await Promise.all(moved.map(fieldsMadeVisible(readers.feeds)))
    return { items: address === undefined ? shown : shown.toSorted((a, b) => a.createdAt - b.createdAt), next, total }
  }

  async #total(feed: FeedName | undefined, status: SubscriptionStatus | undefined): Promise<number> {
    return totalOf(await this.ports.readers.numbers.current(feed === undefined ? undefined : [feed]), status)
  }
}

/** A stretch of the subscriptions of an address; its cursors are those of the list of feeds. */
export const subscriptionsOfPage = async (
  { feeds, subscriptions }: Pick<Readers, 'feeds' | 'subscriptions'>,
  digests: Digests,
  addressKey: string,
  { feed, status, after, limit }: SubscriptionFilter,
): Promise<Page<Subscription>> => {
  const find = async (name: FeedName): Promise<Subscription[]> => {
    const { subscription } = await subscriptions.locate(subscriptionIdentity(digests, name, addressKey))
    return subscription && (status === undefined || subscription.status === status) ? [subscription] : []
  }
  if (feed !== undefined) return { items: await find(feed), next: undefined }
  const items: Subscription[] = []
  let next: number | undefined = after
  // No page of feeds is longer than what is still wanted, so its end is a valid cursor.
  while (next !== undefined && items.length < limit) {
    const stretch = await feeds.list({ after: next, limit: limit - items.length })
    for (const { name } of stretch.items) items.push(...(await find(name)))
    next = stretch.next
  }
  for (let rest = next; rest !== undefined; ) {
    const stretch = await feeds.list({ after: rest, limit: LONGEST_STRETCH })
    for (const { name } of stretch.items) if ((await find(name)).length > 0) return { items, next }
    rest = stretch.next
  }
  return { items, next: undefined }
}

const LONGEST_STRETCH = 200
