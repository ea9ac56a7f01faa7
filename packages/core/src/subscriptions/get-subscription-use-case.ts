import type { Caller } from '../access/caller.ts'
import { SubscriptionNotFound } from '../errors.ts'
import { UseCase } from '../use-case.ts'
import type { Subscription } from './subscription.ts'
import { asSubscriptionId } from './subscription.ts'

export class GetSubscriptionUseCase extends UseCase<'access', 'subscriptions'> {
  static readonly permission = 'subscriptions:read'
  static readonly action = 'subscription.read'

  /** @throws {SubscriptionNotFound} */
  async execute({ subscriptionId }: { readonly subscriptionId: string }, caller: Caller): Promise<Subscription> {
    this.ports.access.require(caller, GetSubscriptionUseCase, subscriptionId)
    const id = asSubscriptionId(subscriptionId)
    const subscription = id === undefined ? undefined : await this.ports.readers.subscriptions.find(id)
    if (!subscription) throw new SubscriptionNotFound()
    return subscription
  }
}
