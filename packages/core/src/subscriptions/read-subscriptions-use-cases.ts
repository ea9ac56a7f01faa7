import type { Caller } from '../access/caller.ts'
import { type FeedName, parseKnownFeedName, requireFeed } from '../feeds/feed.ts'
import { fieldsMadeVisible } from '../feeds/visible-fields.ts'
import { withMove, withMoves } from '../moves/moved-subscriptions.ts'
import { totalOf } from '../numbers/number-store.ts'
import { type SortedPage, type SortedPageRequest, sortedPage, sortedStretchOf } from '../page.ts'
import { readAll } from '../read-all.ts'
import { findsTerms, searchWords, subscriptionTerms } from '../search-terms.ts'
import { UseCase } from '../use-case.ts'
import { addressHash, parseEmailAddress } from './email-address.ts'
import {
  type Evidence,
  parseStatus,
  type Subscription,
  type SubscriptionFilter,
  type SubscriptionStatus,
} from './subscription.ts'
import { asShown, requireSubscription } from './subscription-command.ts'
import { asSubscriptionId } from './subscription-id.ts'

export class GetSubscriptionUseCase extends UseCase<'access' | 'requests', 'feeds' | 'moves' | 'subscriptions'> {
  static readonly permission = 'subscriptions:read'
  static readonly action = 'subscription.read'

  /** @throws {SubscriptionNotFound} */
  async execute({ subscriptionId }: { readonly subscriptionId: string }, caller: Caller): Promise<Subscription> {
    await this.ports.access.require(caller, GetSubscriptionUseCase, subscriptionId)
    await this.ports.requests.settled()
    const { readers } = this.ports
    return await asShown(readers, await requireSubscription(subscriptionId, (id) => readers.subscriptions.find(id)))
  }
}

export interface ListSubscriptionsCommand extends SortedPageRequest {
  readonly feed?: string | undefined
  readonly status?: string | undefined
  /** An address, in any spelling; over all feeds if none is named. */
  readonly email?: string | undefined
  /** An id, or words, each the beginning of the address, of its domain or of a word of the name. */
  readonly query?: string | undefined
}

export class ListSubscriptionsUseCase extends UseCase<
  'access' | 'requests' | 'digests' | 'domainNames' | 'reads',
  'feeds' | 'moves' | 'numbers' | 'subscriptions'
> {
  static readonly permission = 'subscriptions:read'
  static readonly action = 'subscription.read'

  /** @throws {InvalidInput} there is no such feed, status or order, or the address or the query is not valid */
  async execute(command: ListSubscriptionsCommand, caller: Caller): Promise<SortedPage<Subscription>> {
    const attempt = await this.ports.access.require(caller, ListSubscriptionsUseCase)
    const { stretch, feed, status, address, words } = readAll({
      stretch: () => sortedStretchOf(command),
      feed: () => (command.feed === undefined ? undefined : parseKnownFeedName(command.feed)),
      status: () => parseStatus(command.status),
      address: () =>
        command.email === undefined ? undefined : parseEmailAddress(command.email, this.ports.domainNames),
      words: () => searchWords(command.query, this.ports.domainNames),
    })
    await requireFeed(this.ports.readers.feeds, feed)
    this.ports.reads.note(caller, attempt)
    await this.ports.requests.settled()
    const { readers, digests } = this.ports
    const hash = address && addressHash(digests, address.key)
    const filter = { ...stretch, feed, status, address: hash, words }
    const isNarrowed = address !== undefined || words !== undefined
    const total = isNarrowed ? undefined : await this.#total(feed, status)
    const { items, ...rest } =
      (await this.#byId(filter)) ?? sortedPage(stretch, await readers.subscriptions.list(filter))
    const moved = await withMoves(readers.moves, items)
    return { ...rest, total, items: await Promise.all(moved.map(fieldsMadeVisible(readers.feeds))) }
  }

  async #total(feed: FeedName | undefined, status: SubscriptionStatus | undefined): Promise<number> {
    return totalOf(await this.ports.readers.numbers.current(feed === undefined ? undefined : [feed]), status)
  }

  /** Ids are no terms: each would be one more to write, and an index has them. */
  async #byId({
    feed,
    status,
    address,
    words = [],
  }: SubscriptionFilter): Promise<SortedPage<Subscription> | undefined> {
    for (const word of words) {
      const id = asSubscriptionId(word)
      const found = id && (await this.ports.readers.subscriptions.find(id))
      if (!found) continue
      const rest = words.filter((other) => other !== word)
      const isMeant =
        (feed ?? found.feed) === found.feed &&
        (status ?? found.status) === found.status &&
        (address ?? found.address) === found.address &&
        findsTerms(subscriptionTerms(found), rest)
      return { items: isMeant ? [found] : [], next: undefined, previous: undefined }
    }
    return undefined
  }
}

export class GetConsentUseCase extends UseCase<'access' | 'requests', 'moves' | 'subscriptions'> {
  static readonly permission = 'subscriptions:read'
  static readonly action = 'subscription.read'

  /** @throws {SubscriptionNotFound} */
  async execute({ subscriptionId }: { readonly subscriptionId: string }, caller: Caller): Promise<Evidence> {
    await this.ports.access.require(caller, GetConsentUseCase, subscriptionId)
    await this.ports.requests.settled()
    const { subscriptions, moves } = this.ports.readers
    const evidence = await requireSubscription(subscriptionId, (id) => subscriptions.findEvidence(id))
    return { ...evidence, subscription: await withMove(moves, evidence.subscription) }
  }
}
