import type { Dependencies } from '../dependencies.ts'
import { type SubscriptionEventType, subscriptionEvent } from '../events/event-store.ts'
import { addressHash } from '../subscriptions/email-address.ts'
import type { Stores } from '../unit-of-work.ts'
import { addressForms, findSuppression, mailboxHashes } from './mailbox-hashes.ts'
import type { Block } from './suppression-store.ts'

type Means = Pick<Dependencies, 'digests' | 'clock'>

/**
 * Stops every mail to the mailbox of an address, within a unit of work. Its subscriptions stay, and say so in events,
 * unless it was blocked before. A complaint takes the place of a block.
 */
export const blockMailbox = async (stores: Stores, means: Means, addressKey: string, block: Block): Promise<void> => {
  const hashes = mailboxHashes(means.digests, addressKey)
  const before = await findSuppression(stores.suppressions, hashes)
  await stores.suppressions.add(hashes.mailbox, block)
  if (before?.block === undefined) await appendToAddress(stores, means, addressKey, 'subscription.blocked')
}

/**
 * Appends an event to each subscription of the address that has not ended, and of its plain forms: those with another plus
 * tag cannot be found, because ids follow from whole addresses.
 */
export const appendToAddress = async (
  stores: Stores,
  { digests, clock }: Means,
  addressKey: string,
  type: SubscriptionEventType,
): Promise<void> => {
  for (const key of addressForms(addressKey))
    for (const subscription of await stores.subscriptions.ofAddress(addressHash(digests, key)))
      if (subscription.status !== 'ended')
        await stores.events.append(subscriptionEvent(type, subscription, clock.now()))
}
