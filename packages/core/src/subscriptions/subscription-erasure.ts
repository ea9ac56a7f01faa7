import { withdrawMail } from '../outbox/waiting-mail.ts'
import type { Digests } from '../ports/digests.ts'
import type { FeedStore } from '../ports/feed-store.ts'
import type { Stores } from '../ports/unit-of-work.ts'
import type { Feed } from './feed.ts'
import type { Subscription } from './subscription.ts'
import { subscriptionIdentity } from './subscription-id.ts'

export interface ErasureCounts {
  readonly erased: number
  readonly kept: number
  /** Message-IDs that the mail transport must forget once the unit of work is committed. */
  readonly mails: string[]
}

/** Erases subscriptions with everything that hangs on them, within a unit of work. */
export class SubscriptionErasure {
  readonly #digests: Digests

  constructor(digests: Digests) {
    this.#digests = digests
  }

  /** Returns the Message-IDs that the mail transport must forget once the unit of work is committed. */
  async of({ outbox, keptMails, subscriptions }: Stores, subscription: Subscription): Promise<string[]> {
    const { id } = subscription
    const mails = [...(await keptMails.list(id))]
    const withdrawn = await withdrawMail(outbox, subscription)
    if (withdrawn) mails.push(withdrawn.messageId)
    await subscriptions.erase(id)
    return mails
  }

  async ofAddress(stores: Stores, addressKey: string, fate: 'keep' | 'erase'): Promise<ErasureCounts> {
    const found = await this.#ofAddress(stores, addressKey)
    if (fate === 'keep') return { erased: 0, kept: found.length, mails: [] }
    const mails: string[] = []
    for (const subscription of found) mails.push(...(await this.of(stores, subscription)))
    return { erased: found.length, kept: 0, mails }
  }

  async countOfAddress(stores: Stores, addressKey: string): Promise<number> {
    return (await this.#ofAddress(stores, addressKey)).length
  }

  // Feeds are few and ids follow from feed and address, so no index over addresses is kept just for this.
  async #ofAddress(stores: Stores, addressKey: string): Promise<Subscription[]> {
    const found: Subscription[] = []
    for await (const { name } of everyFeed(stores.feeds)) {
      const identity = subscriptionIdentity(this.#digests, name, addressKey)
      const { subscription } = await stores.subscriptions.locate(identity)
      if (subscription) found.push(subscription)
    }
    return found
  }
}

async function* everyFeed(feeds: FeedStore): AsyncGenerator<Feed> {
  for (let after: number | undefined = 0; after !== undefined; ) {
    const { items, next } = await feeds.list({ after, limit: 200 })
    yield* items
    after = next
  }
}
