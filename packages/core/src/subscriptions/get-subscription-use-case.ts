import type { Caller } from '../access/caller.ts'
import { fieldsMadeVisible } from '../feeds/visible-fields.ts'
import { withMove } from '../moves/moved-subscriptions.ts'
import { UseCase } from '../use-case.ts'
import type { Subscription } from './subscription.ts'
import { requireSubscription } from './subscription-command.ts'

export class GetSubscriptionUseCase extends UseCase<'access' | 'requests', 'feeds' | 'moves' | 'subscriptions'> {
  static readonly permission = 'subscriptions:read'
  static readonly action = 'subscription.read'

  /** @throws {SubscriptionNotFound} */
  async execute({ subscriptionId }: { readonly subscriptionId: string }, caller: Caller): Promise<Subscription> {
    await this.ports.access.require(caller, GetSubscriptionUseCase, subscriptionId)
    await this.ports.requests.settled()
    const { feeds, moves, subscriptions } = this.ports.readers
    const subscription = await requireSubscription(subscriptionId, (id) => subscriptions.find(id))
    return await fieldsMadeVisible(feeds)(await withMove(moves, subscription))
  }
}
