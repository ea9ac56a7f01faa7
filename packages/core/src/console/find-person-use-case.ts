import type { Caller } from '../access/caller.ts'
import type { Deliverability } from '../feedback/deliverability-store.ts'
import { type AddressHash, asAddressHash, parseEmailAddress } from '../subscriptions/email-address.ts'
import { asSubscriptionId, type SubscriptionId } from '../subscriptions/subscription-id.ts'
import { findSuppression, mailboxHashes } from '../suppressions/mailbox-hashes.ts'
import type { StoredSuppression } from '../suppressions/suppression-store.ts'
import { UseCase } from '../use-case.ts'
import { asUserId, type UserId } from '../users/user.ts'

/** What a text leads to: ids and hashes only, so that an address of a page can be made of it. */
export interface FoundPerson {
  readonly subscriptions: readonly SubscriptionId[]
  readonly users: readonly UserId[]
  /** Of a text that is an address, whatever is known of it. */
  readonly address: AddressHash | undefined
}

type Finding = 'digests' | 'requests' | 'domainNames' | 'access' | 'reads'

/** One box for an address or an id. */
export class FindPersonUseCase extends UseCase<Finding, 'subscriptions' | 'users' | 'tombstones'> {
  static readonly permission = 'subscriptions:read'
  static readonly action = 'subscription.read'

  /** @throws {InvalidInput} the text looks like an address, but is not valid */
  async execute({ text }: { readonly text: string }, caller: Caller): Promise<FoundPerson> {
    const { access, reads, requests } = this.ports
    const attempt = await access.require(caller, FindPersonUseCase)
    const mayReadUsers = await access.allows(caller, 'users:read')
    reads.note(caller, attempt)
    await requests.settled()
    return text.includes('@') ? await this.#byAddress(text, mayReadUsers) : await this.#byId(text, mayReadUsers)
  }

  async #byAddress(text: string, mayReadUsers: boolean): Promise<FoundPerson> {
    const { readers, digests, domainNames } = this.ports
    const { key } = parseEmailAddress(text, domainNames, 'address')
    const { address } = mailboxHashes(digests, key)
    const found = await readers.subscriptions.ofAddress(address)
    const user = mayReadUsers ? await readers.users.withEmail?.(key) : undefined
    return {
      subscriptions: found.map(({ id }) => id),
      users: user === undefined ? [] : [user.id],
      address,
    }
  }

  async #byId(text: string, mayReadUsers: boolean): Promise<FoundPerson> {
    const { subscriptions, users, tombstones } = this.ports.readers
    const subscriptionId = asSubscriptionId(text)
    const subscription = subscriptionId && (await subscriptions.find(subscriptionId))
    const userId = mayReadUsers ? asUserId(text) : undefined
    const isKnown = userId && ((await users.find(userId)) ?? (await tombstones.find(userId)))
    return {
      subscriptions: subscription ? [subscription.id] : [],
      users: userId && isKnown ? [userId] : [],
      address: asAddressHash(text),
    }
  }
}

/** What is kept of an address by its hash alone. */
export interface KnownAddress {
  readonly address: AddressHash
  readonly suppression: StoredSuppression | undefined
  readonly deliverability: Deliverability | undefined
}

export class ShowAddressUseCase extends UseCase<'access' | 'reads', 'suppressions' | 'deliverability'> {
  static readonly permission = 'suppressions:read'
  static readonly action = 'suppression.read'

  /** Undefined if the text is no hash of an address. */
  async execute({ hash }: { readonly hash: string }, caller: Caller): Promise<KnownAddress | undefined> {
    const attempt = await this.ports.access.require(caller, ShowAddressUseCase)
    const address = asAddressHash(hash)
    if (address === undefined) return undefined
    this.ports.reads.note(caller, attempt)
    const { suppressions, deliverability } = this.ports.readers
    return {
      address,
      suppression: await findSuppression(suppressions, { mailbox: address }),
      deliverability: await deliverability.find(address),
    }
  }
}
