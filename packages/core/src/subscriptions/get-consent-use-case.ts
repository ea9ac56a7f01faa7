import type { Caller } from '../access/caller.ts'
import { SubscriptionNotFound } from '../errors.ts'
import { UseCase } from '../use-case.ts'
import { asSubscriptionId } from './subscription.ts'
import type { Evidence } from './subscription-store.ts'

/** A subscription with its consent ledger. */
export class GetConsentUseCase extends UseCase<'access', 'subscriptions'> {
  static readonly permission = 'subscriptions:read'
  static readonly action = 'subscription.read'

  /** @throws {SubscriptionNotFound} */
  async execute({ subscriptionId }: { readonly subscriptionId: string }, caller: Caller): Promise<Evidence> {
    this.ports.access.require(caller, GetConsentUseCase, subscriptionId)
    const id = asSubscriptionId(subscriptionId)
    const evidence = id === undefined ? undefined : await this.ports.readers.subscriptions.findEvidence(id)
    if (!evidence) throw new SubscriptionNotFound()
    return evidence
  }
}
