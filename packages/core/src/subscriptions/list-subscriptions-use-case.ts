import type { AccessControl } from '../access/access-control.ts'
import type { Caller } from '../access/caller.ts'
import { type Page, type PageRequest, stretchOf } from '../page.ts'
import type { Digests } from '../ports/digests.ts'
import type { DomainNames } from '../ports/domain-names.ts'
import type { Readers } from '../ports/readers.ts'
import { readAll } from '../read-all.ts'
import { parseEmailAddress } from './email-address.ts'
import { parseFeedFilter, requireFeed } from './feed-named.ts'
import type { Subscription } from './subscription.ts'
import { parseStatus } from './subscription-status.ts'
import { subscriptionsOfPage } from './subscriptions-of-page.ts'

export interface ListSubscriptionsCommand extends PageRequest {
  readonly feed?: string | undefined
  readonly status?: string | undefined
  /** An address, in any way to write it; over all feeds where none is named. */
  readonly email?: string | undefined
}

export class ListSubscriptionsUseCase {
  readonly #access: AccessControl
  readonly #readers: Pick<Readers, 'feeds' | 'subscriptions'>
  readonly #digests: Digests
  readonly #domainNames: DomainNames

  constructor(ports: {
    access: AccessControl
    readers: Pick<Readers, 'feeds' | 'subscriptions'>
    digests: Digests
    domainNames: DomainNames
  }) {
    this.#access = ports.access
    this.#readers = ports.readers
    this.#digests = ports.digests
    this.#domainNames = ports.domainNames
  }

  /**
   * Oldest first. Those of one address come feed by feed, where they are more than the limit.
   * @throws {InvalidInput} there is no such feed or status, or the address can be none
   */
  async execute(command: ListSubscriptionsCommand, caller: Caller): Promise<Page<Subscription>> {
    this.#access.require(caller, 'subscriptions:read', { action: 'subscription.read' })
    const { stretch, feed, status, address } = readAll({
      stretch: () => stretchOf(command),
      feed: () => parseFeedFilter(command.feed),
      status: () => parseStatus(command.status),
      address: () => (command.email === undefined ? undefined : parseEmailAddress(command.email, this.#domainNames)),
    })
    await requireFeed(this.#readers.feeds, feed)
    const filter = { ...stretch, feed, status }
    if (address === undefined) return await this.#readers.subscriptions.list(filter)
    const { items, next } = await subscriptionsOfPage(this.#readers, this.#digests, address.key, filter)
    return { items: items.toSorted((a, b) => a.createdAt - b.createdAt), next }
  }
}
