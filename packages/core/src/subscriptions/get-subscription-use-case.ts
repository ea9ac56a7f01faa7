import type { Caller } from '../access/caller.ts'
import { UseCase } from '../use-case.ts'
import type { Subscription } from './subscription.ts'
import { requireSubscription } from './subscription-command.ts'
import { fieldsMadeVisible } from './visible-fields.ts'

export class GetSubscriptionUseCase extends UseCase<'access', 'feeds' | 'subscriptions'> {
  static readonly permission = 'subscriptions:read'
  static readonly action = 'subscription.read'

  /** @throws {SubscriptionNotFound} */
  async execute({ subscriptionId }: { readonly subscriptionId: string }, caller: Caller): Promise<Subscription> {
    this.ports.access.require(caller, GetSubscriptionUseCase, subscriptionId)
    const { feeds, subscriptions } = this.ports.readers
    return await fieldsMadeVisible(feeds)(await requireSubscription(subscriptionId, (id) => subscriptions.find(id)))
  }
}
