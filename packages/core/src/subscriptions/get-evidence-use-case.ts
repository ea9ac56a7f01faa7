import type { AccessControl } from '../access/access-control.ts'
import type { Caller } from '../access/caller.ts'
import { SubscriptionNotFound } from '../errors.ts'
import type { Evidence, SubscriptionReader } from '../ports/subscription-store.ts'
import { asSubscriptionId } from './subscription-id.ts'

/** A subscription with the ledger of what its owner agreed to. */
export class GetEvidenceUseCase {
  readonly #access: AccessControl
  readonly #subscriptions: Pick<SubscriptionReader, 'findEvidence'>

  constructor(access: AccessControl, subscriptions: Pick<SubscriptionReader, 'findEvidence'>) {
    this.#access = access
    this.#subscriptions = subscriptions
  }

  /** @throws {SubscriptionNotFound} */
  async execute({ subscriptionId }: { readonly subscriptionId: string }, caller: Caller): Promise<Evidence> {
    this.#access.require(caller, 'subscriptions:read', { action: 'subscription.read', target: subscriptionId })
    const id = asSubscriptionId(subscriptionId)
    const evidence = id === undefined ? undefined : await this.#subscriptions.findEvidence(id)
    if (!evidence) throw new SubscriptionNotFound()
    return evidence
  }
}
