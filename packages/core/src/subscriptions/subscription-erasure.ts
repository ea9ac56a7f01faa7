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
  readonly #requests: Pick<RequestDesk, 'first'>

  constructor(clock: Clock, digests: Digests, requests: Pick<RequestDesk, 'first'>) {
    this.#clock = clock
    this.#digests = digests
    this.#requests = requests
  }

  async #erase(
    stores: Stores,
    subscription: Subscription,
    erased: Set<SubscriptionId>,
    fate: 'keep' | 'erase' = 'erase',
  ): Promise<string[]> {
    if (erased.has(subscription.id)) return []
    const wasMoved = await stores.moves.touches(subscription.id)
    const mails: string[] = []
    for (const one of wasMoved && fate === 'erase' ? await this.#withItsMoves(stores, subscription) : [subscription]) {
      erased.add(one.id)
      mails.push(...(await eraseSubscription(stores, one, wasMoved)))
      const at = this.#clock.now()
      await stores.events.append(subscriptionEvent('subscription.erased', one, at, erasureCauseOf(one, at)))
      if (one.address !== subscription.address) mails.push(...(await this.#forgetIfLast(stores, one, erased)))
    }
    return mails
  }

  /** As they are once what was asked about their addresses before is carried out. */
  async #withItsMoves(stores: Stores, subscription: Subscription): Promise<readonly Subscription[]> {
    const found = await withItsMoves(stores, subscription)
    const addresses = found.map(({ address }) => address)
    if (!(await this.#requests.first(stores, addresses))) return found
    return await withItsMoves(stores, (await stores.subscriptions.find(subscription.id)) ?? subscription)
  }

  async ofAddress(stores: Stores, addressKey: string, fate: 'keep' | 'erase'): Promise<ErasureCounts> {
    if (fate === 'keep') return { erased: 0, kept: await this.countOfAddress(stores, addressKey), mails: [] }
    const address = addressHash(this.#digests, addressKey)
    // What waits would bring it back.
    await stores.requests.removeOf(address)
    const mails: string[] = []
    const erased = new Set<SubscriptionId>()
    for (const subscription of await stores.subscriptions.ofAddress(address))
      mails.push(...(await this.#erase(stores, subscription, erased)))
    mails.push(...(await this.#forgetAddress(stores, address)))
    return { erased: erased.size, kept: 0, mails }
  }

  /**
   * Erases also what it was moved to, or from, and what is parked about it; if it was the last of its address, what is known
   * of that goes, too. All of this stays if what is known is to be kept. Returns the Message-IDs that the mail transport must
   * forget once the unit of work is committed.
   * @param erased what the unit of work has erased so far: that is passed over, and what goes now is added
   */
  async ofOne(
    stores: Stores,
    subscription: Subscription,
    erased = new Set<SubscriptionId>(),
    whatIsKnown: 'keep' | 'erase' = 'erase',
  ): Promise<string[]> {
    const mails = await this.#erase(stores, subscription, erased, whatIsKnown)
    return [...mails, ...(await this.#forgetIfLast(stores, subscription, erased, whatIsKnown))]
  }

  async #forgetIfLast(
    stores: Stores,
    { address, feed }: Subscription,
    erased: ReadonlySet<SubscriptionId>,
    fate: 'keep' | 'erase' = 'erase',
  ): Promise<readonly string[]> {
    const [left] = await stores.subscriptions.ofAddress(address)
    if (fate === 'erase') await dropParked(stores, address, left && feed)
    if (left === undefined && fate === 'erase') return await this.#forgetAddress(stores, address)
    const waiting = left ? await stores.feedback.ofAddress(address) : []
    if (left && waiting.some(({ subscription: id }) => id === undefined || erased.has(id)))
      await stores.feedback.nameFor(address, left.id)
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

/** Removes what is parked about the address, or about this feed of it, and what is behind it: it would bring that back. */
const dropParked = async (
  { requests }: Pick<Stores, 'requests'>,
  address: AddressHash,
  feed: FeedName | undefined,
): Promise<void> => {
  const waiting = await requests.ofAddress(address)
  if (!waiting.some(({ parkedAt }) => parkedAt !== undefined)) return
  const names = ({ asked }: WaitingRequest): boolean =>
    feed === undefined || (asked.kind === 'sign-up' && asked.feeds.some((one) => one.feed === feed))
  await requests.remove(waiting.filter(names).map(({ id }) => id))
}
