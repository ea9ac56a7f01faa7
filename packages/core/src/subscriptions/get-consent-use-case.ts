import type { Caller } from '../access/caller.ts'
import { withMove } from '../moves/moved-subscriptions.ts'
import { UseCase } from '../use-case.ts'
import { requireSubscription } from './subscription-command.ts'
import type { Evidence } from './subscription-store.ts'

/** A subscription with its consent ledger. */
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
