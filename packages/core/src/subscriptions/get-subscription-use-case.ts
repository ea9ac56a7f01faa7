import type { AccessControl } from '../access/access-control.ts'
import type { Caller } from '../access/caller.ts'
import { SubscriptionNotFound } from '../errors.ts'
import type { SubscriptionReader } from '../ports/subscription-store.ts'
import type { Subscription } from './subscription.ts'
import { asSubscriptionId } from './subscription-id.ts'

export class GetSubscriptionUseCase {
  readonly #access: AccessControl
  readonly #subscriptions: SubscriptionReader

  constructor(access: AccessControl, subscriptions: SubscriptionReader) {
    this.#access = access
    this.#subscriptions = subscriptions
  }

  /** @throws {SubscriptionNotFound} */
  async execute({ subscriptionId }: { readonly subscriptionId: string }, caller: Caller): Promise<Subscription> {
    this.#access.require(caller, 'subscriptions:read', { action: 'subscription.read', target: subscriptionId })
    const id = asSubscriptionId(subscriptionId)
    const subscription = id === undefined ? undefined : await this.#subscriptions.find(id)
    if (!subscription) throw new SubscriptionNotFound()
    return subscription
  }
}
