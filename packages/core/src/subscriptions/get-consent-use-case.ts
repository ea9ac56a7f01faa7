import type { Caller } from '../access/caller.ts'
import type { Dependencies } from '../dependencies.ts'
import { SubscriptionNotFound } from '../errors.ts'
import type { Readers } from '../storage/readers.ts'
import { asSubscriptionId } from './subscription-id.ts'
import type { Evidence } from './subscription-store.ts'

type Needs = Pick<Dependencies, 'access'> & { readonly readers: Pick<Readers, 'subscriptions'> }

/** A subscription with its consent ledger. */
export class GetConsentUseCase {
  static readonly permission = 'subscriptions:read'
  static readonly action = 'subscription.read'
  readonly #ports: Needs

  constructor(ports: Needs) {
    this.#ports = ports
  }

  /** @throws {SubscriptionNotFound} */
  async execute({ subscriptionId }: { readonly subscriptionId: string }, caller: Caller): Promise<Evidence> {
    this.#ports.access.require(caller, GetConsentUseCase, subscriptionId)
    const id = asSubscriptionId(subscriptionId)
    const evidence = id === undefined ? undefined : await this.#ports.readers.subscriptions.findEvidence(id)
    if (!evidence) throw new SubscriptionNotFound()
    return evidence
  }
}
