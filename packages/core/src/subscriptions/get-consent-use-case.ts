import type { Caller } from '../access/caller.ts'
import { UseCase } from '../use-case.ts'
import { requireSubscription } from './subscription-command.ts'
import type { Evidence } from './subscription-store.ts'

/** A subscription with its consent ledger. */
export class GetConsentUseCase extends UseCase<'access', 'subscriptions'> {
  static readonly permission = 'subscriptions:read'
  static readonly action = 'subscription.read'

  /** @throws {SubscriptionNotFound} */
  async execute({ subscriptionId }: { readonly subscriptionId: string }, caller: Caller): Promise<Evidence> {
    this.ports.access.require(caller, GetConsentUseCase, subscriptionId)
    return await requireSubscription(subscriptionId, (id) => this.ports.readers.subscriptions.findEvidence(id))
  }
}
