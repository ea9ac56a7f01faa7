import type { Caller } from '../access/caller.ts'
import type { Dependencies } from '../dependencies.ts'
import { SubscriptionNotFound } from '../errors.ts'
import { fieldsMadeVisible } from '../feeds/visible-fields.ts'
import { withMove } from '../moves/moved-subscriptions.ts'
import { type Precondition, requireCondition } from '../precondition.ts'
import type { Readers } from '../readers.ts'
import type { Stores } from '../unit-of-work.ts'
import type { ConsentSource } from './consent.ts'
import { isExpired, type Subscription } from './subscription.ts'
import { asSubscriptionId, type SubscriptionId } from './subscription-id.ts'

export interface SubscriptionCommand {
  readonly subscriptionId: string
  /** Why, for the trail; must not contain the owner's name or address. */
  readonly reason?: string | undefined
  readonly precondition?: Precondition<Subscription> | undefined
}

/**
 * The subscription that the command is about.
 * @throws {SubscriptionNotFound}
 * @throws {PreconditionFailed} the caller's condition does not hold
 */
export const commanded = async (
  { subscriptionId, precondition }: SubscriptionCommand,
  stores: Stores,
  { requests }: Pick<Dependencies, 'requests'>,
): Promise<Subscription> => {
  const subscription = await requireSubscription(subscriptionId, async (id) => {
    await requests.firstOf(stores, id)
    return await stores.subscriptions.find(id)
  })
  // The caller has seen it as it is shown.
  if (precondition) requireCondition(precondition, await asShown(stores, subscription))
  return subscription
}

/** The subscription as every reading of it has it. */
export const asShown = async (
  { feeds, moves }: Pick<Readers, 'feeds' | 'moves'>,
  subscription: Subscription,
): Promise<Subscription> => await fieldsMadeVisible(feeds)(await withMove(moves, subscription))

/**
 * The same if it must continue: one that has expired but is not swept yet counts as missing.
 * @throws {SubscriptionNotFound} also if it expired unconfirmed, or if its feed is being deleted
 * @throws {PreconditionFailed} the caller's condition does not hold
 */
export const commandedLive = async (
  command: SubscriptionCommand,
  stores: Stores,
  ports: Pick<Dependencies, 'requests' | 'clock'>,
): Promise<Subscription> => {
  const subscription = await commanded(command, stores, ports)
  if (isExpired(subscription, ports.clock.now())) throw new SubscriptionNotFound()
  if ((await stores.feeds.find(subscription.feed))?.deletingSince !== undefined) throw new SubscriptionNotFound()
  return subscription
}

/** @throws {SubscriptionNotFound} */
export const requireSubscription = async <Found>(
  text: string,
  find: (id: SubscriptionId) => Promise<Found | undefined>,
): Promise<Found> => {
  const id = asSubscriptionId(text)
  const found = id === undefined ? undefined : await find(id)
  if (found === undefined) throw new SubscriptionNotFound()
  return found
}

/** The result of an action that a caller took for the owner of a subscription. */
export interface OnBehalfResult {
  readonly subscription: Subscription
  /** It was so before; nothing was changed. */
  readonly already: boolean
}

/**
 * The ledger names who did it, so that no id can be taken for a way of the owner's; where that person sat says nothing.
 */
export const onBehalf = ({ id }: Caller): ConsentSource => ({
  via: `caller:${id}`,
  clientAddress: undefined,
  userAgent: undefined,
})
