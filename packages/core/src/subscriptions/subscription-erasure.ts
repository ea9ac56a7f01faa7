import { subscriptionEvent } from '../events/event-store.ts'
import type { FeedName } from '../feeds/feed.ts'
import { forgetMoves, forgetMovesTo, withItsMoves } from '../moves/moved-subscriptions.ts'
import { erasureCauseOf } from '../numbers/numbers-of-event.ts'
import { withdrawMails } from '../outbox/pending-mail.ts'
import type { Clock } from '../platform/clock.ts'
import type { Digests } from '../platform/digests.ts'
import type { Readers } from '../readers.ts'
import type { RequestDesk } from '../sign-up/request-desk.ts'
import type { WaitingRequest } from '../sign-up/waiting-request.ts'
import type { Stores } from '../unit-of-work.ts'
import { type AddressHash, addressHash } from './email-address.ts'
import type { Subscription } from './subscription.ts'
import type { SubscriptionId } from './subscription-id.ts'

export interface ErasureCounts {
  readonly erased: number
  readonly kept: number
  /** Message-IDs that the mail transport must forget once the unit of work is committed. */
  readonly mails: string[]
}

/**
 * What goes with a subscription, wherever it is erased: its mails that wait, and all that its store holds. Appends no
 * event. Returns the Message-IDs that the mail transport must forget once the unit of work is committed.
 */
export const eraseSubscription = async (
  stores: Pick<Stores, 'outbox' | 'keptMails' | 'moves' | 'signUpGroups' | 'subscriptions'>,
  subscription: Subscription,
  wasMoved?: boolean,
): Promise<string[]> => {
  const { keptMails, moves, subscriptions } = stores
  const mails = [...(await keptMails.list(subscription.id))]
  for (const { messageId } of await withdrawMails(stores, subscription)) mails.push(messageId)
  if (wasMoved ?? (await moves.touches(subscription.id))) mails.push(...(await forgetMoves(stores, subscription)))
  await subscriptions.erase(subscription.id)
  return mails
}

/** Erases subscriptions with everything that hangs on them, within a unit of work. */
export class SubscriptionErasure {
  readonly #clock: Clock
  readonly #digests: Digests
  readonly #requests: Pick<RequestDesk, 'firstOfAll'>

  constructor(clock: Clock, digests: Digests, requests: Pick<RequestDesk, 'firstOfAll'>) {
    this.#clock = clock
    this.#digests = digests
    this.#requests = requests
  }

  async ofAddress(stores: Stores, addressKey: string, fate: 'keep' | 'erase'): Promise<ErasureCounts> {
    if (fate === 'keep') return { erased: 0, kept: await this.countOfAddress(stores, addressKey), mails: [] }
    const address = addressHash(this.#digests, addressKey)
    // What waits would bring it back.
    await stores.requests.removeOf(address)
    const mails: string[] = []
    const erased = new Set<SubscriptionId>()
    for (const subscription of await stores.subscriptions.ofAddress(address))
      mails.push(...(await this.#erase(stores, subscription, erased, withOwner)))
    mails.push(...(await this.#forgetAddress(stores, address)))
    return { erased: erased.size, kept: 0, mails }
  }

  /**
   * Erases also what it was moved to, or from, and what is parked about it; if it was the last of its address, what is
   * known of that goes, too. Returns, as all of these do, the Message-IDs that the mail transport must forget once the
   * unit of work is committed.
   */
  async ofOne(stores: Stores, subscription: Subscription): Promise<string[]> {
    return await this.#eraseOne(stores, subscription, new Set(), withOwner)
  }

  /**
   * The same of one whose feed goes: a parked form that asks for others as well stays.
   * @param erased what the unit of work has erased so far: that is passed over, and what goes now is added
   */
  async withFeed(stores: Stores, subscription: Subscription, erased: Set<SubscriptionId>): Promise<string[]> {
    return await this.#eraseOne(stores, subscription, erased, withFeed)
  }

  /** Erases this one, and nothing beside it. */
  async expire(stores: Stores, subscription: Subscription, erased: Set<SubscriptionId>): Promise<string[]> {
    const mails = await this.#remove(stores, subscription, erased)
    const [left] = await stores.subscriptions.ofAddress(subscription.address)
    if (left) await nameFeedback(stores, left, erased)
    return mails
  }

  async #eraseOne(stores: Stores, one: Subscription, erased: Set<SubscriptionId>, goes: Goes): Promise<string[]> {
    const mails = await this.#erase(stores, one, erased, goes)
    return [...mails, ...(await this.#forgetIfLast(stores, one, erased, goes))]
  }

  async #erase(stores: Stores, subscription: Subscription, erased: Set<SubscriptionId>, goes: Goes): Promise<string[]> {
    if (erased.has(subscription.id)) return []
    const { id, address } = subscription
    const wasMoved = await stores.moves.touches(id)
    const find = async () => await withItsMoves(stores, (await stores.subscriptions.find(id)) ?? subscription)
    const mails: string[] = []
    for (const one of wasMoved ? await this.#requests.firstOfAll(stores, find) : [subscription]) {
      mails.push(...(await this.#remove(stores, one, erased, wasMoved)))
      if (one.address !== address) mails.push(...(await this.#forgetIfLast(stores, one, erased, goes)))
    }
    return mails
  }

  async #remove(stores: Stores, one: Subscription, erased: Set<SubscriptionId>, wasMoved?: boolean): Promise<string[]> {
    erased.add(one.id)
    const mails = await eraseSubscription(stores, one, wasMoved)
    const at = this.#clock.now()
    await stores.events.append(subscriptionEvent('subscription.erased', one, at, erasureCauseOf(one, at)))
    return mails
  }

  async #forgetIfLast(
    stores: Stores,
    { address, feed }: Subscription,
    erased: ReadonlySet<SubscriptionId>,
    goes: Goes,
  ): Promise<readonly string[]> {
    const [left] = await stores.subscriptions.ofAddress(address)
    await dropParked(stores, address, (request) => goes(request, feed, left === undefined))
    if (left === undefined) return await this.#forgetAddress(stores, address)
    await nameFeedback(stores, left, erased)
    return []
  }

  async #forgetAddress(stores: Stores, address: AddressHash): Promise<readonly string[]> {
    await stores.deliverability.erase(address)
    await stores.feedback.removeOf(address)
    return await forgetMovesTo(stores, address)
  }

  async countOfAddress(stores: Pick<Readers, 'subscriptions'>, addressKey: string): Promise<number> {
    return (await stores.subscriptions.ofAddress(addressHash(this.#digests, addressKey))).length
  }
}

/** Whether what is parked goes with a subscription to this feed, which may have been the last of its address. */
type Goes = (request: WaitingRequest, feed: FeedName, wasLast: boolean) => boolean

/** It would bring that back. */
const withOwner: Goes = ({ asked }, feed, wasLast) =>
  wasLast || (asked.kind === 'sign-up' && asked.feeds.some((one) => one.feed === feed))

/** It asks for nothing else. */
const withFeed: Goes = ({ asked }, feed) => asked.kind === 'sign-up' && asked.feeds.every((one) => one.feed === feed)

/** Removes what is parked about the address, and what is behind it, as far as it goes. */
const dropParked = async (
  { requests }: Pick<Stores, 'requests'>,
  address: AddressHash,
  goes: (request: WaitingRequest) => boolean,
): Promise<void> => {
  const waiting = await requests.ofAddress(address)
  if (!waiting.some(({ parkedAt }) => parkedAt !== undefined)) return
  await requests.remove(waiting.filter(goes).map(({ id }) => id))
}

/** What senders reported of those that are erased waits for a decision under the one that is left of their address. */
const nameFeedback = async (
  { feedback }: Pick<Stores, 'feedback'>,
  { id: left, address }: Subscription,
  erased: ReadonlySet<SubscriptionId>,
): Promise<void> => {
  const waiting = await feedback.ofAddress(address)
  if (waiting.some(({ subscription: id }) => id === undefined || erased.has(id))) await feedback.nameFor(address, left)
}
