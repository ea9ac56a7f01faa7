import { subscriptionEvent } from '../events/event-store.ts'
import { DAY, type Instant } from '../instant.ts'
import { counted } from '../numbers/counted.ts'
import type { PendingMail } from '../outbox/outbox-store.ts'
import type { Readers } from '../readers.ts'
import type { ConsentRecord } from '../subscriptions/consent.ts'
import type { AddressHash } from '../subscriptions/email-address.ts'
import type { Subscription } from '../subscriptions/subscription.ts'
import type { SubscriptionId } from '../subscriptions/subscription-id.ts'
import type { Stores } from '../unit-of-work.ts'
import type { Deliverability } from './deliverability-store.ts'
import type { Judgement } from './judge-failure.ts'

/** A mail that came back, judged. */
export interface Bounce extends Judgement {
  readonly at: Instant
}

/** How long an undeliverable address is known. */
const KEPT = 365 * DAY
/** So many days with failures, within so many, are as good as one that is final. */
const [MOST_DAYS, WITHIN] = [5, 30]

/** What is known of an address after this bounce; undefined if it changes nothing. */
export const afterBounce = (
  known: Deliverability | undefined,
  { meaning, status, at }: Bounce,
  now: Instant,
): Deliverability | undefined => {
  if (known?.state === 'undeliverable' || meaning === undefined) return undefined
  const day = Math.floor(at / DAY)
  const all = [...new Set([...(known?.days ?? []), day])].sort((a, b) => a - b)
  const newest = all.at(-1) ?? day
  const days = all.filter((one) => one > newest - WITHIN)
  if (meaning === 'permanent' || days.length >= MOST_DAYS)
    return { state: 'undeliverable', since: at, status, days, expiresAt: now + KEPT }
  const expiresAt = (newest + WITHIN) * DAY
  return { state: 'failing', since: known?.since ?? at, status, days, expiresAt }
}

/** Whether a mail that arrived shows that the address is in order again. An undeliverable one needs more than that. */
export const endsFailing = (known: Deliverability | undefined, arrivedAt: Instant): boolean =>
  known?.state === 'failing' && Math.floor(arrivedAt / DAY) >= (known.days.at(-1) ?? 0)

/**
 * The subscriptions of an address whose readers have confirmed them since, and no administrator or import for them. Midnight
 * stands for a date alone, so for that day: what came first on it is not known.
 */
export const confirmedSince = async (
  { subscriptions }: Pick<Readers, 'subscriptions'>,
  address: AddressHash,
  at: Instant,
): Promise<ReadonlySet<SubscriptionId>> => {
  const latest = at % DAY === 0 ? at + DAY - 1 : at
  const found = new Set<SubscriptionId>()
  for (const { id, confirmedAt = 0 } of await subscriptions.ofAddress(address)) {
    const ledger = confirmedAt > latest ? (await subscriptions.findEvidence(id))?.consents : undefined
    if (ledger?.some((one) => one.at === confirmedAt && isClick(one))) found.add(id)
  }
  return found
}

const isClick = ({ deed, via }: ConsentRecord): boolean =>
  deed !== 'requested' && via !== 'import' && !via.startsWith('caller:')

/** As much as is known of an address. */
export interface ReportedAddress {
  readonly address: AddressHash
  /** One of its subscriptions, if there is any. */
  readonly subscription: Subscription | undefined
}

type Changed = Pick<Stores, 'deliverability' | 'events' | 'numbers' | 'outbox' | 'subscriptions'>

/** Stores what becomes of an address, and says so to those who write to it. One bounce is one, whatever it is of. */
export const putDeliverability = async (
  stores: Changed,
  { address, subscription }: ReportedAddress,
  after: Deliverability,
  now: Instant,
  as: 'bounced' | 'imported:undeliverable' = 'bounced',
): Promise<void> => {
  const all = after.state === 'undeliverable' ? await stores.subscriptions.ofAddress(address) : []
  await stores.numbers.add([counted(as, (subscription ?? all[0])?.feed, now)])
  await stores.deliverability.put(address, after)
  await announce(stores, all, 'subscription.undeliverable', now)
}

/** Says so of those that were confirmed without a click, if mails to their addresses come back. */
export const warnOfUndeliverable = async (
  stores: Changed,
  confirmed: readonly Subscription[],
  now: Instant,
): Promise<void> => {
  if (confirmed.length === 0) return
  const found = await stores.deliverability.findMany(confirmed.map(({ address }) => address))
  const undeliverable = confirmed.filter(({ address }) => found.get(address)?.state === 'undeliverable')
  await announce(stores, undeliverable, 'subscription.undeliverable', now)
}

/** A link in a mail to the address was followed. */
export const endFailing = async (
  { deliverability }: Pick<Stores, 'deliverability'>,
  address: AddressHash,
  now: Instant,
): Promise<void> => {
  if (endsFailing(await deliverability.find(address), now)) await deliverability.erase(address)
}

/**
 * A relay's refusal of the recipient is as good as a mail that came back, if it has a status: without one, it may be the
 * relay that is not set up. Whether the address is undeliverable.
 */
export const noteRefusal = async (
  stores: Changed,
  { address, subscriptionId }: Pick<PendingMail, 'address' | 'subscriptionId'>,
  refusal: Bounce,
): Promise<boolean> => {
  const before = await stores.deliverability.find(address)
  const after = afterBounce(before, refusal, refusal.at)
  const named = await stores.subscriptions.find(subscriptionId)
  // A mail to the new address of its owner says nothing about the address that it has.
  const subscription = named?.address === address ? named : undefined
  if (after) await putDeliverability(stores, { address, subscription }, after, refusal.at)
  return (after ?? before)?.state === 'undeliverable'
}

/** Mails reached their readers: what was known of these addresses is forgotten, and so are bounces that wait. */
export const liftUndeliverable = async (
  stores: Changed & Pick<Stores, 'feedback'>,
  addresses: readonly AddressHash[],
  now: Instant,
): Promise<void> => {
  if (addresses.length === 0) return
  for (const [address, { state }] of await stores.deliverability.findMany(addresses))
    await forgetDeliverability(stores, address, state, now)
  await stores.feedback.removeBounces(addresses)
}

/** Forgets what is known of an address, says so to those who write to it, and lets go what waits because of it. */
export const forgetDeliverability = async (
  stores: Changed,
  address: AddressHash,
  state: Deliverability['state'],
  now: Instant,
): Promise<void> => {
  await stores.deliverability.erase(address)
  if (state !== 'undeliverable') return
  const subscriptions = await stores.subscriptions.ofAddress(address)
  await announce(stores, subscriptions, 'subscription.deliverable', now)
  const mails = subscriptions.flatMap(({ lastMail = [], preferencesMail = [] }) => [lastMail, preferencesMail].flat())
  // They were held for a week; a cap that holds one still is looked at when it is due.
  for (const { id, parkedAt, notBefore } of mails.length === 0 ? [] : await stores.outbox.findMany(mails))
    if (parkedAt === undefined && notBefore > now) await stores.outbox.retry(id)
}

/** One event for each of the subscriptions that mails of a sender go to. */
const announce = async (
  { events }: Pick<Stores, 'events'>,
  subscriptions: readonly Subscription[],
  type: 'subscription.undeliverable' | 'subscription.deliverable',
  at: Instant,
): Promise<void> => {
  for (const subscription of subscriptions)
    if (subscription.status === 'confirmed') await events.append(subscriptionEvent(type, subscription, at))
}
