import type { Caller } from '../access/caller.ts'
import type { Dependencies } from '../dependencies.ts'
import { SubscriptionNotFound } from '../errors.ts'
import type { Readers } from '../storage/readers.ts'
import type { Subscription } from './subscription.ts'
import { asSubscriptionId } from './subscription-id.ts'

type Needs = Pick<Dependencies, 'access'> & { readonly readers: Pick<Readers, 'subscriptions'> }

export class GetSubscriptionUseCase {
  static readonly permission = 'subscriptions:read'
  static readonly action = 'subscription.read'
  readonly #ports: Needs

  constructor(ports: Needs) {
    this.#ports = ports
  }

  /** @throws {SubscriptionNotFound} */
  async execute({ subscriptionId }: { readonly subscriptionId: string }, caller: Caller): Promise<Subscription> {
    this.#ports.access.require(caller, GetSubscriptionUseCase, subscriptionId)
    const id = asSubscriptionId(subscriptionId)
    const subscription = id === undefined ? undefined : await this.#ports.readers.subscriptions.find(id)
    if (!subscription) throw new SubscriptionNotFound()
    return subscription
  }
}
