import type { Caller } from '../access/caller.ts'
import { PreconditionFailed, SubscriptionNotFound } from '../errors.ts'
import { withMove } from '../moves/moved-subscriptions.ts'
import type { Clock } from '../platform/clock.ts'
import type { Precondition } from '../precondition.ts'
import type { Stores } from '../unit-of-work.ts'
import type { ConsentSource } from './consent.ts'
import { asSubscriptionId, isExpired, type Subscription, type SubscriptionId } from './subscription.ts'

/** A command of a caller on one subscription. */
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
  command: SubscriptionCommand,
  { subscriptions, moves }: Pick<Stores, 'subscriptions' | 'moves'>,
): Promise<Subscription> =>
  await demanded(command, await requireSubscription(command.subscriptionId, (id) => subscriptions.find(id)), moves)

/**
 * The same where it must continue: one that has expired but is not swept yet counts as missing.
 * @throws {SubscriptionNotFound} also if it expired unconfirmed, or if its feed is being deleted
 * @throws {PreconditionFailed} the caller's condition does not hold
 */
export const commandedLive = async (
  command: SubscriptionCommand,
  { subscriptions, feeds, moves }: Pick<Stores, 'subscriptions' | 'feeds' | 'moves'>,
  clock: Clock,
): Promise<Subscription> => {
  const subscription = await requireSubscription(command.subscriptionId, (id) => subscriptions.find(id))
  if (isExpired(subscription, clock.now())) throw new SubscriptionNotFound()
  if ((await feeds.find(subscription.feed))?.deletingSince !== undefined) throw new SubscriptionNotFound()
  return await demanded(command, subscription, moves)
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

const demanded = async (
  { precondition }: SubscriptionCommand,
  subscription: Subscription,
  moves: Stores['moves'],
): Promise<Subscription> => {
  // The caller has seen it as it is shown.
  if (precondition?.(await withMove(moves, subscription)) === false) throw new PreconditionFailed()
  return subscription
}

/** The result of an action that a caller took for the owner of a subscription. */
export interface OnBehalfResult {
  readonly subscription: Subscription
  /** It was so before; nothing was changed. */
  readonly already: boolean
}

/** The ledger names who did it, so that no id can be taken for a way of the owner's; where that person sat says nothing. */
export const onBehalf = ({ id }: Caller): ConsentSource => ({
  via: `caller:${id}`,
  clientAddress: undefined,
  userAgent: undefined,
})
